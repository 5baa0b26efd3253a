// The parts of the suffix array builder: bigram buckets, order-preserving codes, B* suffixes.
#include <doctest/doctest.h>

#include <algorithm>

#include "index/sa/bstar/alphabetic_code.hpp"
#include "index/sa/bstar/bigram_buckets.hpp"
#include "index/sa/bstar/bstar_scan.hpp"
#include "index/sa/bstar/left_context.hpp"
#include "index/sa/builder.hpp"
#include "index/sa/checker.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string symbols_of(std::uint64_t sigma) {
  std::string symbols;
  for (int c = 1; symbols.size() < sigma; ++c) {
    if (c != '\n' && c != '\r' && c != '>' && c != ' ') symbols += static_cast<char>(c);
  }
  return symbols;
}

/// Mostly the first symbols.
std::string skewed_string(Random& random, std::uint64_t length, const std::string& symbols) {
  std::string made(length, ' ');
  for (char& c : made)
    c = symbols[below(random, 1 + below(random, 1 + below(random, symbols.size())))];
  return made;
}

/// Texts of all symbol widths, some of them skewed, with repeats, runs and short segments.
std::vector<Text> texts() {
  Random random(41);
  std::vector<Text> all;
  for (const auto& sequences : adversarial_collections(2))
    all.push_back(make_text(sequences));
  for (const std::uint64_t sigma : {1u, 2u, 4u, 5u, 8u, 9u, 20u, 33u, 93u, 200u, 251u}) {
    const std::string symbols = symbols_of(sigma);
    const std::string unit = skewed_string(random, 150, symbols);
    all.push_back(make_text({skewed_string(random, 1500, symbols), unit + unit, symbols,
                             std::string(200, symbols.back()), symbols.substr(0, 1), unit,
                             std::string(130, symbols.front()) + unit},
                            SymbolPolicy::bytes));
  }
  return all;
}

/// The rank of each suffix in the naive order.
std::vector<std::uint64_t> ranks_of(const std::vector<std::uint64_t>& order) {
  std::vector<std::uint64_t> ranks(order.size());
  for (std::uint64_t i = 0; i < order.size(); ++i)
    ranks[order[i]] = i;
  return ranks;
}

/// The B* suffixes by definition, in descending order of position.
std::vector<std::uint64_t> stars_of(const TextView& text, const std::vector<std::uint64_t>& ranks) {
  const auto is_b = [&](std::uint64_t p, std::uint64_t separator) {
    return p + 1 < separator && ranks[p] < ranks[p + 1];
  };
  std::vector<std::uint64_t> stars;
  for (std::uint64_t p = text.length(); p-- > 0;) {
    const std::uint64_t separator = text.segments.separator_from(p);
    if (is_b(p, separator) && !is_b(p + 1, separator)) stars.push_back(p);
  }
  return stars;
}

/// Number of leading symbols that two suffixes share.
std::uint64_t shared(const TextView& text, std::uint64_t p, std::uint64_t q) {
  const std::uint64_t ends = text.segments.separator_from(p),
                      other = text.segments.separator_from(q);
  std::uint64_t length = 0;
  while (p + length < ends && q + length < other &&
         text.symbols[p + length] == text.symbols[q + length])
    ++length;
  return length;
}

bool sorts_rightly(const std::vector<std::string>& sequences, SymbolPolicy policy, int threads,
                   PositionWidth width = PositionWidth::automatic) {
  const Text text = make_text(sequences, policy);
  return !find_wrong_row(text.view(), build_suffix_array(text.view(), threads, width), 2);
}

}  // namespace

TEST_CASE("the rows of bigram buckets are those of the naive order") {
  for (const Text& text : texts()) {
    const TextView view = text.view();
    std::vector<std::uint64_t> counts(std::size_t{1} << 2 * view.symbols.bits, 0);
    for (std::uint64_t p = 0; p < view.length(); ++p) {
      const std::uint64_t separator = view.segments.separator_from(p);
      if (p == separator) continue;
      const std::uint64_t next = p + 1 < separator ? view.symbols[p + 1] : 0;
      ++counts[view.symbols[p] << view.symbols.bits | next];
    }
    for (const int threads : {1, 3, 8}) {
      const BigramBuckets pairs = BigramBuckets::of(view, threads);
      REQUIRE(pairs.starts.size() == counts.size() + 1);
      CHECK(pairs.starts[0] == view.segments.count);
      for (std::size_t i = 0; i < counts.size(); ++i)
        REQUIRE(pairs.starts[i + 1] - pairs.starts[i] == counts[i]);
    }
  }
}

TEST_CASE("B* suffixes are found in slices of any size, with streams that order them") {
  for (const Text& text : texts()) {
    const TextView view = text.view();
    const auto order = naive_suffix_array(view);
    const auto ranks = ranks_of(order);
    const auto expected = stars_of(view, ranks);
    const BigramBuckets pairs = BigramBuckets::of(view, 1);
    const AlphabeticCode code(view, pairs);
    for (const std::uint64_t slices : {1u, 2u, 7u, 40u}) {
      std::vector<std::uint64_t> found;
      std::vector<std::pair<std::uint64_t, std::uint64_t>> by_rank;
      for (std::uint64_t s = slices; s-- > 0;) {
        BStarScan(view, code)
            .for_each(slice_of(view.length(), slices, s),
                      [&](std::uint64_t p, std::uint64_t stream) {
                        found.push_back(p);
                        by_rank.emplace_back(ranks[p], stream >> 7);
                      });
      }
      REQUIRE(found == expected);
      std::sort(by_rank.begin(), by_rank.end());
      for (std::size_t i = 1; i < by_rank.size(); ++i) {
        const auto& [lower, before] = by_rank[i - 1];
        const auto& [upper, stream] = by_rank[i];
        REQUIRE(before <= stream);
        for (const int bits : {49, 53, 57}) {
          const int unused = 64 - bits;
          if (before << 7 >> unused != stream << 7 >> unused) continue;
          const std::uint64_t key = stream << 7 >> unused << unused;
          const std::uint64_t common = shared(view, order[lower], order[upper]);
          const std::uint64_t promised = code.shared_symbols(key, bits, order[lower]);
          REQUIRE(promised == code.shared_symbols(key, bits, order[upper]));
          REQUIRE(promised <= common);
          // Only symbols after the last 1 of the key may go uncounted.
          const std::uint64_t least = static_cast<std::uint64_t>(bits) / 12;
          if ((key >> unused & 1) != 0) REQUIRE(promised + 1 >= least);
        }
      }
    }
  }
}

TEST_CASE("the left context of a position is read symbol by symbol, up to the segment's start") {
  for (const Text& text : texts()) {
    const TextView view = text.view();
    const std::uint64_t capacity = context_capacity(view.symbols);
    const SegmentStartFilter starts(view.segments, capacity);
    const LeftContextReader reader(view.symbols, starts.view());
    std::uint8_t low = 0, high = 0;
    const LeftContextArray<true> wide{&low, &high};
    const LeftContextArray<false> narrow{&low, nullptr};
    for (std::uint64_t p = 0; p < view.length(); ++p) {
      const std::uint64_t first = view.segments.starts[view.segments.segment_at(p)];
      LeftContext word = reader.at(p);
      REQUIRE((word == start_context) == (p == first));
      if (p == first) continue;
      for (std::uint64_t i = 1; i <= std::min(p - first, capacity); ++i) {
        has_wide_contexts(view.symbols) ? wide.store(0, word) : narrow.store(0, word);
        word = has_wide_contexts(view.symbols) ? wide.load(0) : narrow.load(0);
        REQUIRE(word != empty_context);
        REQUIRE(reader.nearest(word) == view.symbols[p - i]);
        word = reader.rest(word);
      }
      REQUIRE(word == empty_context);
    }
  }
}

TEST_CASE("buckets too large for a core's cache, and for one thread") {
  Random random(43);
  // Words that share their first 16 letters or more, with common and with rare ends.
  for (const std::uint64_t words : {20000u, 60000u, 200000u}) {
    std::string text;
    for (std::uint64_t i = 0; i < words; ++i) {
      text += "abcdefghij";
      text += skewed_string(random, 1 + below(random, 3), "klmnopqrstuvwxyz");
    }
    for (const int threads : {1, 3})
      CHECK(
          sorts_rightly({text, text.substr(text.size() / 2, 3000)}, SymbolPolicy::bytes, threads));
    CHECK(sorts_rightly({text}, SymbolPolicy::bytes, 2, PositionWidth::wide));
  }
}

TEST_CASE("half of all suffixes are B*, too many to be sorted inside the suffix array") {
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += "ab";
  for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
    CHECK(sorts_rightly({text, "c", text}, SymbolPolicy::bytes, 2, width));
    CHECK(sorts_rightly({text + "cdefg"}, SymbolPolicy::bytes, 3, width));
  }
}

TEST_CASE("all threads induce suffixes of wide alphabets") {
  Random random(47);
  for (const std::uint64_t sigma : {6u, 20u, 93u, 251u}) {
    const std::string symbols = symbols_of(sigma);
    const std::string text = skewed_string(random, 900000, symbols);
    for (const int threads : {1, 2, 5})
      CHECK(sorts_rightly({text, symbols, text.substr(100, 70000)}, SymbolPolicy::bytes, threads));
  }
  const std::string runs(400000, 'y');
  CHECK(sorts_rightly({runs + "z" + runs + "x" + runs}, SymbolPolicy::bytes, 2));
}

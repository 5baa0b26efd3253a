// Phrases: how a text is cut into them, and the order of the suffixes that they give.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "index/sa/builder.hpp"
#include "index/sa/checker.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/phrases/phrase_sorter.hpp"
#include "index/sa/phrases/repeated_share.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string repeated(const std::string& unit, std::uint64_t times) {
  std::string made;
  for (std::uint64_t i = 0; i < times; ++i)
    made += unit;
  return made;
}

std::string thue_morse(std::uint64_t length) {
  std::string made;
  for (std::uint64_t i = 0; i < length; ++i)
    made += std::popcount(i) % 2 == 0 ? 'A' : 'T';
  return made;
}

/// The lexicographically least de Bruijn sequence of order `order` over ACGT, made of Lyndon words.
std::string de_bruijn(int order) {
  std::string made;
  std::vector<int> word{-1};
  while (!word.empty()) {
    ++word.back();
    if (order % static_cast<int>(word.size()) == 0) {
      for (const int code : word)
        made += "ACGT"[code];
    }
    const std::size_t length = word.size();
    while (word.size() < static_cast<std::size_t>(order))
      word.push_back(word[word.size() - length]);
    while (!word.empty() && word.back() == 3)
      word.pop_back();
  }
  return made;
}

std::vector<std::vector<std::string>> hostile_texts(std::uint64_t scale) {
  Random random(71);
  const std::string unit = random_string(random, 40 * scale, "ACGT");
  std::vector<std::vector<std::string>> texts = {
      {fibonacci_word(200 * scale, 'A', 'C')},
      {thue_morse(200 * scale)},
      {unit + unit},
      {unit + unit, unit, unit.substr(7) + "A", "", unit},
      {repeated(random_string(random, 37, "ACGT"), 5 * scale)},
      {repeated("AC", 100 * scale) + "G" + repeated("AC", 50 * scale)},
      {std::string(30 * scale, 'A'), std::string(30 * scale, 'A') + "C"},
      {repeated(std::string(90, 'A') + "C", scale), repeated(std::string(91, 'G') + "T", scale)},
      {mutated_copies(random, 3 * scale, 60, 1000, "ACGT")},
      std::vector<std::string>(2 * scale, unit.substr(0, 120)),
  };
  const std::string with_runs =
      unit + std::string(200, 'T') + "A" + unit.substr(3) + std::string(90, 'A') + "C";
  texts.push_back({with_runs + with_runs + with_runs.substr(11), with_runs.substr(50)});
  return texts;
}

/// The rows of all suffixes by phrases of the text, the separators first.
std::vector<std::uint64_t> order_by_phrases(const TextView& text, const PhraseRule& rule,
                                            int threads) {
  GroupSorter<std::uint32_t> sorter(threads);
  PhraseSorter<std::uint32_t> phrases(text, rule, sorter);
  phrases.find_phrases();  // they must be right where they do not pay, too
  phrases.sort_phrases();
  std::vector<std::uint32_t> first;
  for (const Slice& stretch : phrases.dictionary()) {
    for (std::uint64_t p = stretch.begin; p < stretch.end; ++p) {
      if (text.segments.separator_from(p) != p) first.push_back(static_cast<std::uint32_t>(p));
    }
  }
  TieBits ties(first.size());
  sort_ranges_by_text<std::uint32_t>(
      SuffixKeys(text), sorter, first.data(), 1,
      [&](std::uint64_t) {
        return SuffixRange{0, first.size(), 0};
      },
      phrases.parse().depth(), ties);
  std::vector<PhrasePlace<std::uint32_t>> places(first.size());
  std::vector<std::uint32_t> sorted(text.length() - text.segments.count);
  std::uint64_t next = 0;
  std::mutex mutex;
  phrases.copy_suffixes(first.data(), first.size(), ties, places.data(), sorted.data(),
                        [&](const std::uint32_t*, auto, std::uint64_t begin, std::uint64_t end) {
                          const std::lock_guard lock(mutex);
                          next += end - begin;
                        });
  REQUIRE(next == sorted.size());
  std::vector<std::uint64_t> rows;
  for (std::uint64_t k = 0; k < text.segments.count; ++k)
    rows.push_back(text.segments.starts[k + 1] - 1);
  rows.insert(rows.end(), sorted.begin(), sorted.end());
  return rows;
}

}  // namespace

TEST_CASE("phrases that are equal, and only those, have one first copy") {
  for (const auto& sequences : hostile_texts(3)) {
    const Text text = make_text(sequences);
    const TextView view = text.view();
    for (const bool begins_in_runs : {false, true}) {
      const PhraseParse<std::uint32_t> parse(view, {16, 64, begins_in_runs}, 3);
      REQUIRE(parse.size() > 0);
      std::vector<std::uint32_t> first(parse.size());
      std::vector<std::uint64_t> table(parse.table_bytes() / 8);
      parse.find_equal(first.data(), table.data());
      std::vector<std::string> contents;
      for (std::uint64_t i = 0; i < parse.size(); ++i) {
        const std::uint64_t begin = parse.start(i), separator = view.segments.separator_from(begin);
        CHECK(parse.phrase_at(begin) == i);
        CHECK(parse.phrase_at(std::min(parse.start(i + 1), separator) - 1) == i);
        const std::uint64_t end = parse.start(i + 1) + parse.overlap();
        std::string content = end > separator ? "unique " + std::to_string(i) : "";
        for (std::uint64_t p = begin; p < end && end <= separator; ++p)
          content += "ACGT"[view.symbols[p]];
        contents.push_back(content);
        CHECK(parse.has_syncmer_after(begin) ==
              (parse.start(i + 1) < separator && parse.start(i + 1) - begin <= 16));
      }
      for (std::uint64_t i = 0; i < parse.size(); ++i) {
        // With several threads, the chosen copy need not be the first one.
        REQUIRE(first[i] < parse.size());
        CHECK(contents[first[i]] == contents[i]);
        for (std::uint64_t j = 0; j < i; j += 1 + i / 50)
          REQUIRE((contents[i] == contents[j]) == (first[i] == first[j]));
      }
    }
  }
}

TEST_CASE("phrases give the naive order of all suffixes") {
  for (const auto& sequences : hostile_texts(3)) {
    const Text text = make_text(sequences);
    const auto expected = naive_suffix_array(text.view());
    for (const int threads : {1, 4})
      REQUIRE(order_by_phrases(text.view(), {8, 0, true}, threads) == expected);
  }
  Random random(72);
  const std::string unit = random_string(random, 300, "abcdefgh zyx");
  const Text text =
      make_text({unit + unit + unit.substr(9), unit + "!", unit}, SymbolPolicy::bytes);
  CHECK(order_by_phrases(text.view(), {8, 0, true}, 2) == naive_suffix_array(text.view()));
}

TEST_CASE("phrases of phrases, several levels deep") {
  for (const auto& sequences : hostile_texts(1500)) {
    const Text text = make_text(sequences);
    for (const int threads : {1, 3}) {
      const auto rows = order_by_phrases(text.view(), {8, 0, true}, threads);
      Buffer<std::uint32_t> entries(rows.size(), "test");
      std::copy(rows.begin(), rows.end(), entries.begin());
      CHECK_FALSE(find_wrong_row(text.view(), SuffixArray(std::move(entries)), 2).has_value());
    }
  }
}

TEST_CASE("merged places are in the order of the next phrases") {
  Random random(73);
  for (const std::uint64_t kinds : {1u, 2u, 3u, 40u}) {
    // Rows of `kinds` different phrases; the next phrases have all ranks in random order.
    const std::uint64_t size = 2000;
    std::vector<std::uint32_t> next(size), starts(size);
    for (std::uint64_t r = 0; r < size; ++r)
      next[r] = static_cast<std::uint32_t>(r + 1);
    for (std::uint64_t r = size; r-- > 1;)
      std::swap(next[r], next[below(random, r + 1)]);
    std::vector<PhrasePlace<std::uint32_t>> places;
    for (std::uint64_t k = 0, begin = 0; k < kinds; ++k) {
      const std::uint64_t left = size - begin;
      const std::uint64_t count = k + 1 == kinds ? left : 1 + below(random, left / 4);
      std::sort(next.begin() + static_cast<std::ptrdiff_t>(begin),
                next.begin() + static_cast<std::ptrdiff_t>(begin + count));
      places.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(count),
                        static_cast<std::uint32_t>(100000 * k)});
      begin += count;
      if (begin + kinds >= size) break;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (std::uint32_t r = 0; r < size; ++r)
      starts[r] = r * 3;
    for (const auto& place : places) {
      for (std::uint32_t r = place.begin; r < place.begin + place.count; ++r)
        expected.emplace_back(next[r], starts[r] + place.offset);
    }
    std::sort(expected.begin(), expected.end());
    const PhraseMerger<std::uint32_t> merger(starts.data(), next.data());
    PhraseMerger<std::uint32_t>::Room room;
    std::vector<std::uint32_t> whole(expected.size()), parts(expected.size());
    merger.merge(places, whole.data(), room);
    for (std::uint64_t part = 0; part < 7; ++part)
      merger.merge_part(places, parts.data(), slice_of(size + 1, 7, part), room);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(whole[i] == expected[i].second);
      REQUIRE(parts[i] == expected[i].second);
    }
  }
}

TEST_CASE("the builder sorts large texts that repeat themselves") {
  for (const auto& sequences : hostile_texts(3000)) {
    const Text text = make_text(sequences);
    for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
      const SuffixArray rows = build_suffix_array(text.view(), 3, width);
      CHECK_FALSE(find_wrong_row(text.view(), rows, 2).has_value());
    }
  }
  const std::string cycle = de_bruijn(9);
  const Text cycles = make_text({cycle + cycle, cycle});
  CHECK_FALSE(find_wrong_row(cycles.view(), build_suffix_array(cycles.view(), 2), 2).has_value());
  Random random(74);
  const std::string prose = random_string(random, 200000, "the quick brown fox jumps_over");
  const Text book = make_text({prose + prose, prose.substr(1000)}, SymbolPolicy::bytes);
  CHECK_FALSE(find_wrong_row(book.view(), build_suffix_array(book.view(), 2), 2).has_value());
}

TEST_CASE("the builder sorts texts whose B* suffixes share one large bucket") {
  // More B* suffixes than a wide range has, of few keys, with what breaks the period here and
  // there.
  const std::uint64_t times = sa_tuning::wide_range + 1000;
  const std::string period = repeated("AC", times);
  for (const SymbolPolicy policy :
       {SymbolPolicy::dna, SymbolPolicy::protein, SymbolPolicy::bytes}) {
    for (const auto& sequences : std::vector<std::vector<std::string>>{
             {period},
             {period, period, "ACACA"},
             {period + "T" + period.substr(0, 70000) + "GG" + period, "CACACAT", ""},
             {repeated("ACCA", times / 2) + repeated("ACG", times) + period}}) {
      const Text text = make_text(sequences, policy);
      for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
        for (const int threads : {1, 3}) {
          const SuffixArray rows = build_suffix_array(text.view(), threads, width);
          CHECK_FALSE(find_wrong_row(text.view(), rows, 2).has_value());
        }
      }
    }
  }
}

TEST_CASE("the repeated share of a sample") {
  Random random(75);
  const std::string unit = random_string(random, 5000, "ACGT");
  const Text text = make_text({unit + unit, "ACGT"});
  std::vector<std::uint32_t> sample;
  for (std::uint32_t p = 0; p < 4900; p += 49)
    sample.push_back(p);
  const auto half = sample.size();
  CHECK(repeated_share(text.view(), half * 1024, sample) == 0);
  for (std::size_t i = 0; i < half; ++i)
    sample.push_back(sample[i] + 5000);
  CHECK(repeated_share(text.view(), 2 * half * 1024, sample) == 0.5);
  CHECK(repeated_share(text.view(), 10 * half * 1024, sample) == 1);  // too small a sample
  CHECK(repeated_share(text.view(), half * 100, sample) == 0);        // too short a text
}

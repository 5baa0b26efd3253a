// Searches that compare a pattern with the text, once a sample says where it must be, give what the
// walk through all its symbols gives and what a scan of the text gives.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/builder.hpp"
#include "search/exact/cpu_search.hpp"
#include "search/exact/strand_codes.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Built {
  Built(Text of, std::uint32_t rate, std::uint32_t k)
      : text(std::move(of)),
        fm(text.view(), build_suffix_array(text.view(), 2), {rate, k}, 2),
        c_offset(
            c_offsets_of(fm.wavelet().view(), text.alphabet.size(), text.segments.view().count)) {}

  SearchedIndex index() const {
    FmView view;
    view.bwt = fm.wavelet().view();
    view.c_offset = c_offset.data();
    view.kmers = fm.kmers().view();
    view.samples = fm.samples().view();
    view.hole_segments = fm.hole_segments().view();
    view.segments = text.segments.view();
    view.sampling = RowSampling(fm.sample_rate());
    view.sigma = text.alphabet.size();
    return {view, text.view()};
  }

  Text text;
  FmIndex fm;
  std::vector<std::uint64_t> c_offset;
};

struct Queries {
  void add(const std::vector<std::uint8_t>& pattern) {
    codes.insert(codes.end(), pattern.begin(), pattern.end());
    ends.push_back(codes.size());
  }
  /// Symbols [begin, end) of the text, separators as code 0, which then must not match.
  void cut(const Text& text, std::uint64_t begin, std::uint64_t end) {
    const PackedView symbols = text.symbols.view();
    for (; begin < end; ++begin)
      codes.push_back(static_cast<std::uint8_t>(symbols[begin]));
    ends.push_back(codes.size());
  }
  void turn_last() {
    const auto begin = codes.begin() +
                       static_cast<std::ptrdiff_t>(Patterns{codes, ends}.begin_of(ends.size() - 1));
    std::reverse(begin, codes.end());
    std::transform(begin, codes.end(), begin, [](std::uint8_t c) { return c < 4 ? 3 - c : c; });
  }

  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> ends;
};

/// Pieces of the text of all lengths, across separators too, as they are or with a change at either
/// end or somewhere, of either strand; pieces that lie at the ends of the text and beyond it.
Queries draw_queries(const Text& text, Random& random, std::uint64_t longest) {
  Queries queries;
  const std::uint64_t n = text.symbols.size();
  const bool turns = text.alphabet.has_reverse_complement();
  for (int i = 0; i < 120; ++i) {
    const std::uint64_t length = std::min(n, 1 + below(random, longest));
    const std::uint64_t begin = i % 10 == 0   ? 0
                                : i % 10 == 1 ? n - length
                                              : below(random, n - length + 1);
    queries.cut(text, begin, begin + length);
    if (turns && below(random, 2) == 0) queries.turn_last();
    std::uint8_t* last = queries.codes.data() + queries.codes.size() - length;
    const auto other = static_cast<std::uint8_t>(below(random, text.alphabet.size()));
    switch (below(random, 8)) {
      case 0:
        last[0] = other;
        break;
      case 1:
        last[length - 1] = other;
        break;
      case 2:
        last[below(random, length)] = other;
        break;
      case 3:
        last[below(random, length)] = Alphabet::none;
        break;
      default:
        break;
    }
  }
  std::vector<std::uint8_t> beyond(n + 40, 0);
  queries.add(beyond);
  queries.add({});
  return queries;
}

/// Where a strand occurs, by comparing it at every position.
std::vector<std::uint64_t> scan(const Text& text, const StrandCodes& strand) {
  std::vector<std::uint64_t> found;
  const PackedView symbols = text.symbols.view();
  const SegmentsView segments = text.segments.view();
  for (std::uint64_t k = 0; k < segments.count; ++k) {
    for (std::uint64_t p = segments.starts[k]; p + strand.length < segments.starts[k + 1]; ++p) {
      std::uint64_t i = 0;
      while (i < strand.length && symbols[p + i] == strand[i])
        ++i;
      if (i == strand.length && i > 0) found.push_back(p);
    }
  }
  return found;
}

template <class Pos>
void check(const Built& built, const Queries& queries, std::uint64_t& located) {
  const SearchedIndex index = built.index();
  const Patterns patterns{queries.codes, queries.ends};
  const bool complements = built.text.alphabet.has_reverse_complement();
  std::vector<CpuPath> paths{CpuPath::baseline};
  if (best_cpu_path() != CpuPath::baseline) paths.push_back(best_cpu_path());
  for (const CpuPath path : paths) {
    std::vector<Found<Pos>> found(2 * patterns.size());
    search_loops<Pos>(path).search(index, patterns, true, complements, found.data());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto codes = patterns[i / 2];
      const StrandCodes strand{codes.data(), codes.size(), i % 2 == 1};
      if (strand.reverse && !complements) continue;
      CAPTURE(i);
      const std::vector<std::uint64_t> expected = scan(built.text, strand);
      REQUIRE(found[i].count == expected.size());
      if (found[i].located) {
        ++located;
        REQUIRE(expected == std::vector<std::uint64_t>{found[i].first});
      } else {
        std::vector<std::uint64_t> positions;
        for (Pos k = 0; k < found[i].count; ++k)
          positions.push_back(index.fm.locate(static_cast<Pos>(found[i].first + k)));
        std::sort(positions.begin(), positions.end());
        REQUIRE(positions == expected);
      }
    }
  }
}

std::uint64_t check(const std::vector<std::string>& sequences, Random& random,
                    SymbolPolicy policy = SymbolPolicy::dna) {
  std::uint64_t located = 0;
  for (const std::uint32_t rate : {1u, 2u, 5u, 16u, 1000u}) {
    const Built built(make_text(sequences, policy), rate,
                      static_cast<std::uint32_t>(below(random, 3)));
    CAPTURE(rate);
    const Queries queries = draw_queries(built.text, random, below(random, 2) == 0 ? 40 : 300);
    check<std::uint32_t>(built, queries, located);
    check<std::uint64_t>(built, queries, located);
  }
  return located;
}

}  // namespace

TEST_CASE("patterns compared with the text are found where a scan finds them") {
  Random random(51);
  for (const auto& sequences : thinned(adversarial_collections(9)))
    check(sequences, random);
  const std::string unit = random_string(random, 31, "ACGT");
  std::string tandem;
  for (int i = 0; i < 40; ++i)
    tandem += unit;
  check({tandem, tandem + "A", "C" + tandem.substr(5)}, random);
  const std::string half = random_string(random, 200, "ACGT");
  std::string turned(half.rbegin(), half.rend());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  check({half + turned, turned}, random);
  CHECK(check({random_string(random, 6000, "ACGT"), "ACGT"}, random) > 200);
}

TEST_CASE("so are those of other alphabets") {
  Random random(52);
  CHECK(check({random_string(random, 3000, "ACDEFGHIKLMNPQRSTVWY"), "MKV"}, random,
              SymbolPolicy::protein) > 200);
  CHECK(check({random_string(random, 3000, every_symbol())}, random, SymbolPolicy::bytes) > 200);
  check({mutated_copies(random, 200, 9, 150, "abc"), "cab"}, random, SymbolPolicy::bytes);
}

TEST_CASE("no comparison crosses the end of a segment") {
  // Separators are stored as A. So the text seems to hold each piece with an A on either side.
  Random random(53);
  std::vector<std::string> sequences;
  for (int i = 0; i < 40; ++i)
    sequences.push_back(random_string(random, 60, "ACGT"));
  for (const std::uint32_t rate : {1u, 4u}) {
    const Built built(make_text(sequences), rate, 2);
    Queries queries;
    for (std::uint64_t begin = 0; begin + 122 < built.text.symbols.size(); begin += 7)
      queries.cut(built.text, begin, begin + 1 + begin % 122);
    std::uint64_t located = 0;
    check<std::uint32_t>(built, queries, located);
    CHECK(located > 0);
  }
}

/// Records of which each ends with a long run of A, as all do, so that the last k-mer of most
/// pieces says little.
std::vector<std::string> records_with_tails(Random& random, int records, std::uint64_t length) {
  std::vector<std::string> sequences;
  const std::string shared = random_string(random, length / 2, "ACGT");
  for (int i = 0; i < records; ++i) {
    std::string copy = shared;
    for (char& c : copy) {
      if (below(random, 12) == 0) c = "ACGT"[below(random, 4)];
    }
    sequences.push_back(random_string(random, length / 2, "ACGT") + copy +
                        std::string(length / 2, 'A'));
  }
  return sequences;
}

TEST_CASE("patterns that end in a repeat are searched from another of their k-mers") {
  Random random(56);
  const auto sequences = records_with_tails(random, 40, 120);
  for (const std::uint32_t rate : {1u, 2u, 5u, 16u}) {
    CAPTURE(rate);
    const Built built(make_text(sequences), rate, 4);
    std::uint64_t located = 0;
    for (const std::uint64_t longest : {90u, 180u, 700u}) {
      const Queries queries = draw_queries(built.text, random, longest);
      check<std::uint32_t>(built, queries, located);
      check<std::uint64_t>(built, queries, located);
    }
    CHECK(located > 100);
  }
}

TEST_CASE("a pattern takes few cache lines, where it ends in a repeat too") {
  Random random(57);
  const auto lines_per_pattern = [&](const std::vector<std::string>& sequences) {
    const Built built(make_text(sequences), 8, 6);
    Queries queries;
    for (std::uint64_t k = 0; k + 1 < built.text.segments.view().count; ++k) {
      const std::uint64_t end = built.text.segments.view().starts[k + 1] - 1;
      queries.cut(built.text, end - 150, end);
    }
    const std::uint64_t patterns = queries.ends.size();
    return count_search_lines(built.index(), {queries.codes, queries.ends}, true) / patterns;
  };
  std::vector<std::string> random_records;
  for (int i = 0; i < 300; ++i)
    random_records.push_back(random_string(random, 300, "ACGT"));
  CHECK(lines_per_pattern(random_records) < 35);
  CHECK(lines_per_pattern(records_with_tails(random, 300, 130)) < 55);
}

/// The answers to both strands of all patterns, where the samples may lie; none if that is noticed.
std::vector<Found<std::uint32_t>> answers(const Built& built, const Queries& queries,
                                          const PackedArray& samples) {
  SearchedIndex index = built.index();
  index.fm.samples = samples.view();
  std::vector<Found<std::uint32_t>> found(2 * queries.ends.size());
  try {
    search_loops<std::uint32_t>(best_cpu_path())
        .search(index, {queries.codes, queries.ends}, true, true, found.data());
  } catch (const CorruptIndexError&) {
    found.clear();
  }
  return found;
}

bool same(const std::vector<Found<std::uint32_t>>& a, const std::vector<Found<std::uint32_t>>& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.count == other.count && one.first == other.first && one.located == other.located;
  });
}

TEST_CASE("samples that lie are noticed, or change no answer") {
  Random random(54);
  const Built built(make_text({random_string(random, 4000, "ACGT"), "ACGTTGCA"}), 4, 2);
  const Queries queries = draw_queries(built.text, random, 200);
  const auto right = answers(built, queries, built.fm.samples());
  REQUIRE(!right.empty());
  int noticed = 0;
  for (int round = 0; round < 300; ++round) {
    PackedArray samples(built.fm.samples().size(), built.fm.samples().bits(), "a test");
    std::ranges::copy(built.fm.samples().bytes(), samples.data());
    const std::uint64_t bits = samples.size() * samples.bits();
    for (int flips = 0; flips < 40; ++flips) {
      const std::uint64_t bit = below(random, bits);
      samples.data()[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    }
    const auto found = answers(built, queries, samples);
    noticed += found.empty();
    REQUIRE((found.empty() || same(found, right)));
  }
  CHECK(noticed > 50);
}

/// The samples, of which number `s` is changed to `lie`.
PackedArray with_lie(const PackedArray& samples, std::uint64_t s, std::uint64_t lie) {
  PackedArray changed(samples.size(), samples.bits(), "a test");
  PackedWriter writer = changed.writer(0);
  for (std::uint64_t i = 0; i < samples.size(); ++i)
    writer.push(i == s ? lie : samples.view()[i]);
  writer.finish();
  return changed;
}

TEST_CASE("so are samples that lie about text across the end of a segment") {
  // Separators are stored as A. So the first records seem to hold the end of the pattern, or all of
  // it, where the text is cut at its second A, or at both.
  Random random(58);
  const auto anything = [&] { return random_string(random, 60, "ACGT"); };
  const std::string first = "TTTT", second = "TTTGATTGCCGT", third = "CTGGCTTGC";
  const std::string pattern = first + 'A' + second + 'A' + third;
  for (const auto& cut : {std::vector{anything() + second, third + anything()},
                          std::vector{anything() + first, second, third + anything()}}) {
    std::vector<std::string> sequences = cut;
    sequences.push_back(anything() + pattern + anything());
    for (const std::uint32_t rate : {1u, 4u, 8u}) {
      CAPTURE(rate);
      const Built built(make_text(sequences), rate, 2);
      Queries queries;
      for (std::size_t shorter = 0; shorter < 6; ++shorter) {
        for (const char c : std::string_view(pattern).substr(0, pattern.size() - shorter))
          queries.codes.push_back(static_cast<std::uint8_t>(std::string_view("ACGT").find(c)));
        queries.ends.push_back(queries.codes.size());
      }
      const auto right = answers(built, queries, built.fm.samples());
      REQUIRE(!right.empty());
      for (std::uint64_t s = 0; s < built.fm.samples().size(); ++s) {
        for (std::uint64_t lie = 55; lie < 90; ++lie) {
          const auto found = answers(built, queries, with_lie(built.fm.samples(), s, lie));
          REQUIRE((found.empty() || same(found, right)));
        }
      }
    }
  }
}

TEST_CASE("a strand is compared at any offset and length") {
  Random random(55);
  const Text text = make_text({random_string(random, 500, "ACGT")});
  const PackedView symbols = text.symbols.view();
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t length = 1 + below(random, 120), p = below(random, 380);
    const bool reverse = below(random, 2) == 1;
    std::vector<std::uint8_t> codes(length);
    for (std::uint64_t k = 0; k < length; ++k)
      codes[reverse ? length - 1 - k : k] =
          static_cast<std::uint8_t>(symbols[p + k] ^ (reverse ? 3 : 0));
    const StrandCodes strand{codes.data(), length, reverse};
    REQUIRE(is_at(symbols, p, strand));
    const std::uint64_t at = below(random, length);
    std::uint8_t& code = codes[reverse ? length - 1 - at : at];
    code = below(random, 2) == 0 ? Alphabet::none : static_cast<std::uint8_t>(code ^ 2);
    REQUIRE(!is_at(symbols, p, strand));
    REQUIRE(is_at(symbols, p, strand.prefix(at)));
    REQUIRE(is_at(symbols, p + at + 1, strand.from(at + 1)));
  }
}

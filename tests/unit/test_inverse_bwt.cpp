// The inverse of the BWT, against texts whose BWT is made by definition.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "gsx/suffix_array.hpp"
#include "index/bwt/splitters.hpp"
#include "index/sa/builder.hpp"
#include "support/bwts.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Checks the inverse for all ways to compute it.
void check_inverse(const std::string& bwt, char separator, const std::string& text) {
  for (const int threads : {1, 3}) {
    for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
      for (const CpuPath path : {CpuPath::baseline, best_cpu_path()}) {
        CAPTURE(threads);
        REQUIRE(inverted(bwt, separator, {threads, width, path}) == text);
      }
    }
  }
}

/// A BWT in which one path goes through `on_path` symbols and the others are in circles.
std::string with_circles(const std::string& bwt) {
  // Circles of the LF mapping: a block of rows of one symbol that maps to itself. With one A more
  // in front of all rows but the separator's, row 1 leads to row 1.
  return bwt.substr(0, 1) + 'A' + bwt.substr(1);
}

}  // namespace

TEST_CASE("the inverse of a BWT is the text, for all widths, threads and instructions") {
  for (const auto& sequences : thinned(adversarial_collections(9))) {
    const Text text = make_text(sequences);
    const std::string bwt = spelled_bwt(text, build_suffix_array(text.view(), 2), '$');
    check_inverse(bwt, '$', spelled_text(text, '$'));
  }
}

TEST_CASE("the inverse takes tables as well as rank blocks, and many segments") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (const std::uint64_t segments : {1, 2, 70, 3000}) {
    for (const std::string& symbols : {std::string("A"), std::string("ACGT"), std::string("ACGTN"),
                                       std::string("acdefghiklmnpqrstvwy")}) {
      std::vector<std::string> sequences;
      for (std::uint64_t i = 0; i < segments; ++i) {
        // Copies of a piece, so that rows of several segments stay side by side.
        sequences.push_back(random_string(random, below(random, 60000 / segments), symbols) +
                            std::string(1 + below(random, 9), symbols[0]));
      }
      CAPTURE(symbols);
      CAPTURE(segments);
      const Text text = make_text(sequences, SymbolPolicy::bytes);
      const std::string bwt = spelled_bwt(text, build_suffix_array(text.view(), 2), '$');
      check_inverse(bwt, '$', spelled_text(text, '$'));
    }
  }
}

TEST_CASE("the inverse works for any separator byte, which counts as smaller than all symbols") {
  const Text text = make_text({"banana", "bandana", "~~z!"}, SymbolPolicy::bytes);
  const SuffixArray rows = build_suffix_array(text.view(), 1);
  for (const char separator : {'\n', '\0', '\x7f', '\xff'}) {
    check_inverse(spelled_bwt(text, rows, separator), separator, spelled_text(text, separator));
  }
}

TEST_CASE("segments may be empty") {
  check_inverse("$", '$', "$");
  check_inverse("$$$$", '$', "$$$$");
  check_inverse("\xff", '\xff', "\xff");
  check_inverse(std::string(100'000, '$'), '$', std::string(100'000, '$'));
}

TEST_CASE("what is not a BWT is refused") {
  for (const std::string& bwt :
       {std::string(), std::string("ACGT"), std::string("$AAAA"), std::string("A$C$GT")}) {
    CAPTURE(bwt);
    for (const int threads : {1, 2})
      CHECK_THROWS_AS(inverted(bwt, '$', {threads}), InputError);
  }
}

TEST_CASE("rows that no walk reaches are an error, however large their circles are") {
  Random random(5);
  for (const std::string& symbols : {std::string("ACGT"), std::string("ACGTN")}) {
    const Text text = make_text({random_string(random, 300'000, symbols)}, SymbolPolicy::bytes);
    std::string bwt = spelled_bwt(text, build_suffix_array(text.view(), 2), '$');
    CHECK_THROWS_AS(inverted(with_circles(bwt), '$', {2}), InputError);
    std::mt19937_64 order(7);
    std::shuffle(bwt.begin(), bwt.end(), order);  // one path, and about ln n circles
    CHECK_THROWS_WITH_AS(inverted(bwt, '$', {2}), doctest::Contains("of 300001 symbols"),
                         InputError);
  }
}

TEST_CASE("any bytes are refused, or have the inverse's BWT") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  int inverses = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string bwt = random_string(random, 1 + below(random, 12), "$AC");
    std::string text;
    try {
      text = inverted(bwt, '$');
    } catch (const InputError&) {
      continue;
    }
    ++inverses;
    REQUIRE(naive_bwt(text, '$') == bwt);
  }
  CHECK(inverses > 100);
}

TEST_CASE("inverse_bwt undoes bwt") {
  Random random(11);
  SortOptions options;
  options.threads = 2;
  for (const std::string& bytes :
       {std::string(), std::string("A"), std::string("banana"), std::string(70'000, 'G'),
        random_string(random, 100'000, "ACGT"), mutated_copies(random, 700, 40, 90, "ACGT"),
        fibonacci_word(30'000), random_string(random, 50'000, "the quick brown fox")}) {
    CAPTURE(bytes.size());
    const BytesBwt made = bwt(bytes, options);
    const Buffer<std::uint8_t> back = inverse_bwt(made, options);
    CHECK(std::string(back.begin(), back.end()) == bytes);
  }
  const Buffer<std::uint8_t> text = inverse_bwt("annb$aa", '$', options);  // of banana$
  CHECK(std::string(text.begin(), text.end()) == "banana$");
}

TEST_CASE("inverse_bwt refuses what bwt cannot have made") {
  BytesBwt made = bwt("GATTACA");
  made.primary = 8;
  CHECK_THROWS_WITH_AS((void)inverse_bwt(made), doctest::Contains("no row 8 among 8"), InputError);
  made.primary = 0;
  CHECK_THROWS_AS((void)inverse_bwt(made), InputError);
  BytesBwt all{Buffer<std::uint8_t>(256, "test"), 3};
  for (std::size_t i = 0; i < 256; ++i)
    all.bytes[i] = static_cast<std::uint8_t>(i);
  CHECK_THROWS_AS((void)inverse_bwt(all), UsageError);
  CHECK_THROWS_AS((void)inverse_bwt("ACGT", '$'), InputError);
  SortOptions little;
  little.memory_limit = 1;
  CHECK_THROWS_AS((void)inverse_bwt("A$", '$', little), ResourceError);
}

TEST_CASE("each window has one splitter, and the walk to it finds the piece that begins there") {
  for (const std::uint64_t segments : {1, 3, 1000}) {
    const SplitterRows splitters{100'000, segments, 6};
    std::uint64_t found = 0;
    for (std::uint64_t row = segments; row < splitters.rows; ++row) {
      std::uint64_t piece = 0;
      std::uint32_t narrow = 0;
      const bool ends = splitters.ends_at(row, piece);
      REQUIRE(ends == splitters.ends_at(static_cast<std::uint32_t>(row), narrow));
      if (!ends) continue;
      ++found;
      REQUIRE(piece == narrow);
      REQUIRE(splitters.row_of(piece) == row);
    }
    CHECK(found + segments >= splitters.pieces() - 1);
    CHECK(splitters.pieces() == segments + splitters.windows());
  }
}

// The suffix array in blocks: the same rows for any blocks, and never more rows at a time than
// allowed.
#include <doctest/doctest.h>

#include "index/fm/block_index.hpp"
#include "index/sa/block_builder.hpp"
#include "index/sa/builder.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::uint64_t> rows_in_blocks(const TextView& text, std::uint64_t block_rows,
                                          int threads, PositionWidth width) {
  std::vector<std::uint64_t> rows;
  build_suffix_blocks(text, {block_rows, std::max<std::uint64_t>(2, block_rows / 3)}, threads,
                      width, [&](const SuffixArray& block) {
                        CHECK(block.size() > 0);
                        CHECK(block.size() <= block_rows);
                        for (std::uint64_t i = 0; i < block.size(); ++i)
                          rows.push_back(block[i]);
                      });
  return rows;
}

void check_blocks(const TextView& text, std::uint64_t block_rows, int threads,
                  PositionWidth width) {
  CAPTURE(text.length());
  CAPTURE(block_rows);
  CAPTURE(threads);
  const SuffixArray whole = build_suffix_array(text, 1);
  const auto rows = rows_in_blocks(text, block_rows, threads, width);
  REQUIRE(rows.size() == whole.size());
  std::uint64_t different = 0;
  for (std::uint64_t row = 0; row < rows.size(); ++row)
    different += rows[row] != whole[row];
  CHECK(different == 0);
}

template <class T>
bool same(const T& a, const T& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void check_index(const TextView& text, const FmOptions& options, std::uint64_t block_rows) {
  const FmIndex whole(text, build_sa_and_bwt(text, 2), options, 2);
  const FmIndex blocks = build_index_in_blocks(text, options, {block_rows, block_rows / 2}, 2,
                                               PositionWidth::automatic, {});
  REQUIRE(blocks.wavelet().levels().size() == whole.wavelet().levels().size());
  for (std::size_t i = 0; i < whole.wavelet().levels().size(); ++i) {
    const QuadVector& a = blocks.wavelet().levels()[i];
    const QuadVector& b = whole.wavelet().levels()[i];
    REQUIRE(a.blocks().bytes() == b.blocks().bytes());
    CHECK(std::memcmp(a.blocks().data(), b.blocks().data(), b.blocks().bytes()) == 0);
    REQUIRE(a.superblocks().bytes() == b.superblocks().bytes());
    CHECK(std::memcmp(a.superblocks().data(), b.superblocks().data(), b.superblocks().bytes()) ==
          0);
    CHECK(same(a.holes().bytes(), b.holes().bytes()));
  }
  CHECK(same(blocks.samples().bytes(), whole.samples().bytes()));
  CHECK(same(blocks.hole_segments().bytes(), whole.hole_segments().bytes()));
  CHECK(same(blocks.kmers().bounds().bytes(), whole.kmers().bounds().bytes()));
}

/// Texts whose suffixes share long prefixes: runs, short periods, words, copies.
std::vector<std::string> repetitive(std::uint64_t length) {
  Random random(8);
  std::string period;
  while (period.size() < length)
    period += "ACGTA";
  return {std::string(length, 'C'),
          period,
          fibonacci_word(length),
          thue_morse_word(length, 'G', 'T'),
          mutated_copies(random, 1000, length / 1000, 5000, "ACGT"),
          random_string(random, length, "ACGT")};
}

}  // namespace

TEST_CASE("blocks of any size give the suffix array, on any number of threads") {
  const auto collections = adversarial_collections(31);
  for (std::size_t i = 0; i < collections.size(); i += thinned() ? 4 : 1) {
    const Text text = make_text(collections[i]);
    for (const std::uint64_t block_rows : {2u, 7u, 100u, 100000u}) {
      if (text.length() / block_rows > 400) continue;
      check_blocks(text.view(), block_rows, 1, PositionWidth::automatic);
      check_blocks(text.view(), block_rows, 3, PositionWidth::wide);
    }
  }
}

TEST_CASE("blocks of repetitive texts are split at suffixes") {
  for (const std::string& sequence : repetitive(thinned() ? 12'000 : 60'000)) {
    const Text text = make_text({sequence, sequence.substr(11, 5000), sequence});
    check_blocks(text.view(), 9'000, 2, PositionWidth::automatic);
    check_blocks(text.view(), 1'000, 3, PositionWidth::automatic);
  }
}

TEST_CASE("blocks of one repetitive text wide enough for all threads") {
  for (const std::string& sequence : repetitive(thinned() ? 160'000 : 400'000)) {
    const Text text = make_text({sequence});
    check_blocks(text.view(), 150'000, 2, PositionWidth::automatic);
  }
}

TEST_CASE("texts of letters and of bytes can be divided into blocks") {
  Random random(3);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  const Text protein = make_text({random_string(random, 30'000, letters), std::string(20'000, 'K'),
                                  mutated_copies(random, 200, 50, 300, letters)},
                                 SymbolPolicy::protein);
  check_blocks(protein.view(), 3'000, 2, PositionWidth::automatic);
  const std::string symbols = "xyz!#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYabcdefghijklmnopqrstuvw";
  const Text bytes =
      make_text({fibonacci_word(20'000, 'a', 'z'), random_string(random, 9'000, symbols)},
                SymbolPolicy::bytes);
  check_blocks(bytes.view(), 2'000, 2, PositionWidth::wide);
}

TEST_CASE("an index built in blocks is the same index") {
  Random random(17);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  for (const std::uint32_t rate : {1u, 3u, 16u, 100u}) {
    const FmOptions options{rate, std::nullopt};
    for (const std::uint64_t block_rows : {999u, 20'000u, 70'001u}) {
      check_index(make_text({random_string(random, 150'000, "ACGT"), "ACGT",
                             random_string(random, 3'001, "ACGTN")})
                      .view(),
                  options, block_rows);
      check_index(
          make_text({random_string(random, 90'000, letters), "MKV"}, SymbolPolicy::protein).view(),
          options, block_rows);
    }
  }
}

TEST_CASE("the statistics of a text describe its suffixes") {
  const Text text = make_text({"ACGT", "AACC"});
  const SuffixStatistics found(text.view(), 2);
  CHECK(found.length == 10);
  CHECK(found.syncmers == 0);
  // The ascents are AC, CG, GT of the first segment and AC of the second; AA and CC are not.
  CHECK(found.ascents == 4);
  CHECK(found.widest >= 2);
  CHECK(found.widest_ascent == 2);
}

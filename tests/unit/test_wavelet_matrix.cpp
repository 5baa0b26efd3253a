// Rank blocks and the wavelet matrix: every position, every code, sizes at every boundary.
#include <doctest/doctest.h>

#include <algorithm>
#include "arrays/rank/quad_check.hpp"
#include "arrays/rank/select_hints.hpp"
#include "arrays/rank/wavelet_matrix.hpp"
#include "checks/wavelet_checks.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::uint8_t> random_codes(Random& random, std::uint64_t size, std::uint32_t sigma,
                                       std::uint64_t hole_in) {
  std::vector<std::uint8_t> codes(size);
  for (auto& code : codes) {
    code = static_cast<std::uint8_t>(below(random, sigma));
    if (hole_in > 0 && below(random, hole_in) == 0) code = checks::Expected::hole;
  }
  return codes;
}

WaveletMatrix build(const std::vector<std::uint8_t>& codes, std::uint32_t sigma, int threads) {
  return WaveletMatrix(
      codes.size(), bits_for(sigma - 1),
      [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
        std::copy(codes.begin() + static_cast<std::ptrdiff_t>(begin),
                  codes.begin() + static_cast<std::ptrdiff_t>(end), out);
      },
      threads);
}

void check_all(const std::vector<std::uint8_t>& codes, std::uint32_t sigma, int threads = 2) {
  CAPTURE(codes.size());
  CAPTURE(sigma);
  const WaveletMatrix wavelet = build(codes, sigma, threads);
  const checks::Expected expected{codes.data(), codes.size(), sigma};
  CHECK(checks::check_access(wavelet.view(), expected) == 0);
  const SelectHints hints(wavelet.view(), 2);
  const std::uint32_t step = sigma > 40 ? 17 : 1;
  for (std::uint32_t code = 0; code < sigma; code += step) {
    CAPTURE(code);
    REQUIRE(checks::check_rank(wavelet.view(), expected, code) == 0);
    REQUIRE(checks::check_select(wavelet.view(), expected, code) == 0);
    REQUIRE(checks::check_select(hints.attached_to(wavelet.view()), expected, code) == 0);
  }
}

constexpr std::uint64_t block = QuadBlock::digits;
constexpr std::uint64_t superblock = QuadSuperblock::digits;

}  // namespace

TEST_CASE("DNA: sizes around every boundary, without and with holes") {
  Random random(5);
  for (const std::uint64_t around : {std::uint64_t{1}, std::uint64_t{32}, std::uint64_t{64}, block,
                                     2 * block, superblock, 2 * superblock}) {
    for (const std::uint64_t size : {around - 1, around, around + 1}) {
      for (const std::uint64_t hole_in : {0u, 2u, 50u, 5000u}) {
        check_all(random_codes(random, size, 4, hole_in), 4);
      }
    }
  }
}

TEST_CASE("one symbol only, so that counters reach their largest values") {
  for (std::uint8_t code = 0; code < 4; ++code) {
    check_all(std::vector<std::uint8_t>(2 * superblock + 7, code), 4);
  }
}

TEST_CASE("holes: all, runs of them, the first and the last position") {
  const std::uint8_t hole = checks::Expected::hole;
  check_all(std::vector<std::uint8_t>(300, hole), 4);
  std::vector<std::uint8_t> codes(superblock + 500, 0);
  for (std::uint64_t i = superblock - 100; i < superblock + 100; ++i)
    codes[i] = hole;
  codes.front() = codes.back() = hole;
  check_all(codes, 4);
}

TEST_CASE("alphabets of 1 to 255 codes, several threads") {
  Random random(6);
  for (const std::uint32_t sigma : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 21u, 26u, 64u, 65u, 255u}) {
    check_all(random_codes(random, 3000, sigma, 100), sigma, 1);
    check_all(random_codes(random, 70000, sigma, 0), sigma, 3);
  }
}

TEST_CASE("codes that never occur have rank 0 everywhere") {
  std::vector<std::uint8_t> codes(500);
  for (std::size_t i = 0; i < codes.size(); ++i)
    codes[i] = i % 2 == 0 ? 3 : 20;
  check_all(codes, 26);
}

TEST_CASE("the checks themselves notice a rank that is off by one anywhere") {
  Random random(8);
  const auto codes = random_codes(random, 3 * block, 4, 0);
  auto wrong = codes;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    wrong[i] = static_cast<std::uint8_t>((codes[i] + 1) % 4);
    const WaveletMatrix wavelet = build(wrong, 4, 1);
    const checks::Expected expected{codes.data(), codes.size(), 4};
    CHECK(checks::check_access(wavelet.view(), expected) == i + 1);
    CHECK(checks::check_rank(wavelet.view(), expected, codes[i]) == i + 2);
    wrong[i] = codes[i];
  }
}

TEST_CASE("the example in the block's documentation") {
  const WaveletMatrix wavelet = build({0, 1, 2, 3}, 4, 1);
  CHECK(wavelet.view().levels[0].blocks[0].planes[0] == 0x0000000C'0000000Aull);
}

TEST_CASE("select ends whatever the counts say") {
  Random random(10);
  const std::uint64_t size = 3 * superblock + 150;
  const WaveletMatrix wavelet = build(random_codes(random, size, 4, 40), 4, 2);
  const QuadVector& level = wavelet.levels()[0];
  const SelectHints hints(wavelet.view(), 2);
  std::vector<QuadBlock> blocks(level.blocks().begin(), level.blocks().end());
  std::vector<QuadSuperblock> superblocks(level.superblocks().begin(), level.superblocks().end());
  for (int round = 0; round < 2000; ++round) {
    if (round % 50 == 0) {
      std::ranges::copy(level.blocks(), blocks.begin());
      std::ranges::copy(level.superblocks(), superblocks.begin());
    }
    const auto d = static_cast<std::uint32_t>(below(random, 4));
    blocks[below(random, blocks.size())].counts[d] = static_cast<std::uint16_t>(random());
    superblocks[below(random, superblocks.size())].counts[d] = below(random, 2 * size);
    for (QuadView view : {level.view(), hints.attached_to(wavelet.view()).levels[0]}) {
      view.blocks = blocks.data();
      view.superblocks = superblocks.data();
      QuadView::Selection selection = view.begin_select(d, below(random, size));
      std::uint64_t position = 0;
      int probes = 1;
      while (probes < 1000 && !view.try_select(selection, position))
        ++probes;
      REQUIRE(probes < 1000);
    }
  }
}

TEST_CASE("the counts of a level are right as built, and every changed bit is found") {
  Random random(9);
  for (const std::uint64_t size : {std::uint64_t{1}, block, block + 5, superblock - 1, superblock,
                                   superblock + 1, 2 * superblock + 100}) {
    for (const std::uint64_t hole_in : {0u, 30u}) {
      CAPTURE(size);
      CAPTURE(hole_in);
      const WaveletMatrix wavelet = build(random_codes(random, size, 4, hole_in), 4, 2);
      const QuadVector& level = wavelet.levels()[0];
      std::vector<QuadBlock> blocks(level.blocks().begin(), level.blocks().end());
      std::vector<QuadSuperblock> superblocks(level.superblocks().begin(),
                                              level.superblocks().end());
      QuadView view = level.view();
      view.blocks = blocks.data();
      view.superblocks = superblocks.data();
      for (const int threads : {1, 3})
        CHECK_FALSE(find_wrong_counts(view, threads).has_value());
      const std::uint64_t last = size - 1;
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t at = i < 3 ? (i == 0 ? 0 : last) : below(random, size);
        QuadBlock& changed = blocks[at / block];
        const QuadBlock before = changed;
        if (i % 2 == 0) {
          changed.planes[at % block / 32] ^= std::uint64_t{1} << (at % 32 + (i % 4 == 0 ? 32 : 0));
        } else {
          changed.counts[below(random, 4)] ^= static_cast<std::uint16_t>(1 << below(random, 16));
        }
        REQUIRE(find_wrong_counts(view, 2) == at / superblock * superblock);
        changed = before;
      }
      for (QuadSuperblock& changed : superblocks) {
        for (std::uint64_t& count : changed.counts) {
          for (const std::uint64_t off : {std::uint64_t{1}, ~std::uint64_t{0},
                                          std::uint64_t{1} << 32, std::uint64_t{1} << 63}) {
            count += off;
            REQUIRE(find_wrong_counts(view, 2).has_value());
            count -= off;
          }
        }
      }
      for (std::uint32_t d = 0; d < 4; ++d) {  // all of one digit, which no difference shows
        for (QuadSuperblock& changed : superblocks)
          changed.counts[d] += 7;
        REQUIRE(find_wrong_counts(view, 2) == std::uint64_t{0});
        for (QuadSuperblock& changed : superblocks)
          changed.counts[d] -= 7;
      }
    }
  }
}

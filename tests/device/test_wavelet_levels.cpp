// The wavelet matrices that the device builds equal those of the host, to the byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/bits.hpp"
#include "kernels/arrays/rank/wavelet_levels.hpp"
#include "kernels/base/device_link.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Codes = std::vector<std::uint8_t>;

Codes random_codes(Random& random, std::uint64_t size, std::uint32_t sigma, std::uint64_t hole_in) {
  Codes codes(size);
  for (auto& code : codes) {
    code = static_cast<std::uint8_t>(below(random, sigma));
    if (hole_in > 0 && below(random, hole_in) == 0) code = QuadVector::hole;
  }
  return codes;
}

WaveletMatrix built_on_device(const Codes& codes, std::uint32_t bits) {
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  cuda::DeviceBuffer<std::uint8_t> d_codes(codes.size(), gpu.stream());
  d_codes.copy_from_async(codes.data());
  std::vector<std::uint64_t> holes;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == QuadVector::hole) holes.push_back(i);
  }
  return cuda::build_wavelet_matrix(std::move(d_codes), bits, holes, gpu.transfer(2), gpu.stream())
      .host;
}

template <class T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void check_same(const Codes& codes, std::uint32_t sigma) {
  CAPTURE(codes.size());
  CAPTURE(sigma);
  const std::uint32_t bits = bits_for(sigma - 1);
  const WaveletMatrix expected(
      codes.size(), bits,
      [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
        std::memcpy(out, codes.data() + begin, end - begin);
      },
      2);
  const WaveletMatrix built = built_on_device(codes, bits);
  REQUIRE(built.levels().size() == expected.levels().size());
  for (std::size_t k = 0; k < built.levels().size(); ++k) {
    CAPTURE(k);
    const QuadVector& level = built.levels()[k];
    const QuadVector& other = expected.levels()[k];
    REQUIRE(level.view().size == other.view().size);
    REQUIRE(level.view().base_sum == other.view().base_sum);
    REQUIRE(same_bytes(level.blocks().span(), other.blocks().span()));
    REQUIRE(same_bytes(level.superblocks().span(), other.superblocks().span()));
    REQUIRE(same_bytes(level.holes().bytes(), other.holes().bytes()));
  }
}

constexpr std::uint64_t block = QuadBlock::digits;
constexpr std::uint64_t superblock = QuadSuperblock::digits;

}  // namespace

TEST_CASE("sizes around a plane, a block, a warp's blocks and a superblock") {
  GSX_NEED_GPU();
  Random random(71);
  for (const std::uint64_t around : {std::uint64_t{2}, std::uint64_t{32}, std::uint64_t{64}, block,
                                     4 * block, 32 * block, superblock, 2 * superblock}) {
    for (const std::uint64_t size : {around - 1, around, around + 1}) {
      for (const std::uint64_t hole_in : {0u, 3u, 100u}) {
        for (const std::uint32_t sigma : {2u, 4u, 20u, 255u})
          if (full_tests() || around < superblock || sigma == 4)
            check_same(random_codes(random, size, sigma, hole_in), sigma);
      }
    }
  }
}

TEST_CASE("every alphabet") {
  GSX_NEED_GPU();
  Random random(72);
  for (std::uint32_t sigma = 1; sigma <= 255; sigma += full_tests() ? 1 : 6)
    check_same(random_codes(random, 1000 + below(random, 60000), sigma, sigma % 3 * 40), sigma);
}

TEST_CASE("a single code, consecutive holes, only holes") {
  GSX_NEED_GPU();
  for (const int code : {0, 1, 63, 64, 192, 254})
    check_same(Codes(2 * superblock + 7, static_cast<std::uint8_t>(code)), 255);
  Codes codes(superblock + 500, 200);
  std::fill(codes.begin() + superblock - 100, codes.begin() + superblock + 100, QuadVector::hole);
  codes.front() = codes.back() = QuadVector::hole;
  check_same(codes, 255);
  for (const std::uint32_t sigma : {4u, 20u, 255u})
    check_same(Codes(300, QuadVector::hole), sigma);
}

TEST_CASE("many superblocks") {
  GSX_NEED_GPU();
  Random random(73);
  for (const std::uint32_t sigma : {4u, 20u, 255u})
    check_same(random_codes(random, share_of(5'000'000, 100'000) + sigma, sigma, 300), sigma);
}

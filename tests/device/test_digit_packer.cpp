// A level of digits that comes in parts is the one that comes at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/arrays/rank/rank_blocks.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/device_link.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::cuda;
using namespace gsx::testing;

namespace {

constexpr std::uint8_t hole = 0xFF;

template <class T>
bool same_bytes(const DeviceBuffer<T>& a, const DeviceBuffer<T>& b, DeviceLink& gpu) {
  if (a.size() != b.size()) return false;
  const auto left = copy_to_host(a, "blocks", gpu.transfer(1), gpu.stream());
  const auto right = copy_to_host(b, "blocks", gpu.transfer(1), gpu.stream());
  return std::memcmp(left.data(), right.data(), left.bytes()) == 0;
}

/// Packs the codes cut at these places, the parts in any order.
RankBlocks packed_in_parts(const DeviceBuffer<std::uint8_t>& codes, std::vector<std::uint64_t> cuts,
                           const DeviceBuffer<std::uint64_t>& holes, Random& random,
                           DeviceStream stream) {
  cuts.insert(cuts.end(), {0, codes.size()});
  std::ranges::sort(cuts);
  std::vector<std::size_t> order(cuts.size() - 1);
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  DigitPacker packer(codes.size(), stream);
  for (const std::size_t i : order)
    packer.pack_async(codes.data() + cuts[i], cuts[i + 1] - cuts[i], cuts[i]);
  return packer.finish_async(holes);
}

}  // namespace

TEST_CASE("digits packed in parts are those packed at once, holes included") {
  GSX_NEED_GPU();
  Random random(66);
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  const std::uint64_t superblock = QuadSuperblock::digits;
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{31}, std::uint64_t{32},
                                   std::uint64_t{95}, std::uint64_t{96}, std::uint64_t{97},
                                   superblock - 1, superblock, superblock + 1, 3 * superblock}) {
    for (const unsigned every : {0u, 2u, 97u}) {
      CAPTURE(size);
      CAPTURE(every);
      std::vector<std::uint8_t> codes(size);
      std::vector<std::uint64_t> holes;
      for (std::uint64_t i = 0; i < size; ++i) {
        codes[i] = static_cast<std::uint8_t>(below(random, 4));
        if (every == 0 || below(random, every) != 0) continue;
        codes[i] = hole;
        holes.push_back(i);
      }
      std::shuffle(holes.begin(), holes.end(), random);
      std::vector<std::uint64_t> cuts;
      for (int k = 0; k < 5; ++k)
        cuts.push_back(below(random, size + 1));
      cuts.push_back(std::min<std::uint64_t>(size, 96));
      cuts.push_back(cuts.back());  // a part without digits
      const auto d_codes = copy_to_device(codes.data(), size, gpu.transfer(1), gpu.stream());
      const auto d_holes =
          copy_to_device(holes.data(), holes.size(), gpu.transfer(1), gpu.stream());
      const RankBlocks whole = build_rank_blocks_async(d_codes.data(), size, 0, gpu.stream());
      const RankBlocks parts = packed_in_parts(d_codes, cuts, d_holes, random, gpu.stream());
      CHECK(same_bytes(parts.blocks, whole.blocks, gpu));
      CHECK(same_bytes(parts.counts, whole.counts, gpu));
    }
  }
}

#include "index/store/checksum.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/store/format.hpp"

namespace gsx {

std::uint64_t checksum(std::span<const std::uint8_t> bytes, int threads) {
  std::vector<std::uint64_t> pieces(divide_up(bytes.size(), checksum_piece));
  parallel_for(threads, pieces.size(), [&](std::uint64_t i, int) {
    const std::size_t begin = i * checksum_piece;
    pieces[i] = XXH3_64bits(bytes.data() + begin, std::min(checksum_piece, bytes.size() - begin));
  });
  return XXH3_64bits(pieces.data(), pieces.size() * sizeof(std::uint64_t));
}

std::uint64_t header_checksum(std::span<const std::uint8_t> header) {
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  std::memset(bytes.data() + offsetof(IndexHeader, checksum), 0, sizeof IndexHeader::checksum);
  return checksum(bytes, 1);
}

}  // namespace gsx

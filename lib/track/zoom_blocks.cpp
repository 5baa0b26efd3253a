#include "track/zoom_blocks.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "track/bigwig_format.hpp"

namespace gsx {
namespace {

constexpr std::size_t blocks_per_thread = 16;

/// A sum as the file has it: the nearest float, and the largest one for a sum beyond it, since
/// readers could not scale an infinite sum.
float stored_sum(double sum) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(sum, -most, most));
}

void append_block(std::string& raw, std::span<const ZoomRecord> zooms) {
  for (const ZoomRecord& zoom : zooms) {
    for (const std::uint32_t word : {zoom.id, zoom.begin, zoom.end, zoom.covered})
      bigwig::put(raw, word);
    for (const float value :
         {zoom.least, zoom.most, stored_sum(zoom.sum), stored_sum(zoom.squares)})
      bigwig::put(raw, value);
  }
}

}  // namespace

ZoomBlockWriter::ZoomBlockWriter(Output& output, int threads)
    : output_(output),
      most_(static_cast<std::size_t>(threads) * blocks_per_thread * bigwig::block_zooms) {
  for (int thread = 0; thread < threads; ++thread)
    deflaters_.push_back(std::make_unique<BlockDeflater>());
}

void ZoomBlockWriter::write_held() {
  const std::uint64_t count = divide_up(held_.size(), bigwig::block_zooms);
  if (blocks_.size() < count) blocks_.resize(count);
  const auto zooms_of = [&](std::uint64_t block) {
    const std::size_t first = block * bigwig::block_zooms;
    return std::span(held_).subspan(first, std::min(bigwig::block_zooms, held_.size() - first));
  };
  parallel_for(static_cast<int>(deflaters_.size()), count, [&](std::uint64_t block, int thread) {
    std::string raw;
    append_block(raw, zooms_of(block));
    blocks_[block].clear();
    deflaters_[static_cast<std::size_t>(thread)]->deflate(raw, blocks_[block]);
  });
  for (std::uint64_t block = 0; block < count; ++block) {
    const auto zooms = zooms_of(block);
    const ZoomRecord &first = zooms.front(), &last = zooms.back();
    ranges_.push_back({first.id, first.begin, last.id, last.end, output_.offset(),
                       static_cast<std::uint32_t>(blocks_[block].size())});
    output_.write(blocks_[block]);
    most_block_bytes_ = std::max<std::uint64_t>(most_block_bytes_, zooms.size() * 32);
  }
  count_ += held_.size();
  held_.clear();
}

}  // namespace gsx

#include "output/tracks/zoom_blocks.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "base/parallel.hpp"
#include "output/tracks/bigwig_format.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t blocks_per_thread = 32;

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

ZoomBlockWriter::ZoomBlockWriter(Output& output, int threads) : output_(output) {
  for (int thread = 0; thread < threads; ++thread)
    deflaters_.push_back(std::make_unique<BlockDeflater>());
}

std::uint64_t ZoomBlockWriter::zooms_at_once(int threads) {
  return static_cast<std::uint64_t>(threads) * blocks_per_thread * bigwig::block_zooms;
}

void ZoomBlockWriter::add(std::span<const ZoomRecord> zooms) {
  count_ += zooms.size();
  const std::uint64_t all = held_.size() + zooms.size();
  encode_all(zooms, all / bigwig::block_zooms);
}

void ZoomBlockWriter::finish() {
  encode_all({}, held_.empty() ? 0 : 1);
  write_made();
}

/// Encodes so many blocks of what is held and of more records, and holds the rest of these.
void ZoomBlockWriter::encode_all(std::span<const ZoomRecord> zooms, std::uint64_t blocks) {
  constexpr std::uint64_t size = bigwig::block_zooms;
  const std::uint64_t fill = std::min<std::uint64_t>(size - held_.size(), zooms.size());
  held_.insert(held_.end(), zooms.begin(), zooms.begin() + static_cast<std::ptrdiff_t>(fill));
  if (blocks == 0) return;
  zooms = zooms.subspan(fill);
  if (next_.size() < blocks) next_.resize(blocks);
  parallel_for(
      static_cast<int>(deflaters_.size()), 1 + blocks, [&](std::uint64_t task, int thread) {
        if (task == 0) return write_made();
        const std::uint64_t block = task - 1;
        const std::span<const ZoomRecord> some = block == 0
                                                     ? std::span<const ZoomRecord>(held_)
                                                     : zooms.subspan((block - 1) * size, size);
        encode(some, thread, next_[block]);
      });
  zooms = zooms.subspan((blocks - 1) * size);
  held_.assign(zooms.begin(), zooms.end());
  std::swap(made_, next_);
  made_count_ = blocks;
}

void ZoomBlockWriter::encode(std::span<const ZoomRecord> zooms, int thread, Block& block) const {
  std::string raw;
  append_block(raw, zooms);
  block.bytes.clear();
  deflaters_[static_cast<std::size_t>(thread)]->deflate(raw, block.bytes);
  const ZoomRecord &first = zooms.front(), &last = zooms.back();
  block.raw_bytes = raw.size();
  block.range = {first.id, first.begin, last.id,
                 last.end, 0,           static_cast<std::uint32_t>(block.bytes.size())};
}

void ZoomBlockWriter::write_made() {
  for (std::uint64_t i = 0; i < made_count_; ++i) {
    IndexedBlock range = made_[i].range;
    most_block_bytes_ = std::max(most_block_bytes_, made_[i].raw_bytes);
    range.offset = output_.offset();
    ranges_.push_back(range);
    output_.write(made_[i].bytes);
  }
  made_count_ = 0;
}

}  // namespace gsx

// Blocks of zoom records in a bigWig file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bytes/output.hpp"
#include "output/tracks/block_deflater.hpp"
#include "output/tracks/range_index.hpp"
#include "output/tracks/zoom_records.hpp"

namespace gsx {

/// Writes zoom records of one level in blocks of 1024, each compressed; those of several records
/// may be in one block. Encodes blocks on all threads, while those of the call before are written.
class ZoomBlockWriter {
 public:
  ZoomBlockWriter(Output& output, int threads);

  /// Blocks are encoded on all threads if so many are added at a time.
  static std::uint64_t zooms_at_once(int threads);
  void add(std::span<const ZoomRecord> zooms);
  /// Writes the rest.
  void finish();
  std::uint64_t count() const { return count_; }
  const std::vector<IndexedBlock>& ranges() const { return ranges_; }
  /// Of a block before compression.
  std::uint64_t most_block_bytes() const { return most_block_bytes_; }

 private:
  struct Block {
    std::string bytes;
    std::uint64_t raw_bytes = 0;  ///< before compression
    IndexedBlock range;           ///< but for its place in the file
  };

  void encode(std::span<const ZoomRecord> zooms, int thread, Block& block) const;
  void encode_all(std::span<const ZoomRecord> zooms, std::uint64_t blocks);
  void write_made();

  Output& output_;
  std::vector<std::unique_ptr<BlockDeflater>> deflaters_;  ///< of each thread
  std::vector<ZoomRecord> held_;                           ///< of a block that is not full
  std::vector<Block> made_, next_;  ///< those to be written, and those at work
  std::uint64_t made_count_ = 0;
  std::vector<IndexedBlock> ranges_;
  std::uint64_t count_ = 0;
  std::uint64_t most_block_bytes_ = 0;
};

}  // namespace gsx

// Blocks of zoom records in a bigWig file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/output.hpp"
#include "track/block_deflater.hpp"
#include "track/range_index.hpp"
#include "track/zoom_records.hpp"

namespace gsx {

/// Writes zoom records of one level in blocks of 1024, each compressed; those of several records
/// may be in one block. Encodes some blocks at a time on all threads.
class ZoomBlockWriter {
 public:
  ZoomBlockWriter(Output& output, int threads);

  void add(const ZoomRecord& zoom) {
    held_.push_back(zoom);
    if (held_.size() == most_) write_held();
  }
  /// Writes the rest.
  void finish() { write_held(); }
  std::uint64_t count() const { return count_; }
  const std::vector<IndexedBlock>& ranges() const { return ranges_; }
  /// Of a block before compression.
  std::uint64_t most_block_bytes() const { return most_block_bytes_; }

 private:
  void write_held();

  Output& output_;
  std::vector<std::unique_ptr<BlockDeflater>> deflaters_;  ///< of each thread
  std::size_t most_;
  std::vector<ZoomRecord> held_;
  std::vector<std::string> blocks_;  ///< made of what is held
  std::vector<IndexedBlock> ranges_;
  std::uint64_t count_ = 0;
  std::uint64_t most_block_bytes_ = 0;
};

}  // namespace gsx

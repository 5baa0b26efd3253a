// Writes a track as a bigWig file.
#pragma once

#include <cstdint>
#include <vector>

#include "bytes/output.hpp"
#include "bytes/scratch_file.hpp"
#include "output/tracks/range_index.hpp"
#include "output/tracks/track_writer.hpp"

namespace gsx {

/// Throws UsageError unless the output is a plain file: the header of bigWig is written last.
void require_replaceable(const Output& output);

/// Writes a bigWig file (bigwig_format.hpp). Records have ids in their order, without those of
/// length 0, which are left out. An interval of the file is a run; counts become floats, which are
/// exact up to 2^24.
/// Memory: 32 bytes per section (of 4096 runs of one record, at most), and 64 MB of zoom records
/// per level at work; more of them go to an unnamed scratch file, of at most 4 bytes per run,
/// plus 50 MB for 3.1 Gbp; there are two at a time.
class BigWigWriter final : public TrackWriter {
 public:
  /// The output must outlive the writer. Throws as require_replaceable() does.
  BigWigWriter(Output& output, ScratchPlace scratch);

  /// Throws as require_bigwig() does.
  void begin(std::span<const TrackRecord> records, TrackKind kind) override;
  std::unique_ptr<TrackEncoder> make_encoder() const override;
  void write(const EncodedSections& encoded) override;
  void finish(int threads) override;

 private:
  struct Summary {
    std::uint64_t covered = 0;
    double least = 0;
    double most = 0;
    double sum = 0;
    double squares = 0;
    void add(const ZoomRecord& total);
  };
  struct ZoomLevel {
    std::uint32_t reduction;
    std::uint64_t data_offset;
    std::uint64_t index_offset;
  };

  void write_zooms(int threads);
  std::uint64_t write_zoom_level(const ZoomSpool& from, ZoomSpool& next, std::uint32_t shift,
                                 int threads);
  void write_header();

  Output& output_;
  ScratchPlace scratch_;
  TrackKind kind_ = TrackKind::real;
  std::vector<std::uint32_t> ids_;  ///< of each record, or no_id
  Summary summary_;
  std::uint64_t most_block_bytes_ = 0;  ///< before compression
  std::vector<IndexedBlock> sections_;
  std::uint64_t data_offset_ = 0;
  std::uint64_t index_offset_ = 0;
  ZoomSpool zooms_;
  std::uint32_t zoom_shift_ = 0;  ///< of what is in zooms_; the longest
  std::uint64_t runs_ = 0;
  std::uint64_t extent_ = 0;
  std::vector<ZoomLevel> levels_;
};

}  // namespace gsx

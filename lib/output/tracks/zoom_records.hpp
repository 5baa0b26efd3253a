// Statistics of the values of a track, at several resolutions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bytes/scratch_file.hpp"

namespace gsx {

/// Statistics of the positions of a record that have values, inside [begin, end), which starts and
/// ends with such positions.
struct ZoomRecord {
  std::uint32_t id;  ///< of the record
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t covered;  ///< positions that have values
  float least;
  float most;
  double sum;      ///< of the values of these positions
  double squares;  ///< of the squares of them

  /// Adds positions of the same record that lie behind those of this.
  void add(const ZoomRecord& next);
};
static_assert(sizeof(ZoomRecord) == 40);

/// The statistics of positions [begin, end), which all have one value.
ZoomRecord zoom_of(std::uint32_t id, std::uint32_t begin, std::uint32_t end, float value);

/// A bin is positions [i << shift, (i + 1) << shift) of a record; no zoom record spans two. The
/// resolutions are powers of 4, so that bins of one nest in those of the next. Below 64 positions,
/// a browser reads the values themselves just as fast.
inline constexpr std::uint32_t least_zoom_shift = 6;
inline constexpr std::uint32_t most_zoom_shift = 30;
inline constexpr std::uint32_t zoom_shift_step = 2;

/// The shift of the first resolution for so many runs that extend over so many positions: bins of
/// 10 times the mean distance of runs, or longer. Then bins are at most a tenth of the runs.
std::uint32_t zoom_shift_for(std::uint64_t runs, std::uint64_t extent);
/// The shift at which to collect zoom records, if so much has come of a track. It may be below that
/// of zoom_shift_for() as long as there are few bins, because more runs to come may be denser.
std::uint32_t collected_zoom_shift(std::uint64_t runs, std::uint64_t extent);

/// Runs of one record, in order: run i has value[i] at [begin[i], end[i]).
struct RunColumns {
  std::span<const std::uint32_t> begin;
  std::span<const std::uint32_t> end;
  std::span<const float> value;
};

/// Appends the zoom record of each bin in which runs lie. Cost: 1.5 ns per run.
void append_bins(std::vector<ZoomRecord>& zooms, std::uint32_t shift, std::uint32_t id,
                 const RunColumns& runs);

/// Zoom records in order, which are put into memory and, when there are many, into a scratch file.
class ZoomSpool {
 public:
  /// Records that are held in memory: 64 MB.
  static constexpr std::size_t most_held = (std::size_t{64} << 20) / sizeof(ZoomRecord);

  explicit ZoomSpool(ScratchPlace place, std::size_t most = most_held)
      : most_(most), file_(std::make_unique<ScratchFile>(std::move(place))) {}

  /// Throws as ScratchFile does.
  void add(std::span<const ZoomRecord> zooms);
  std::uint64_t count() const { return spilled_ + held_.size(); }
  /// Copies records from number `first` on, in the order in which they came. Several threads may.
  void read(std::uint64_t first, std::span<ZoomRecord> to) const;
  bool is_spilled() const { return spilled_ > 0; }

 private:
  void spill();

  std::size_t most_;
  std::vector<ZoomRecord> held_;
  std::uint64_t spilled_ = 0;  ///< records in the file
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace gsx

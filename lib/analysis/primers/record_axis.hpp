// Records laid end to end, with what is kept out of the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "text/text.hpp"
#include "text/text_regions.hpp"

namespace gsx {

/// Numbers the symbols of all records in order, gaps included, so that places in one record are as
/// far apart as in the record. A circular record has its numbers twice, for what goes on behind its
/// origin. Memory: 8 bytes per record.
class RecordAxis {
 public:
  /// `circular` are the numbers of circular records, ascending. Refers to the regions, if given.
  explicit RecordAxis(const RecordsView& records, std::span<const std::uint64_t> circular = {},
                      const TextRegions* regions = nullptr)
      : circular_(circular.empty() ? 0 : records.size(), false), regions_(regions) {
    for (const std::uint64_t record : circular)
      circular_[record] = true;
    begins_.reserve(records.size() + 1);
    begins_.push_back(0);
    for (std::uint64_t record = 0; record < records.size(); ++record)
      begins_.push_back(begins_.back() + records.infos[record].length * turns_of(record));
  }
  std::uint64_t begin_of(std::uint64_t record) const { return begins_[record]; }
  bool is_circular(std::uint64_t record) const { return turns_of(record) == 2; }
  std::uint64_t length_of(std::uint64_t record) const {
    return (begins_[record + 1] - begins_[record]) / turns_of(record);
  }
  /// Where the longest product ends that starts at `at`, of `most` symbols at most: within the
  /// record, or once round the circle, and within the region. Pre: `at` is in the first turn.
  std::uint64_t last_end(std::uint64_t record, std::uint64_t at, std::uint64_t most) const {
    std::uint64_t room = is_circular(record) ? length_of(record) : begins_[record + 1] - at;
    if (regions_ != nullptr) {
      const std::uint64_t begin = at - begins_[record];
      room = std::min(room, regions_->end_from(record, begin) - begin);
    }
    return at + std::min(most, room);
  }
  /// The record of a symbol, given one that is not behind it. Pre: there is one.
  std::uint64_t record_from(std::uint64_t record, std::uint64_t at) const {
    if (at < begins_[record + 1]) return record;
    const auto from = begins_.begin() + static_cast<std::ptrdiff_t>(record);
    return static_cast<std::uint64_t>(std::upper_bound(from, begins_.end(), at) - begins_.begin()) -
           1;
  }

 private:
  std::uint64_t turns_of(std::uint64_t record) const {
    return !circular_.empty() && circular_[record] ? 2 : 1;
  }

  std::vector<bool> circular_;  ///< by record; empty if none is
  std::vector<std::uint64_t> begins_;
  const TextRegions* regions_;  ///< none: everywhere
};

}  // namespace gsx

// Records laid end to end, with what is kept out of the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Numbers the symbols of all records in order, gaps included, so that places in one record are as
/// far apart as in the record. Memory: 8 bytes per record.
class RecordAxis {
 public:
  explicit RecordAxis(const RecordsView& records) {
    begins_.reserve(records.size() + 1);
    begins_.push_back(0);
    for (const RecordInfo& info : records.infos)
      begins_.push_back(begins_.back() + info.length);
  }
  std::uint64_t begin_of(std::uint64_t record) const { return begins_[record]; }
  std::uint64_t end_of(std::uint64_t record) const { return begins_[record + 1]; }
  /// The record of a symbol, given one that is not behind it. Pre: there is one.
  std::uint64_t record_from(std::uint64_t record, std::uint64_t at) const {
    if (at < begins_[record + 1]) return record;
    const auto from = begins_.begin() + static_cast<std::ptrdiff_t>(record);
    return static_cast<std::uint64_t>(std::upper_bound(from, begins_.end(), at) - begins_.begin()) -
           1;
  }

 private:
  std::vector<std::uint64_t> begins_;
};

}  // namespace gsx

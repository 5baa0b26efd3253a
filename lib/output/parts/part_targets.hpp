// The records and files of all shards whose parts are read, as those of one index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Where the shard of a part begins among all.
struct PartBegins {
  std::uint64_t text = 0;
  std::uint64_t record = 0;
  std::uint64_t file = 0;
};

/// Built record by record. Memory: that of the tables of an index in shards.
class PartTargets {
 public:
  /// Begins a shard; what is added belongs to it.
  PartBegins begin_shard();
  /// Adds a file of the shard with so many records. One that the shard before ends with goes on.
  void add_file(std::string_view name, std::uint64_t records);
  void add_record(std::string_view name, std::uint64_t length, bool circular);
  /// Adds a segment of the last record.
  void add_segment(std::uint64_t offset, std::uint64_t length);
  /// Ends the tables; the views come after it.
  void finish();

  std::uint64_t text_length() const { return text_; }
  std::uint64_t records_added() const { return infos_.size(); }
  std::uint64_t files_added() const { return files_.name_ends.size(); }
  RecordsView records() const;
  SegmentsView segments() const { return segments_.view(); }
  const std::vector<std::uint64_t>& circular() const { return circular_; }

 private:
  std::vector<RecordInfo> infos_;
  std::vector<std::uint64_t> starts_;  ///< of segments, in the text
  std::vector<std::uint64_t> segment_offsets_;
  std::vector<std::uint64_t> segment_records_;
  std::string names_;
  std::vector<std::uint64_t> name_ends_;
  std::vector<std::uint64_t> comment_ends_;
  SourceFiles files_;
  std::vector<std::uint64_t> circular_;
  std::uint64_t text_ = 0;
  bool first_file_ = false;  ///< whether the next file is the first of its shard
  Segments segments_;
};

}  // namespace gsx

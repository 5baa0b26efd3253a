// Reads partial results; part_format.hpp says how they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output/parts/part_bytes.hpp"
#include "output/parts/part_format.hpp"
#include "output/summary/run_summary.hpp"
#include "search/exact/hits.hpp"
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

struct PartQuery {
  std::string name;
  std::uint64_t length = 0;
  std::uint32_t symbols = 0;  ///< their checksum
  StrandCounts total;         ///< of a part with hits
};

/// How often a query occurs in a place: with so many mismatches, in a record, or in a file.
struct PlaceCount {
  std::uint64_t place = 0;
  StrandCounts counts;
};

/// Reads a part from beginning to end, trusting no byte. Holds a frame, and the mismatches of a
/// hit. Throws InputError, as PartBytes does.
class PartReader {
 public:
  /// Reads what is before the queries, and adds the index to `targets`: numbers of places and
  /// positions are then those among all shards. `targets` must outlive it.
  PartReader(PartSource source, PartTargets& targets);

  const std::string& label() const { return bytes_.label(); }
  [[noreturn]] void fail(const std::string& what) const { bytes_.fail(what); }
  /// The run, without figures.
  const RunSummary& run() const { return run_; }
  PartContent content() const { return content_; }
  /// Records of the index that --circular names.
  const std::vector<std::string>& circular_names() const { return circular_names_; }
  /// Regions of -R that are of records of the index.
  const PartRegions& regions() const { return regions_; }
  /// Input files of the index that results name.
  std::uint64_t files() const { return files_; }

  /// Takes the next query; false at the end, when the file is known to be whole. Pre: all that was
  /// found of the query before has been taken.
  bool next(PartQuery& query);
  /// Takes the next count of the query; false if there is none.
  bool next_count(PlaceCount& count);
  /// Hits of the query that were reported and are not yet taken.
  std::uint64_t hits_left() const { return hits_left_; }
  /// Takes the next of them. Its mismatches are those of mismatches().
  Hit next_hit();
  const std::vector<std::uint64_t>& mismatches() const { return mismatches_; }
  /// Whether the last hit spans an origin.
  bool spans_origin() const { return spans_origin_; }

  /// The run with its figures. Pre: next() has returned false.
  const RunSummary& summary() const { return *summary_; }

 private:
  void read_files();
  void read_records();
  void read_segments(std::uint64_t length);
  void require_place(std::uint64_t position);

  PartBytes bytes_;
  PartTargets& targets_;
  RunSummary run_;
  PartContent content_ = PartContent::counts;
  PartBegins begins_;
  std::uint64_t text_length_ = 0, records_ = 0, files_ = 0;
  std::uint64_t max_hits_ = unlimited;
  std::optional<RunSummary> summary_;
  std::vector<std::string> circular_names_;
  PartRegions regions_;

  std::uint64_t query_length_ = 0;
  std::uint64_t previous_ = 0;  ///< position in the shard, or place
  bool previous_reverse_ = false;
  bool first_ = true;  ///< whether neither a count nor a hit of the query was taken
  std::uint64_t hits_left_ = 0;
  StrandCounts strand_left_;                            ///< hits that the query may still have
  std::uint64_t segment_begin_ = 0, segment_size_ = 0;  ///< of the last hit, in the text of all
  bool spans_origin_ = false;
  std::vector<std::uint64_t> mismatches_;
};

}  // namespace gsx

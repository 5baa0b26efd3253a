// The coverage of hits: how many hits lie over each position, as bedGraph and bigWig.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bytes/output.hpp"
#include "index/store/index.hpp"
#include "output/tracks/track_records.hpp"
#include "process/session.hpp"
#include "run/hit_depths.hpp"
#include "run/query_tasks.hpp"

namespace gsx::app {

class CoverageOutput {
 public:
  /// `as_text`: the main output of the run is bedGraph. `bigwig` is "" if there is no such file.
  /// Throws UsageError for a name that is none of a bigWig file.
  CoverageOutput(bool as_text, std::string bigwig);

  /// The memory that counting takes, and writing on one thread.
  std::uint64_t bytes(const Index& index) const;
  /// Takes the output of the bigWig file; it is null if there is none.
  void take(Output* bigwig) { bigwig_ = bigwig; }
  /// Begins to count. Throws InputError for records that bigWig cannot hold, and UsageError for an
  /// output that cannot be.
  void start(const QueryTargets& targets);
  /// What counts the hits. Pre: start() was called.
  HitDepths* depths() { return &*depths_; }
  /// Writes what was counted; text goes to `out`. Only a run that has not failed may call it:
  /// depths of a part of the queries are not those of any input. `limit`: bytes that the run may
  /// allocate.
  void write(Output& out, std::uint64_t limit, Session& session);

 private:
  bool as_text_;
  std::string bigwig_name_;
  Output* bigwig_ = nullptr;
  std::vector<TrackRecord> records_;
  std::optional<HitDepths> depths_;
};

}  // namespace gsx::app

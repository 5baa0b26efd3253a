// What a thread does with a batch of queries whose matching statistics are sought.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bytes/output.hpp"
#include "output/lines/length_report.hpp"
#include "run/pipeline.hpp"
#include "run/query_search.hpp"
#include "run/query_tasks.hpp"
#include "search/matches/matches.hpp"

namespace gsx {

/// What is measured, and how it is written.
struct LengthRules {
  Strands strands = Strands::both;
  bool ending = false;  ///< lengths of the matches that end with a position; else that start there
  LengthFormat format = LengthFormat::text;
};

/// The header of the lines of LengthSides::add_offsets().
inline constexpr const char* offsets_header = "query_id\toffset\tlength\n";

/// What a run writes beside lengths. The outputs must outlive it; null if they are not wanted.
class LengthSides {
 public:
  LengthSides(Output* offsets, Output* places) : offsets_(offsets), places_(places) {}

  bool wants_offsets() const { return offsets_ != nullptr; }
  bool wants_places() const { return places_ != nullptr; }
  /// A query: its name as a column, and its length.
  struct Query {
    std::string name;
    std::uint64_t length;
  };
  /// Writes a line for each query: its name, the number of lengths before its own, and its length.
  /// Calls must come in input order.
  void add_offsets(const std::vector<Query>& queries);
  /// Writes places; the same.
  void add_places(std::string_view places) { places_->write(places); }

 private:
  Output* offsets_;
  Output* places_;
  std::uint64_t before_ = 0;  ///< lengths of earlier queries
};

/// Writes the lengths of each query, and what `sides` wants. `run` says what to tally: queries with
/// a match, and positions with one. `sides` must outlive the task. Pre: the run has a searcher of
/// maximal matches.
std::unique_ptr<QueryTask> make_length_task(const QueryRun& run, const QueryTargets& targets,
                                            const LengthRules& rules, LengthSides& sides);

}  // namespace gsx

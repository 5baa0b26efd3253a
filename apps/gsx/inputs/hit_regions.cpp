#include "inputs/hit_regions.hpp"

#include <CLI/App.hpp>
#include <algorithm>

#include "base/log.hpp"
#include "inputs/region_resolver.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

void add_regions_option(CLI::App& command, std::string& file, const std::string& hits) {
  add_path(command, "-R,--regions", file,
           "Keep only the " + hits +
               " that lie wholly within one region of FILE; all numbers are of these. A region per "
               "line, as BED or as NAME:BEGIN-END, which counts from 1 and includes END; - reads "
               "standard input. Regions that overlap or touch count as one, and their strand does "
               "not matter")
      ->group("Search");
}

std::vector<RecordRange> read_regions(const std::string& file, const RecordsView& records,
                                      std::uint64_t limit,
                                      const std::function<void(std::uint64_t bytes)>& require,
                                      bool in_shard) {
  // Requests take several times their bytes while they are looked up.
  constexpr std::uint64_t request_share = 64, least_requests = std::uint64_t{1} << 16;
  RegionFile lines(file, std::min<std::uint64_t>(RegionFile::usual_bytes,
                                                 std::max(limit / request_share, least_requests)));
  ViewedRecords viewed(records);
  const Alphabet any = Alphabet::dna();  // either strand may be named
  RegionResolver resolver(viewed, any, {.in_shard = in_shard});
  std::vector<RegionRequest> requests;
  std::vector<RecordRange> ranges;
  const auto add = [&](const Piece& piece) {
    if (ranges.size() == ranges.capacity()) {
      const std::size_t more = std::max<std::size_t>(1024, 2 * ranges.size());
      require((ranges.size() + more) * sizeof(RecordRange));
      ranges.reserve(more);
    }
    ranges.push_back({piece.record, piece.begin, piece.end});
  };
  while (lines.next(requests)) {
    resolver.resolve(
        requests, [&](std::uint64_t line) { return lines.place(line) + ": "; }, add);
  }
  if (ranges.empty() && !in_shard) log().warn("{} has no regions", lines.name());
  resolver.log_changed();
  return ranges;
}

}  // namespace gsx::app

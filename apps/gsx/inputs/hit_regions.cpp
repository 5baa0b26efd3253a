#include "inputs/hit_regions.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "base/log.hpp"
#include "index/store/checksum.hpp"
#include "inputs/region_resolver.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

void add_regions_option(CLI::App& command, std::string& file, const std::string& hits) {
  add_path(command, "-R,--regions", file,
           "Keep only the " + hits +
               " that lie wholly within one region of FILE (BED, or NAME:BEGIN-END from 1), where "
               "regions that overlap or touch are one. All numbers are of these; - reads standard "
               "input, and the strand of a region does not matter")
      ->group("Search");
}

namespace {

/// A checksum of what a region says, to add up.
std::uint64_t checksum_of(const RegionRequest& request) {
  const std::string said =
      request.bed ? fmt::format("{}\t{}\t{}", request.text, request.bounds.begin.value_or(0),
                                request.bounds.end.value_or(0))
                  : request.text;
  return checksum({reinterpret_cast<const std::uint8_t*>(said.data()), said.size()}, 1);
}

}  // namespace

ReadRegions read_regions(const std::string& file, const RecordsView& records, std::uint64_t limit,
                         const std::function<void(std::uint64_t bytes)>& require, bool in_shard) {
  // Requests take several times their bytes while they are looked up.
  constexpr std::uint64_t request_share = 64, least_requests = std::uint64_t{1} << 16;
  RegionFile lines(file, std::min<std::uint64_t>(RegionFile::usual_bytes,
                                                 std::max(limit / request_share, least_requests)));
  ViewedRecords viewed(records);
  const Alphabet any = Alphabet::dna();  // either strand may be named
  RegionResolver resolver(viewed, any, {.in_shard = in_shard});
  std::vector<RegionRequest> requests;
  ReadRegions read;
  std::uint64_t sum = 0;
  const auto add = [&](const Piece& piece) {
    if (read.ranges.size() == read.ranges.capacity()) {
      const std::size_t more = std::max<std::size_t>(1024, 2 * read.ranges.size());
      require((read.ranges.size() + more) * sizeof(RecordRange));
      read.ranges.reserve(more);
    }
    read.ranges.push_back({piece.record, piece.begin, piece.end});
  };
  while (lines.next(requests)) {
    resolver.resolve(
        requests, [&](std::uint64_t line) { return lines.place(line) + ": "; }, add);
    for (const RegionRequest& request : requests)
      sum += checksum_of(request);
    for (const std::size_t absent : resolver.absent())
      read.checksum_of_ranges -= checksum_of(requests[absent]);
    read.number += requests.size();
  }
  if (read.number == 0) log().warn("{} has no regions", lines.name());
  resolver.log_changed();
  read.checksum_of_ranges += sum;
  read.checksum = fmt::format("{:016x}", sum);
  return read;
}

}  // namespace gsx::app

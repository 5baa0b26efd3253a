// -R: the regions whose hits are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "text/region.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// Adds -R to the group Search; `hits` are what must lie within a region, for its help.
void add_regions_option(CLI::App& command, std::string& file, const std::string& hits);

/// Regions as they were read.
struct ReadRegions {
  std::vector<RecordRange> ranges;
  std::uint64_t number = 0;              ///< of regions, also of records that are not there
  std::string checksum;                  ///< of what they say, in any order
  std::uint64_t checksum_of_ranges = 0;  ///< of those regions that are in `ranges`
};

/// The regions of a file, which is read in parts of at most `limit` / 64 bytes. Asks `require`,
/// which may throw, for the bytes that they take as they become more. Throws as RegionFile and
/// RegionResolver do; but a shard whose partial result is made may lack the record of a region.
ReadRegions read_regions(const std::string& file, const RecordsView& records, std::uint64_t limit,
                         const std::function<void(std::uint64_t bytes)>& require,
                         bool in_shard = false);

}  // namespace gsx::app

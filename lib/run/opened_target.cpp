#include "run/opened_target.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace gsx {
namespace {

void require_record(std::uint64_t record, const RecordsView& records) {
  if (record < records.size()) return;
  throw UsageError("there is no record " + std::to_string(record) + ": there are " +
                   std::to_string(records.size()) + ", counted from 0");
}

}  // namespace

std::vector<std::uint64_t> circular_records(const SearchOptions& options, const Target& target) {
  std::vector<std::uint64_t> records = options.circular;
  if (records.empty()) return records;
  if (target.alphabet().policy() != SymbolPolicy::dna) {
    throw UsageError("circular records need DNA; these are of " +
                     std::string(name_of(target.alphabet().policy())));
  }
  for (const std::uint64_t record : records)
    require_record(record, target.records());
  std::ranges::sort(records);
  records.erase(std::unique(records.begin(), records.end()), records.end());
  return records;
}

std::optional<TextRegions> regions_of(const SearchOptions& options, const Target& target) {
  if (!options.regions) return {};
  const RecordsView records = target.records();
  std::vector<RecordRange> ranges;
  for (RecordRange range : *options.regions) {
    require_record(range.record, records);
    if (range.begin > range.end) {
      throw UsageError("a region begins at " + std::to_string(range.begin) +
                       ", behind its end, which is " + std::to_string(range.end));
    }
    range.end = std::min(range.end, records.infos[range.record].length);
    if (range.begin < range.end) ranges.push_back(range);
  }
  return TextRegions(target.segments(), records, std::move(ranges));
}

}  // namespace gsx

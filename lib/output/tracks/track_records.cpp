#include "output/tracks/track_records.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

constexpr const char* cure = "; write bedGraph or TSV instead, or change the record";

std::string described(std::span<const TrackRecord> records, std::uint64_t record) {
  return "record " + std::to_string(record + 1) + " ('" + shown_name(records[record].name) + "')";
}

/// What is wrong with a record alone; empty if nothing is.
std::string fault_of(const TrackRecord& record) {
  if (record.length >> 32 != 0)
    return "has " + std::to_string(record.length) +
           " positions, and bigWig holds fewer than 2^32 per record";
  if (record.name.empty()) return "has no name, and bigWig finds records by name";
  if (record.name.size() > most_bigwig_name)
    return "has a name of more than " + std::to_string(most_bigwig_name) +
           " bytes, which readers of bigWig do not expect";
  if (record.name.find('\0') != std::string_view::npos)
    return "has a NUL byte in its name, which ends a name in bigWig";
  return {};
}

/// A record, and the first bytes of its name behind what all names begin with: sorting looks at few
/// of the names, which lie all over the memory.
struct NameKey {
  std::uint64_t first;
  std::uint64_t record;
};

/// How many bytes all names of records that have positions begin with.
std::size_t common_start(std::span<const TrackRecord> records) {
  const TrackRecord* one = nullptr;
  std::size_t common = 0;
  for (const TrackRecord& record : records) {
    if (record.length == 0) continue;
    if (one == nullptr) common = record.name.size();
    if (one == nullptr) one = &record;
    const std::string_view start = one->name.substr(0, common);
    common =
        static_cast<std::size_t>(std::ranges::mismatch(start, record.name).in1 - start.begin());
  }
  return common;
}

/// The first 8 bytes, which compare as numbers as they do as bytes.
std::uint64_t first_bytes(std::string_view name) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < sizeof bytes; ++i)
    bytes = bytes << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  return bytes;
}

}  // namespace

std::vector<TrackRecord> track_records(const RecordsView& records) {
  std::vector<TrackRecord> all;
  all.reserve(records.size());
  for (std::uint64_t record = 0; record < records.size(); ++record)
    all.push_back({records.name(record), records.infos[record].length});
  return all;
}

std::vector<std::uint64_t> sorted_by_name(std::span<const TrackRecord> records) {
  const std::size_t common = common_start(records);
  std::vector<NameKey> keys;
  for (std::uint64_t record = 0; record < records.size(); ++record) {
    if (records[record].length > 0)
      keys.push_back({first_bytes(records[record].name.substr(common)), record});
  }
  std::ranges::sort(keys, [&](const NameKey& a, const NameKey& b) {
    if (a.first != b.first) return a.first < b.first;
    const int less = records[a.record].name.compare(records[b.record].name);
    return less != 0 ? less < 0 : a.record < b.record;
  });
  std::vector<std::uint64_t> order;
  order.reserve(keys.size());
  for (const NameKey& key : keys)
    order.push_back(key.record);
  return order;
}

std::optional<SharedName> find_shared_name(std::span<const TrackRecord> records) {
  const std::vector<std::uint64_t> order = sorted_by_name(records);
  std::optional<SharedName> found;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const bool is_earlier = !found || order[i] < found->second;
    if (is_earlier && records[order[i - 1]].name == records[order[i]].name)
      found = {order[i - 1], order[i]};
  }
  return found;
}

void require_bigwig(std::span<const TrackRecord> records) {
  for (std::uint64_t record = 0; record < records.size(); ++record) {
    if (records[record].length == 0) continue;
    if (const std::string fault = fault_of(records[record]); !fault.empty())
      throw InputError(described(records, record) + " " + fault + cure);
  }
  if (const auto shared = find_shared_name(records)) {
    throw InputError(described(records, shared->second) + " has the name of record " +
                     std::to_string(shared->first + 1) + ", and bigWig finds records by name" +
                     cure);
  }
}

}  // namespace gsx

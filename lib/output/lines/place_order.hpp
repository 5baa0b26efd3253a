// The order of lines by the places that they tell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/line_sorter.hpp"
#include "output/lines/gff3.hpp"
#include "output/lines/place_row.hpp"
#include "output/lines/result_format.hpp"

namespace gsx {

/// The key that orders lines by record, start and strand, as tabix needs it, behind a line that
/// tells of the record.
inline LineKey place_key(const PlaceRow& row) {
  return {row.record, (row.start << 1 | (row.strand == '-' ? 1 : 0)) + 1};
}

/// Lines, each with its key, on their way to an output.
struct PlaceLines {
  std::string_view text;
  std::span<const LineKey> keys;  ///< one per line that is to be sorted; else none
};

/// The same while lines are made.
struct KeyedLines {
  std::string text;
  std::vector<LineKey> keys;

  PlaceLines view() const { return {text, keys}; }
  void clear() {
    text.clear();
    keys.clear();
  }
};

/// Orders lines by their keys, and those of one key as they come. One thread at a time adds lines.
class PlaceSorter {
 public:
  /// Uses about so many bytes, and 8 per record, and spills to a file in `place`.
  PlaceSorter(const RecordsView& records, std::uint64_t memory, ScratchPlace place)
      : sorter_(memory, 1, std::move(place)), lines_(sorter_.collector()) {
    first_of_.reserve(records.size());
    std::uint64_t first = 0;
    for (const RecordInfo& record : records.infos) {
      first_of_.push_back(first);
      first += 2 * record.length + 2;  // as many keys as places on two strands, and the header's
    }
  }

  /// Bytes to sort in, where so many are free.
  static std::uint64_t memory_within(std::uint64_t room) {
    constexpr std::uint64_t most = std::uint64_t{256} << 20;
    return std::clamp(room / 4, LineSorter::least_memory, most);
  }

  /// In GFF3, a line for each circular record stands before what lies in it.
  void add_header(ResultFormat format, const RecordsView& records,
                  std::span<const std::uint64_t> circular) {
    if (format != ResultFormat::gff3) return;
    for (const Gff3Region& region : gff3_regions(records, circular))
      add({region.record, 0}, region.line);
  }
  void add(PlaceLines more) {
    for (const LineKey key : more.keys) {
      const std::size_t end = more.text.find('\n') + 1;
      add(key, more.text.substr(0, end));
      more.text.remove_prefix(end);
    }
  }
  /// Writes all lines, as LineSorter::write().
  void write(Output& out) { sorter_.write(out); }

 private:
  void add(LineKey key, std::string_view line) {
    lines_.add({first_of_[key.first] + key.second, number_++}, line);
  }

  LineSorter sorter_;
  LineSorter::Collector& lines_;
  std::vector<std::uint64_t> first_of_;  ///< the first key of each record
  std::uint64_t number_ = 0;             ///< of the next line
};

}  // namespace gsx

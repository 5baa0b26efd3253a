// Finds records by name, without a table of all names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Finds the records whose names are among those wanted.
class RecordFinder {
 public:
  /// Passes once over the names of all records. `wanted` may contain a name twice; the memory that
  /// it refers to must outlive the finder. Cost: some nanoseconds per record; memory for the
  /// distinct names wanted and their records.
  RecordFinder(const RecordsView& records, const std::vector<std::string_view>& wanted);

  /// The records of that name, in order. Pre: `name` was among those wanted.
  std::span<const std::uint64_t> find(std::string_view name) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::string_view name;
    std::uint64_t begin = 0;  ///< its records are found_[begin, end)
    std::uint64_t end = 0;
    bool used = false;
  };
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;

  std::vector<Slot> slots_;  ///< open addressing with linear probing; the size is a power of two
  std::vector<std::uint64_t> found_;
};

/// The name most similar to `name`, or empty: one that differs only in case, by a prefix such as
/// "chr" or a suffix such as ".1", or by few letters. For error messages. Cost: O(records).
std::string_view nearest_name(const RecordsView& records, std::string_view name);

/// Names for an error message where no record has one: "the nearest name is 'chr1'"; "there are
/// 's1#chr1', 's2#chr1' and 3 others" for those that end in '#' and the name; or else what records
/// there are, likewise. Cost: O(records).
std::string advice_on_name(const RecordsView& records, std::string_view name);

/// Records for an error message: "record 1 of file 's1' (12 symbols), record 2 of file 's2' (14
/// symbols) and 3 others". Counts from 1.
std::string shown_records(const RecordsView& records, std::span<const std::uint64_t> numbers);

/// For an error message: that several records, of these numbers, have one name, and how to read
/// them so that they differ. Pre: there are two at least.
std::string several_records(const RecordsView& records, std::span<const std::uint64_t> numbers);

}  // namespace gsx

// Records by name, without a table of all names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Finds the records that have one of some names.
class RecordFinder {
 public:
  /// Goes once through the names of all records. `wanted` may repeat itself, and what it refers to
  /// must outlive the finder. Cost: some nanoseconds a record; memory for the distinct names wanted
  /// and the records that have them.
  RecordFinder(const RecordsView& records, const std::vector<std::string_view>& wanted);

  /// The records of that name, in order. Pre: it is one of those wanted.
  std::span<const std::uint64_t> find(std::string_view name) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::string_view name;
    std::uint64_t begin = 0;  ///< of its records in found_
    std::uint64_t end = 0;
    bool used = false;
  };
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;

  std::vector<Slot> slots_;  ///< a power of two; a name is in the first free one from its hash on
  std::vector<std::uint64_t> found_;
};

/// The name most like `name`, empty when none is like it: it differs in case, by a beginning such
/// as "chr" or an ending such as ".1", or in few letters. Cost: O(records), for a message.
std::string_view nearest_name(const RecordsView& records, std::string_view name);

}  // namespace gsx

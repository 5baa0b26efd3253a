#include "arrays/packing/packing_checks.hpp"

#include <string>

#include "base/bits.hpp"
#include "base/error.hpp"

namespace gsx {

void require_packed_width(std::uint32_t bits) {
  if (bits >= 1 && bits <= 64) return;
  throw UsageError("values cannot be packed in " + std::to_string(bits) + " bits; give 1 to 64");
}

void refuse_wide_value(std::uint64_t index, std::uint64_t value, std::uint32_t bits) {
  throw UsageError("value " + std::to_string(index) + " is " + std::to_string(value) +
                   " and takes " + std::to_string(bits_for(value)) + " bits, more than the " +
                   std::to_string(bits) + " that were asked for");
}

void require_unpackable(std::uint64_t size, std::uint32_t bits, std::uint64_t first,
                        std::uint64_t count, std::uint32_t integer_bits) {
  if (first > size || count > size - first)
    throw UsageError(std::to_string(count) + " values from " + std::to_string(first) +
                     " on were asked for, of an array of " + std::to_string(size));
  if (bits > integer_bits)
    throw UsageError("values of " + std::to_string(bits) + " bits do not fit integers of " +
                     std::to_string(integer_bits));
}

}  // namespace gsx

// What every device refuses to pack or unpack, in the same words.
#pragma once

#include <cstdint>

namespace gsx {

/// Throws UsageError unless `bits` is 1 to 64.
void require_packed_width(std::uint32_t bits);

/// Throws the UsageError for a value that takes more than `bits` bits.
[[noreturn]] void refuse_wide_value(std::uint64_t index, std::uint64_t value, std::uint32_t bits);

/// Throws UsageError unless an array of `size` values has those of [first, first + count), and
/// integers of `integer_bits` bits hold values of `bits`.
void require_unpackable(std::uint64_t size, std::uint32_t bits, std::uint64_t first,
                        std::uint64_t count, std::uint32_t integer_bits);

}  // namespace gsx

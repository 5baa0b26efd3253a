// A plain stream unpacked by vectors of AVX2.
#pragma once

#include <cstdint>

#include "base/packed.hpp"

namespace gsx {

/// Writes values [first, first + count) to out. Pre: this CPU has AVX2; packed.bits is at most
/// PackedView::max_bits and the bits of Value; first and count are multiples of
/// PackedArray::slice_unit. Exists for unsigned integers of 8, 16, 32 and 64 bits.
template <class Value>
void unpack_groups(const PackedView& packed, std::uint64_t first, std::uint64_t count, Value* out);

}  // namespace gsx

// Telling tied suffixes apart by more of the text.
#pragma once

#include <cstdint>

#include "kernels/index/sa/known_depth.hpp"
#include "kernels/index/sa/tied_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Orders each group by the symbols behind those on which its suffixes are known to agree, and
/// drops the suffixes that are then alone; returns the known.depth of the remaining ones. Where
/// known depths are below 64 a group may hold suffixes that end before, keyed as in
/// kernels/text/leading_bits.hpp. Pre: tied.size() > 0. Waits for the stream.
/// Throws ResourceError, DeviceError.
template <class Pos>
std::uint64_t refine_by_text(TiedRows<Pos>& tied, const TextView& d_text, const KnownDepth& known,
                             DeviceBuffer<Pos>& rows);

}  // namespace gsx::cuda

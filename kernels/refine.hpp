// Telling tied suffixes apart: by more of the text, or by ranks.
#pragma once

#include <cstdint>

#include "kernels/tied_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Orders each group by the symbols behind the first `depth`, on which its suffixes agree, and
/// drops the suffixes that are then alone; returns the depth on which the remaining ones agree.
/// Pre: tied.size() > 0. Waits for the stream. Throws ResourceError, DeviceError.
std::uint64_t refine_by_text(TiedRows& tied, const TextView& d_text, std::uint64_t depth,
                             std::uint32_t* d_suffix_array);

/// Orders the small groups by comparing their suffixes in the text, up to `limit` keys on, and
/// drops the suffixes that are then alone. Waits for the stream. Throws ResourceError, DeviceError.
void compare_in_text(TiedRows& tied, const TextView& d_text, std::uint64_t depth, unsigned limit,
                     std::uint32_t* d_suffix_array);

/// Prefix doubling (Larsson and Sadakane; paper: GPU prefix doubling) from suffixes that agree on
/// `depth` symbols until none is tied. Ranks are read by all before any is changed.
/// Cost: 8 bytes a symbol of the text, O(log(longest repeat / depth)) rounds. Waits for the stream.
/// Throws ResourceError, DeviceError.
void double_ranks(TiedRows& tied, std::uint64_t n, std::uint64_t depth,
                  std::uint32_t* d_suffix_array);

}  // namespace gsx::cuda

// The BWT of an index, row by row, out of its wavelet matrix.
#pragma once

#include <cstdint>

#include "rank/wavelet_matrix_view.hpp"

namespace gsx {

/// Writes the codes of rows [begin, end) to out[0, end - begin), as Bwt::codes does. Several
/// threads may call it. Pre: begin <= end <= bwt.size(), and counts of several levels are right, as
/// those of an open Index are. Cost: one access a row.
void stored_bwt_codes(const WaveletMatrixView& bwt, std::uint64_t begin, std::uint64_t end,
                      std::uint8_t* out);

}  // namespace gsx

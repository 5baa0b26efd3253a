// Reads the BWT out of the wavelet matrix of an index.
#pragma once

#include <cstdint>

#include "arrays/rank/wavelet_matrix_view.hpp"

namespace gsx {

/// Writes the codes of rows [begin, end) to out[0, end - begin), as Bwt::codes() does. Several
/// threads may call it. Pre: begin <= end <= bwt.size(); if there are several levels, their counts
/// are right, as those of an open Index are. Cost: one access per row.
void stored_bwt_codes(const WaveletMatrixView& bwt, std::uint64_t begin, std::uint64_t end,
                      std::uint8_t* out);

}  // namespace gsx

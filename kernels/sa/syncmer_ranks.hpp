// Finishing deep repeats through ranks of sampled suffixes.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/sa/rank_bit_vector.hpp"
#include "kernels/sa/tied_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Rows that follow one another in the suffix array.
template <class Pos>
struct Stretch {
  std::uint64_t first_row = 0;
  DeviceBuffer<Pos> rows;
  DeviceBuffer<RankBitBlock> tied;  ///< rows not yet told apart from the one before; may be empty

  bool settled() const { return tied.size() == 0; }
};

/// Symbols on which tied suffixes must agree before rank_by_syncmers() can tell them apart.
std::uint64_t least_syncmer_depth(std::uint32_t symbol_bits);

/// Puts the tied rows of all stretches, which together are all rows of the text that are not
/// separators', in order. Pre: tied suffixes agree on `depth` symbols, at least
/// least_syncmer_depth(), and go on behind them.
///
/// Prefix doubling over the whole text would keep and rewrite a rank for every suffix. Here only a
/// sample of positions is ranked: those that closed syncmers (Edgar 2021) select by the 2w + s
/// symbols behind them. Suffixes that agree on that many symbols have their next samples at the
/// same distance, so the samples' order decides theirs; and a sample is followed by the next one
/// as a symbol by a symbol, so that doubling runs over samples alone, 2 of w + 1 positions (about
/// one in ten). In a run of one symbol every position is a sample.
/// Cost: 1.2 bits per symbol, 9 bytes per sample and 34 per tied one; then 34 (42) bytes per tied
/// row of one stretch. One gather per row, O(log longest repeat) rounds over the tied samples, one
/// sort of the tied rows. Waits for the stream. Throws ResourceError, DeviceError.
template <class Pos>
void rank_by_syncmers(const TextView& d_text, std::uint64_t depth,
                      std::vector<Stretch<Pos>>& stretches, DeviceStream stream);

}  // namespace gsx::cuda

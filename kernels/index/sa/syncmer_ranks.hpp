// Finishing deep repeats through ranks of sampled suffixes.
#pragma once

#include <cstdint>

#include "kernels/index/sa/rank_bit_vector.hpp"
#include "kernels/index/sa/tied_rows.hpp"
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

/// Symbols on which tied suffixes must agree before SyncmerRanks can tell them apart.
std::uint64_t least_syncmer_depth(std::uint32_t symbol_bits);
/// From this depth on the samples are as few as a few keys more can make them.
std::uint64_t sparse_syncmer_depth(std::uint32_t symbol_bits);

/// Ranks of a sample of a text's suffixes, which tell those apart that agree on many symbols.
///
/// Prefix doubling over the whole text would keep and rewrite a rank for every suffix. Here only a
/// sample of positions is ranked: those that closed syncmers (Edgar 2021) select by the 2w + s
/// symbols behind them. Suffixes that agree on that many symbols have their next samples at the
/// same distance, so the samples' order decides theirs; and a sample is followed by the next one
/// as a symbol by a symbol, so that doubling runs over samples alone, 2 of w + 1 positions (one in
/// 6 to 16: w is as large as the depth allows, 12 to 30). In a run of one symbol every position is
/// a sample.
///
/// First append() all stretches of the suffix array, or of its rows that are samples, then rank(),
/// then settle() any stretch. All wait for the stream, and throw ResourceError and DeviceError.
/// Cost: 1.2 bits per symbol, 9 bytes per sample, and while they are ranked 26 per tied sample and
/// 16 more where it is in a large group; O(log longest repeat) rounds over the tied samples.
class SyncmerRanks {
 public:
  /// Of a text that is there as long as this. Tied suffixes agree on `depth` symbols, at least
  /// least_syncmer_depth(), and go on behind them.
  SyncmerRanks(const TextView& d_text, std::uint64_t depth, DeviceStream stream);

  /// Which positions are samples.
  RankBitVector samples() const { return {marks_.data(), length_}; }
  const DeviceBuffer<RankBitBlock>& marks() const { return marks_; }

  /// Appends the samples of a stretch, which comes behind all that have been appended.
  template <class Pos>
  void append(const Stretch<Pos>& stretch);

  /// Ranks the samples. Pre: all have been appended.
  void rank();

  /// Puts the tied rows of a stretch in order. Cost: 22 (30) bytes per tied row, 16 (20) more in
  /// large groups, a gather for each and one sort. Pre: the stretch has tied rows; rank() has been
  /// called.
  template <class Pos>
  void settle(Stretch<Pos>& stretch) const;

 private:
  DeviceStream stream_;
  std::uint64_t length_;
  DeviceBuffer<RankBitBlock> marks_;
  std::uint64_t count_;
  std::uint64_t appended_ = 0;
  DeviceBuffer<std::uint32_t> order_;  ///< samples in suffix order, as numbers in text order
  DeviceBuffer<std::uint8_t> heads_;   ///< 0 where one is tied to the one before
  DeviceBuffer<std::uint32_t> ranks_;
};

}  // namespace gsx::cuda

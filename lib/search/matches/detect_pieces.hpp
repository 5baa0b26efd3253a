// Cuts queries into pieces in which a match that is long enough is looked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "search/matches/stretches.hpp"

namespace gsx {

/// Codes [begin, begin + length) of all queries, which belong to one query and are all in the
/// alphabet. Offset is 32 bits wide where that is enough for the batch.
template <class Offset>
struct DetectPiece {
  Offset begin;
  Offset length;
  Offset query;
};

/// Makes pieces of at least min_length codes, in order, so that each min_length codes in a row that
/// are in the alphabet lie in one of them. Pre: numbers of codes and queries fit an Offset.
template <class Offset>
std::vector<DetectPiece<Offset>> detect_pieces(const Patterns& queries, std::uint32_t sigma,
                                               std::uint64_t min_length,
                                               const MatchTuning& tuning) {
  std::vector<DetectPiece<Offset>> pieces;
  pieces.reserve(queries.size());
  for_each_stretch(queries, sigma, min_length, [&](const QueryStretch& stretch) {
    const std::uint64_t windows = stretch.length() - min_length + 1;
    const std::uint64_t symbols =
        std::max({tuning.piece_symbols, divide_up(windows, tuning.most_pieces), std::uint64_t{1}});
    const std::uint64_t first = queries.begin_of(stretch.query) - queries.begin + stretch.begin;
    for (std::uint64_t begin = 0; begin < windows; begin += symbols) {
      pieces.push_back({static_cast<Offset>(first + begin),
                        static_cast<Offset>(std::min(symbols, windows - begin) + min_length - 1),
                        static_cast<Offset>(stretch.query)});
    }
  });
  return pieces;
}

/// Pieces on the strands that are searched. All forward strands come first: many queries are known
/// to match when their reverse strand comes.
template <class Offset>
struct DetectJobs {
  const DetectPiece<Offset>* pieces;  ///< [count]
  std::uint32_t count;
  bool forward, reverse;

  GSX_HD std::uint32_t size() const { return (forward ? count : 0) + (reverse ? count : 0); }
  GSX_HD const DetectPiece<Offset>& piece(std::uint32_t job) const {
    return pieces[job < count ? job : job - count];
  }
  GSX_HD bool is_reverse(std::uint32_t job) const { return !forward || job >= count; }
};
static_assert(std::is_trivially_copyable_v<DetectJobs<std::uint32_t>>);

}  // namespace gsx

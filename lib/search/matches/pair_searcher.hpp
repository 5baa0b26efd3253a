// Finds the pairs of matches of a target and of packed queries, on some device.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/packed.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/pair_extension.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// What a searcher of pairs is made for.
struct PairSetup {
  TextView text;  ///< of the target
  std::uint64_t min_length = 1;
  int threads = 1;
  std::uint64_t table_bytes = unlimited;  ///< of the host's, for the k-mers of the target
  std::string limited_by = "the limit";   ///< what set table_bytes, for error messages
};

/// Places [begin, end) of a stretch of the queries, on a strand.
struct PairPiece {
  PlainStretch stretch;
  std::uint64_t begin;
  std::uint64_t end;
  bool reverse;
};

/// Takes pairs: those of a piece before those of the next; of a piece, by the place in the query,
/// then in the target, then by length.
using PairSink = std::function<void(std::span<const MatchPair> pairs)>;

class PairSearcher;

/// The search for pairs of matches, as the devices know it (device/searches.hpp).
struct PairSearch {
  using Searcher = PairSearcher;
  using Setup = PairSetup;
};

/// Finds all pairs of matches that are long enough.
class PairSearcher {
 public:
  virtual ~PairSearcher() = default;
  /// Takes the queries in which find() searches from now on, packed as the target is. They must
  /// stay as they are. Not while another thread calls find().
  virtual void take(const PackedView& queries) = 0;
  /// Gives `sink` the pairs that begin in these pieces, chunk by chunk. Holds a bounded number of
  /// them. Any number of threads may call it. What the sink throws comes out of it.
  virtual void find(std::span<const PairPiece> pieces, const PairSink& sink) const = 0;
  /// How many places a call should have where there are so many.
  virtual std::uint64_t best_places() const = 0;
};

}  // namespace gsx

// Counts, for each position of a text, how often its k-mer occurs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/mappability/frequency_codes.hpp"
#include "index/lcp/streamed_prefixes.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// Takes the rows of a suffix array in order, some at a time, and needs none of them twice. Rows
/// whose suffixes agree on k symbols stand together; their number is that of the occurrences of
/// their k-mer.
///
/// On both strands, the suffix array is that of BothStrands. A k-mer that is its own reverse
/// complement stands there twice for each place, and is counted once.
/// Memory: 2 bytes per position and k (4 where many k-mers occur more than 2^15 times, and 6 while
/// these are made), and 32 MB; where one k-mer fills several blocks of rows, that of RowGroups.
/// Cost: 6 ns per row on one core of 2024, and 1 ns more for each k, 5 where k-mers repeat; 4 ns
/// more per row and 58 of the symbols that rows have in common, up to the largest k.
template <class Pos>
class FrequencyBuilder {
 public:
  /// Positions [0, text.half) get frequencies: text.half is the length of the text if there is only
  /// one strand. Pre: there is a k, and each is at least 1.
  /// With `known`, the LCP array of the same rows, none are compared: for k so large that this
  /// would take long. Asks `require` for what depends on the k-mers.
  FrequencyBuilder(const BothStrandsView& text, std::span<const std::uint64_t> lengths, int threads,
                   const LcpArray* known = nullptr, const RequireMemory& require = {});
  ~FrequencyBuilder();

  void add(const Pos* rows, std::uint64_t count);
  /// One array per k, in their order; 0 where no k-mer begins. Pre: add() has had all rows. Call it
  /// once.
  std::vector<std::unique_ptr<FrequencyCodes>> finish();

 private:
  class Groups;

  StreamedPrefixes<Pos> prefixes_;
  std::vector<std::unique_ptr<Groups>> groups_;
};

}  // namespace gsx

// Builds the LCP array of a text from the rows of its suffix array.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/lcp_array.hpp"
#include "index/lcp/suffix_pairs.hpp"
#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Takes the rows of a suffix array in order, some at a time, and needs none of them twice: the
/// rows may be sorted in blocks and dropped.
///
/// Each row is compared with the one before it, by two loads of the text. Pairs that agree on more
/// are kept, and measured at the end in text order (index/lcp/long_prefixes.hpp), where no symbol
/// is read at random: so a text that repeats itself costs 3 to 8 times as much as one that does
/// not, however long its repeats are. Memory: 1 byte per row, and 8 bytes per pair kept (4 % of the
/// rows of a human chromosome), 16 of wide positions; at the end, 4 or 8 bytes more per pair,
/// and 1.33 bits per symbol. Cost: 14 ns per base of a human chromosome on one core of 2024.
template <class Pos>
class LcpBuilder {
 public:
  /// Asks `require` for memory while pairs are found, and in finish(). The rows of the first
  /// `left_out` separators are not in the array, and never added.
  LcpBuilder(const TextView& text, int threads, RequireMemory require = {},
             std::uint64_t left_out = 0);

  /// Bytes for a text of `length` symbols, without the pairs.
  static std::uint64_t bytes(std::uint64_t length) { return length + length / 32; }

  /// Takes the next `count` rows.
  void add(const Pos* rows, std::uint64_t count);
  /// The array. Pre: add() has had all rows. Call it once.
  LcpArray finish();

 private:
  /// Compares rows with those before them; rows[0] is that of number `first`.
  void compare(const Pos* rows, std::uint64_t begin, std::uint64_t end, std::uint64_t first,
               SuffixPairs<Pos>& pairs);

  TextView text_;
  int threads_;
  std::uint64_t compared_;  ///< symbols of each two rows
  std::uint64_t added_ = 0;
  Pos last_ = 0;  ///< position in the last row of those
  Buffer<std::uint8_t> bytes_;
  RequireMemory require_;
  MemoryGrowth growth_;
  /// Neighbouring rows whose suffixes agree on more than is compared: the lower one, and the one
  /// before it.
  SuffixPairs<Pos> pairs_;
};

/// The LCP array of a text from its whole suffix array, which may lack rows of separators. Pre:
/// `sa` is that of `text`. Throws ResourceError. Cost: that of LcpBuilder.
LcpArray build_lcp_array(const TextView& text, const SuffixArray& sa, int threads);

}  // namespace gsx

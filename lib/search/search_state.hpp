// The state of backward searches on the CPU that are in progress.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fm/interval.hpp"
#include "search/strand_codes.hpp"

namespace gsx {

/// Told of all memory that a search prefetches.
struct NoMeter {
  GSX_HD void fetch(const void*, std::uint64_t) {}
};
class LineMeter {
 public:
  void fetch(const void* first, std::uint64_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    lines += (address + bytes - 1) / 64 - address / 64 + 1;
  }
  std::uint64_t lines = 0;
};

/// What each step of a backward search reads and writes. It takes the symbols of a pattern from the
/// last to the first; for the reverse complement, that is the complements from the first to the
/// last.
template <class Pos>
struct Walk {
  Pos begin;  ///< the interval, on `level`
  Pos end;
  const std::uint8_t* next;  ///< code of the next symbol
  std::uint64_t left;        ///< symbols that remain
  std::uint16_t id;          ///< number of its Task
  std::uint8_t code;         ///< code of the symbol being added
  std::uint8_t flip;         ///< 3 complements codes of bases; otherwise 0
  std::uint8_t level;        ///< level of the wavelet matrix for the next step
  std::int8_t step;          ///< from one symbol to the next: 1 or -1
};

/// What a search keeps besides. It may start before the last symbol, as every occurrence of the
/// pattern is one of what is left. Then those that are skipped must be compared with the text.
template <class Pos>
struct Task {
  std::uint64_t result;  ///< index of the result: twice the pattern, plus 1 for the complement
  StrandCodes strand;
  std::uint64_t left;          ///< symbols before those that have been searched
  std::uint64_t place;         ///< slot of the k-mer, number of the sample, or text position
  std::uint32_t skipped;       ///< symbols after those that are searched
  std::uint32_t best_skipped;  ///< symbols after the k-mer of `best`
  Interval<Pos> best;          ///< of the k-mers looked up
  std::uint8_t seeds;          ///< k-mers that may still be looked up
};

/// A list in memory of its own. Pre of push: size < most.
template <class T, std::size_t most>
struct Queue {
  std::array<T, most> items;
  std::size_t size = 0;
  GSX_HD void push(const T& item) { items[size++] = item; }
};

}  // namespace gsx

// The state of backward searches on the CPU that are in progress.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "index/fm/interval.hpp"
#include "search/exact/strand_codes.hpp"

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

/// Prefetches the first and the last line of what may lie in several; those between follow.
GSX_HD void prefetch_bytes(const std::uint8_t* first, std::uint64_t bytes) {
  __builtin_prefetch(first);
  __builtin_prefetch(first + bytes - 1);
}

/// What a search keeps that not every step needs. It takes the symbols of a strand from the last to
/// the first. It may start before the last symbol, as every occurrence of the pattern is one of
/// what is left. Then those that are skipped must be compared with the text.
template <class Pos>
struct Task {
  std::uint64_t result;  ///< index of the result: twice the pattern, plus 1 for the complement
  StrandCodes strand;
  CodeRun run;            ///< codes before the k-mer that is looked up
  std::uint64_t unread;   ///< symbols before those of `run`, or of its walk; in the end, before
                          ///< those that have been searched
  std::uint64_t place;    ///< slot of the k-mer, number of the sample, or text position
  std::uint32_t skipped;  ///< symbols after those that are searched
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

/// Searches in flight per thread: enough cache misses to fill the line buffers of a core in every
/// loop, few enough that their state stays in the L1 cache.
constexpr std::size_t searches_in_flight = 128;

/// What each step of a search reads and writes.
template <class Pos>
struct Walk {
  Pos begin;  ///< the interval
  Pos end;
  std::uint64_t codes;  ///< of the next symbols, the next in the lowest bits
  std::uint32_t tag;  ///< from the highest bits: 16 for the number of its Task, 8 for the level of
                      ///< the wavelet matrix, 8 for how many symbols `codes` has

  GSX_HD std::uint32_t id() const { return tag >> 16; }
  GSX_HD std::uint32_t ready() const { return tag & 0xFF; }
};

/// Walks as one array for each member, for loops that take several walks at a time. Such a loop may
/// read and write as many as `lanes` beyond the last.
template <class Pos>
struct Walks {
  static constexpr std::size_t lanes = 8;
  template <class T>
  using Array = std::array<T, searches_in_flight + lanes>;

  alignas(64) Array<std::uint64_t> codes;
  alignas(64) Array<Pos> begins;
  alignas(64) Array<Pos> ends;
  alignas(64) Array<std::uint32_t> tags;
  std::size_t size = 0;

  GSX_HD Walk<Pos> operator[](std::size_t i) const {
    return {begins[i], ends[i], codes[i], tags[i]};
  }
  /// Writes behind the last walk, and keeps that if it is wanted. Pre: size < searches_in_flight.
  GSX_HD void push(const Walk<Pos>& walk, bool wanted = true) {
    begins[size] = walk.begin;
    ends[size] = walk.end;
    codes[size] = walk.codes;
    tags[size] = walk.tag;
    size += wanted ? 1 : 0;
  }
};

}  // namespace gsx

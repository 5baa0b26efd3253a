// Searches an open index: batches of patterns in, counts and hits out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/packed.hpp"
#include "search/exact/hits.hpp"
#include "search/searcher_of.hpp"

namespace gsx {

/// Patterns as codes of the alphabet of an index; `Alphabet::none` matches nothing. Pattern i is
/// codes[ends[i - 1], ends[i]); the first one starts at `begin`. Patterns of DNA may instead be
/// packed, for searchers that take such: they have no `codes`.
struct Patterns {
  std::span<const std::uint8_t> codes;
  std::span<const std::uint64_t> ends;
  std::uint64_t begin = 0;
  PackedView packed = {};  ///< if they are: the codes, with 2 bits each
  /// If they are: [size()], 1 for a pattern that holds symbols without a code, which `packed` has
  /// as any.
  std::span<const std::uint8_t> foreign = {};

  std::size_t size() const { return ends.size(); }
  bool are_packed() const { return packed.bytes != nullptr; }
  std::uint64_t begin_of(std::size_t i) const { return i == 0 ? begin : ends[i - 1]; }
  std::span<const std::uint8_t> operator[](std::size_t i) const {
    return codes.subspan(begin_of(i), ends[i] - begin_of(i));
  }
  /// Number of codes of all patterns.
  std::uint64_t symbols() const { return ends.empty() ? 0 : ends.back() - begin; }
  /// Patterns [first, last). Pre: first <= last <= size().
  Patterns some(std::size_t first, std::size_t last) const {
    return {codes, ends.subspan(first, last - first), begin_of(first), packed,
            are_packed() ? foreign.subspan(first, last - first) : foreign};
  }
};

class HitProgress;
class Index;
class Searcher;

/// The search for places that are equal to a pattern.
struct ExactSearch {
  using Batch = Patterns;
  using Request = LocateRequest;
  using CountRequest = Strands;
  using Counts = std::vector<StrandCounts>;
  using Sink = HitSink;
  using Progress = HitProgress;
  using Searcher = gsx::Searcher;
  struct Setup {
    const Index& index;  ///< must outlive the searcher
    int threads = 1;     ///< that call it
    SearchMemory memory = {};
  };
};
using SearchRequest = StartRequest<ExactSearch>;

/// Searches one open index. If the alphabet has no complement, it searches the forward strand only.
/// The hits of a pattern are sorted for output. Of one with more than max_hits occurrences, it
/// gives the first max_hits in suffix order, those of the forward strand before those of the
/// reverse strand.
class Searcher : public SearcherOf<ExactSearch> {
 public:
  /// Does what stream() does, with all hits in memory.
  void locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits, Hits& hits) const;
};

/// Codes of packed patterns, for searchers that take no others. A pattern with symbols that have no
/// code begins with `none` in place of its first.
class UnpackedPatterns {
 public:
  /// Pre: patterns.are_packed(). Cost: one pass over the symbols, and a byte each.
  explicit UnpackedPatterns(const Patterns& patterns);
  UnpackedPatterns(const UnpackedPatterns&) = delete;  // patterns_ refers to this object
  UnpackedPatterns& operator=(const UnpackedPatterns&) = delete;
  /// Valid while this object is.
  const Patterns& patterns() const { return patterns_; }

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
  Patterns patterns_;
};

}  // namespace gsx

// Searches an open index: batches of patterns in, counts and hits out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/packed.hpp"
#include "search/exact/hits.hpp"

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

/// What is asked of a batch as a whole.
struct SearchRequest {
  LocateRequest hits;    ///< of a count, only the strands
  bool locates = false;  ///< whether the hits are asked for, not only their numbers
};

/// Searches one open index, which must outlive it. Several threads may call const member functions
/// at once.
class Searcher {
 public:
  virtual ~Searcher() = default;
  /// Sets counts[i] for each pattern i. If the alphabet has no complement, searches the forward
  /// strand only.
  virtual void count(const Patterns& patterns, Strands strands,
                     std::vector<StrandCounts>& counts) const = 0;
  /// Gives `sink` all occurrences, sorted for output, chunk by chunk. Of a pattern with more than
  /// max_hits occurrences, it gives the first max_hits in suffix order, those of the forward strand
  /// before those of the reverse strand. A call holds a bounded number of hits (SearchMemory),
  /// however many there are. Exceptions of the sink pass through.
  virtual void stream_hits(const Patterns& patterns, const LocateRequest& request,
                           const HitSink& sink) const = 0;
  /// Begins a search and returns at once what waits for it: a searcher for one call, of count() or
  /// stream_hits() as `request` says, with the same patterns. They must stay as they are until it
  /// returns, or until the started search is destroyed. Null if nothing would go on meanwhile: call
  /// the function of this searcher instead, which must outlive what it starts. Both calls may throw
  /// what those functions throw.
  virtual std::unique_ptr<Searcher> start(const Patterns& patterns,
                                          const SearchRequest& request) const {
    static_cast<void>(patterns), static_cast<void>(request);
    return nullptr;
  }
  /// How many patterns a call should hold where there are so many: enough to hide the latency of
  /// memory or of a device's driver, few enough for all threads to have some.
  virtual std::size_t best_batch() const { return 4096; }
  /// Whether it takes packed patterns, too. Only a searcher of DNA does.
  virtual bool takes_packed() const { return false; }
  /// Does the same with all hits in memory.
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

// What searches find: counts, hits, and chunks of hits.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/export.hpp"
#include "base/host_device.hpp"

namespace gsx {

inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

enum class Strands : std::uint8_t { both, forward, reverse };

/// Occurrences of one pattern as given and of its reverse complement. A palindrome counts on both
/// strands. An empty pattern occurs nowhere.
struct StrandCounts {
  std::uint64_t forward = 0;
  std::uint64_t reverse = 0;
  GSX_HD std::uint64_t total() const { return forward + reverse; }
};

/// Most mismatches of a hit.
inline constexpr std::uint32_t most_mismatches = 255;

/// One occurrence: its start in the text (below 2^55), its strand, and how many of its symbols
/// differ from the pattern's. Hits compare in output order: by position, then strand.
class Hit {
 public:
  Hit() = default;
  GSX_HD Hit(std::uint64_t position, bool reverse, std::uint32_t mismatches = 0)
      : value_(std::uint64_t{mismatches} << place_bits | position << 1 | (reverse ? 1 : 0)) {}
  GSX_HD std::uint64_t position() const { return place() >> 1; }
  GSX_HD bool is_reverse() const { return (value_ & 1) != 0; }
  GSX_HD std::uint32_t mismatches() const {
    return static_cast<std::uint32_t>(value_ >> place_bits);
  }
  /// The order of the output, which mismatches do not matter for.
  friend auto operator<=>(const Hit& a, const Hit& b) { return a.place() <=> b.place(); }
  friend bool operator==(const Hit&, const Hit&) = default;

 private:
  static constexpr int place_bits = 56;
  GSX_HD std::uint64_t place() const { return value_ & ((std::uint64_t{1} << place_bits) - 1); }

  std::uint64_t value_ = 0;
};

/// Hits of consecutive patterns of a batch. Chunks follow one another without a gap. The hits of a
/// pattern may be spread over several chunks, each of which then holds at least one of them; a
/// pattern without hits is in one chunk. Valid during the call.
struct HitChunk {
  std::size_t first = 0;                 ///< number of the first pattern in the batch
  std::uint64_t before = 0;              ///< hits of the first pattern in earlier chunks
  std::uint64_t max_hits = unlimited;    ///< most hits reported per pattern
  std::span<const StrandCounts> counts;  ///< all occurrences of each pattern
  std::span<const std::uint64_t> ends;   ///< end of each pattern's hits in `hits`
  std::span<const Hit> hits;             ///< those of each pattern in output order
  /// If the hits of a pattern are spread over several chunks: the fewest mismatches of any of them.
  std::uint32_t fewest_mismatches = 0;

  std::size_t patterns() const { return counts.size(); }
  /// Hits of the i-th pattern of the chunk that are in this chunk.
  std::span<const Hit> of(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return hits.subspan(begin, ends[i] - begin);
  }
  /// Hits of the i-th pattern of the chunk that all chunks together report.
  std::uint64_t reported(std::size_t i) const { return std::min(max_hits, counts[i].total()); }
};

/// Takes the chunks of a batch, in order, one call at a time. What it throws ends the work and
/// comes out of the call that was given the sink. RowSink and CodeSink follow the same rules.
using HitSink = std::function<void(const HitChunk& chunk)>;

/// Which strands to search, and how many hits per pattern to report. Of a pattern that occurs more
/// often, the hits that come first in suffix order are kept: those whose text to the right of the
/// pattern is smallest, which are not the first of the text. Hits of the forward strand come before
/// those of the reverse strand. The choice does not depend on the device or on anything else but
/// the text.
struct LocateRequest {
  Strands strands = Strands::both;
  std::uint64_t max_hits = unlimited;
};

/// All hits of a batch in memory; for small numbers of hits.
struct GSX_API Hits {
  std::vector<StrandCounts> counts;  ///< all occurrences of each pattern
  std::vector<Hit> hits;  ///< the reported hits, pattern by pattern, those of each sorted
  std::vector<std::uint64_t> hit_ends;  ///< ends into `hits`

  /// Adds the next chunk.
  void append(const HitChunk& chunk);
  /// All hits as one chunk. Pre: each pattern has at most max_hits occurrences, or exactly max_hits
  /// of them are here.
  HitChunk chunk(std::uint64_t max_hits = unlimited) const {
    return {0, 0, max_hits, counts, hit_ends, hits};
  }
};

/// The host memory that a searcher may use.
struct SearchMemory {
  /// Hits that one call may hold at a time. A hit takes 8 bytes.
  std::uint64_t hits_at_once = std::uint64_t{1} << 22;
  /// Bytes of a mapped index that may be copied to huge pages. An index in memory is there already.
  std::uint64_t index_copy = unlimited;
  /// Bytes that tables of the sites of a PAM may take at a time. 0: many guides beside one PAM are
  /// searched as any other patterns are.
  std::uint64_t site_tables = 0;
};

}  // namespace gsx

// The symbols around the origins of circular records, indexed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/cpu_path.hpp"
#include "device/cpu/cpu_mismatch_searcher.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "text/text.hpp"

namespace gsx {

/// What lies around the origin of a circular record, where its end meets its beginning.
struct Circle {
  std::uint64_t end;     ///< text position behind the last symbol of the record
  std::uint64_t begin;   ///< text position of its first symbol
  std::uint64_t length;  ///< symbols of the record
  /// Symbols before the origin that one place can hold, and symbols behind it: up to what was kept
  /// out of the text, and less than the record, since a place does not overlap itself.
  std::uint64_t before;
  std::uint64_t after;
};

/// The circles of these records, which ascend. A record has none if no place can span its origin:
/// its first or last symbol is not in the text, or it has fewer than two symbols.
std::vector<Circle> circles_of(const TextView& text, const RecordsView& records,
                               std::span<const std::uint64_t> circular);

/// How to search junctions.
struct JunctionOptions {
  int threads = 1;  ///< fewer where memory is short
  SearchMemory memory = {};
  std::uint64_t most_bytes = unlimited;  ///< of memory for all junctions
  CpuPath path;
};

/// Bytes for origins, of `whole` that may be taken: their `share`, or up to half where that is too
/// little for records of any length, whose index takes some MB on one thread.
inline std::uint64_t origin_bytes(std::uint64_t share, std::uint64_t whole) {
  constexpr std::uint64_t least = std::uint64_t{5} << 20;
  return std::max(share, std::min(whole / 2, least));
}

/// For each circle, the symbols on both sides of its origin that a place of up to `longest` symbols
/// can hold. Places that span an origin are found here as ordinary places.
class Junctions {
 public:
  /// Cost: that of an index of as many symbols. Throws OutOfMemoryError.
  Junctions(const TextView& text, std::span<const Circle> circles, std::uint64_t longest,
            const JunctionOptions& options);

  /// The symbols around each origin, a segment per circle.
  TextView text() const { return index_->text(); }
  std::uint64_t bytes() const { return index_->file_bytes(); }
  const Searcher& exact() const { return *exact_; }
  const MismatchSearcher& mismatched() const { return *mismatched_; }

  /// The place in the searched text of a hit of a pattern of `length` symbols; none if it does not
  /// span the origin. Hits keep their order.
  std::optional<Hit> spanning(const Hit& hit, std::uint64_t length) const;

 private:
  std::span<const Circle> circles_;  ///< one per segment
  std::uint64_t longest_;
  std::unique_ptr<const Index> index_;
  std::unique_ptr<Searcher> exact_;
  std::unique_ptr<MismatchSearcher> mismatched_;
};

}  // namespace gsx

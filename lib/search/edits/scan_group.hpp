// Patterns that are searched together in one pass over the text, part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/edits/end_finder.hpp"
#include "search/edits/pattern_masks.hpp"
#include "search/edits/piece_filter.hpp"
#include "search/edits/stripes.hpp"

namespace gsx {

/// Seconds to compute a column of a pattern, measured on one core of 2024.
double edit_column_cost(std::uint64_t length, std::uint32_t edits);

/// A piece that is looked for on one strand. Where one ends at text position x, an end of the
/// pattern may lie from x + shift - edits to x + shift + edits, and nowhere else because of it.
struct StrandPiece {
  std::vector<BaseSet> sets;
  std::uint32_t edits;
  std::int64_t shift;
};

/// One strand of a pattern. Without pieces, its ends may lie anywhere.
struct ScannedStrand {
  SoughtPattern pattern;
  bool reverse;
  std::vector<StrandPiece> pieces;
};

/// The strands of some patterns, and what their pieces are looked for in.
class ScanGroup {
 public:
  /// The patterns numbered `which`. Pre: they can be asked. `path` is that of a CPU.
  ScanGroup(const EditTarget& target, const EditPatterns& patterns,
            std::span<const std::uint32_t> which, const EditRequest& request, StripePath path);
  ScanGroup(ScanGroup&&) = default;  // strands refer to masks, which stay where they are

  const EditTarget& target() const { return target_; }
  const EditRequest& request() const { return request_; }
  StripePath path() const { return path_; }
  std::span<const ScannedStrand> strands() const { return strands_; }
  /// Sets of bases of the pieces; bit s stands for set s.
  std::uint32_t sets() const { return sets_; }
  /// How far before and behind an end a piece may end that tells of it.
  std::uint64_t before() const { return before_; }
  std::uint64_t behind() const { return behind_; }
  bool has_pieces() const { return sets_ != 0; }

 private:
  void add(const SoughtPattern& pattern, std::span<const std::uint8_t> symbols);

  EditTarget target_;
  EditRequest request_;
  StripePath path_;
  std::vector<PatternMasks> masks_;
  std::vector<ScannedStrand> strands_;
  std::uint32_t sets_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t behind_ = 0;
};

/// Searches parts of the text for a group, on one thread. Memory: planes of a part, and the places
/// found in it.
class ScanWorker {
 public:
  /// For parts of up to `most` symbols. The group must outlive the worker.
  ScanWorker(const ScanGroup& group, std::uint64_t most);

  /// Gives `to` the ends of all strands that belong to the part. Pre: it lies in the text.
  void find(const EndWindow& part, EndsOf which, EndCollector& to);

 private:
  void find_windows(const ScannedStrand& strand, const EndWindow& part);

  const ScanGroup& group_;
  Stripes stripes_;
  EndFinder finder_;
  std::vector<std::uint64_t> found_;
  std::vector<EndWindow> windows_;
};

}  // namespace gsx

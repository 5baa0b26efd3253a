#include "search/edits/scan_group.hpp"

#include <algorithm>

#include "search/edits/window_sieve.hpp"

namespace gsx {
namespace {

/// Width of the stripes of a part of `length` symbols.
std::uint64_t stripe_width(std::uint64_t length, StripePath path) {
  const std::uint64_t width = (length + stripes_of(path) - 1) / stripes_of(path);
  return (std::max<std::uint64_t>(1, width) + Stripes::unit - 1) / Stripes::unit * Stripes::unit;
}

/// Symbols of the block of stripes for a part, which begins at a multiple of 4.
std::uint64_t block_length(const ScanGroup& group, std::uint64_t part) {
  return group.has_pieces() ? part + group.before() + group.behind() + 3 : 0;
}

}  // namespace

double edit_column_cost(std::uint64_t length, std::uint32_t edits) {
  constexpr double word = 2.5e-9;
  return word * static_cast<double>(std::min<std::uint64_t>((length + 63) / 64, edits / 64 + 1));
}

ScanGroup::ScanGroup(const EditTarget& target, const EditPatterns& patterns,
                     std::span<const std::uint32_t> which, const EditRequest& request,
                     StripePath path)
    : target_(target), request_(request), path_(path) {
  masks_.reserve(which.size());
  for (const std::uint32_t i : which) {
    masks_.emplace_back(patterns[i], target.dna);
    add({i, masks_.back().view()}, patterns[i]);
  }
}

/// Adds the strands of a pattern.
void ScanGroup::add(const SoughtPattern& pattern, std::span<const std::uint8_t> symbols) {
  FilterPlan plan;
  if (target_.dna) {
    plan = plan_filter(symbols, request_.edits, path_,
                       edit_column_cost(symbols.size(), request_.edits));
  }
  for (const bool reverse : {false, true}) {
    if (!is_searched(request_.strands, target_.dna, reverse)) continue;
    ScannedStrand strand{pattern, reverse, {}};
    for (const FilterPiece& piece : plan.pieces) {
      StrandPiece own{{}, piece.edits, 0};
      const auto sets = symbols.subspan(piece.begin, piece.length);
      if (reverse) {
        own.sets = reverse_complement_of(sets);
        // The pattern goes on to the left: it ends as far from the piece's last symbol in the text
        // as its symbols from the piece's first one on would reach.
        own.shift = 1 - static_cast<std::int64_t>(symbols.size() - piece.begin);
      } else {
        own.sets.assign(sets.begin(), sets.end());
        own.shift = static_cast<std::int64_t>(symbols.size() - piece.begin - piece.length);
      }
      for (const BaseSet set : own.sets)
        sets_ |= 1U << (set & base_sets::any);
      const std::int64_t edits = request_.edits;
      before_ = std::max(before_,
                         static_cast<std::uint64_t>(std::max<std::int64_t>(0, own.shift + edits)));
      behind_ = std::max(behind_,
                         static_cast<std::uint64_t>(std::max<std::int64_t>(0, edits - own.shift)));
      strand.pieces.push_back(std::move(own));
    }
    strands_.push_back(std::move(strand));
  }
}

ScanWorker::ScanWorker(const ScanGroup& group, std::uint64_t most)
    : group_(group),
      stripes_(group.target().text, group.path(),
               stripe_width(block_length(group, most), group.path())),
      finder_(group.target().text, group.request()) {}

/// Sets windows_ to the parts of a part where ends may lie.
void ScanWorker::find_windows(const ScannedStrand& strand, const EndWindow& part) {
  windows_.clear();
  const auto edits = static_cast<std::int64_t>(group_.request().edits);
  for (const StrandPiece& piece : strand.pieces) {
    found_.clear();
    find_piece(stripes_, piece.sets, piece.edits, found_);
    for (const std::uint64_t position : found_) {
      const std::int64_t middle = static_cast<std::int64_t>(position) + piece.shift;
      if (middle + edits < static_cast<std::int64_t>(part.begin)) continue;
      const auto begin = std::max(middle - edits, static_cast<std::int64_t>(part.begin));
      const auto end = std::min(middle + edits + 1, static_cast<std::int64_t>(part.end));
      if (begin < end)
        windows_.push_back({static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end)});
    }
  }
  std::sort(windows_.begin(), windows_.end(),
            [](const EndWindow& a, const EndWindow& b) { return a.begin < b.begin; });
  merge_windows(windows_);
  sieve_windows(group_.target(), strand.pattern.masks, strand.reverse, group_.request().edits,
                cpu_path_of(group_.path()), windows_);
}

void ScanWorker::find(const EndWindow& part, EndsOf which, EndCollector& to) {
  if (group_.has_pieces()) {
    const std::uint64_t first =
        part.begin < group_.before() ? 0 : (part.begin - group_.before()) / 4 * 4;
    const std::uint64_t length = part.end + group_.behind() - first;
    stripes_.load(first, stripe_width(length, group_.path()), group_.sets());
  }
  for (const ScannedStrand& strand : group_.strands()) {
    if (strand.pieces.empty()) {
      finder_.find(strand.pattern, strand.reverse, part, which, to);
      continue;
    }
    find_windows(strand, part);
    for (const EndWindow& window : windows_)
      finder_.find(strand.pattern, strand.reverse, window, which, to);
  }
}

}  // namespace gsx

// Checks an FM-index against its text by LF steps, on the CPU and the GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "index/fm/fm_view.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Result of one step of a checking walk.
enum class WalkStep : std::uint8_t {
  on,               ///< no fault so far
  end,              ///< the start of the segment, where the walk must end
  wrong_sample,     ///< the row is sampled, but the sample is another position
  wrong_separator,  ///< a separator where the text has a symbol, or the reverse
  wrong_segment,    ///< the separator before another segment
  wrong_symbol,     ///< another symbol than in the text
  leads_outside     ///< the next row does not exist
};

/// Compares an FM-index with its text.
///
/// A walk goes back through segment k by LF steps, from its separator, whose row is k. The symbol
/// of each row must be that of the text, the sample of each sampled row must be the position, and
/// the walk must end at the separator before segment k. If the counts are right
/// (arrays/rank/quad_check.hpp), no two rows step to the same row, so the walks together visit
/// every row once. The rows are then a permutation that keeps the order of the rows it steps from:
/// the suffix array.
///
/// Sampled rows cut a walk into pieces, which may be walked at the same time. A piece takes its
/// position from its sample, and the piece that arrives there checks that sample. So all pieces end
/// without a fault if and only if all walks do.
struct BwtWalk {
  FmView fm;
  PackedView symbols;  ///< of the text

  BwtWalk(const FmView& index, const TextView& text) : fm(index), symbols(text.symbols) {}

  /// Claims that `row` holds the suffix at `position` of the segment that starts at `start`.
  template <class Pos>
  struct Suffix {
    Pos row;
    Pos position;
    Pos start;
  };

  GSX_HD std::uint64_t segments() const { return fm.segments.count; }
  /// Pieces [0, segments()) start at the separators, the others at the sampled rows after the
  /// separators' rows.
  GSX_HD std::uint64_t pieces() const {
    return segments() + fm.samples.size - first_inner_sample();
  }
  GSX_HD bool is_sampled(std::uint64_t row) const { return fm.sampling.keeps(row); }

  /// Sets `suffix` to the start of a piece. Pre: piece < pieces().
  template <class Pos>
  GSX_HD WalkStep begin(std::uint64_t piece, Suffix<Pos>& suffix) const {
    if (piece < segments()) {
      suffix = {static_cast<Pos>(piece), static_cast<Pos>(fm.segments.starts[piece + 1] - 1),
                static_cast<Pos>(fm.segments.starts[piece])};
      return check_sample(suffix);
    }
    const std::uint64_t sample = first_inner_sample() + piece - segments();
    const std::uint64_t position = fm.samples[sample];
    suffix.row = static_cast<Pos>(fm.sampling.row(sample));
    if (position >= fm.rows()) return WalkStep::wrong_sample;
    suffix.position = static_cast<Pos>(position);
    suffix.start = static_cast<Pos>(fm.segments.starts[fm.segments.segment_at(position)]);
    return WalkStep::on;
  }

  /// Checks the BWT at a suffix and moves to the suffix that is one symbol longer. A fault concerns
  /// suffix.row. Pre: the suffix comes from begin() or from a step() that returned `on`, and all
  /// counts are right. Cost: one LF step (one sector per level) and one access to the text.
  template <class Pos>
  GSX_HD WalkStep step(Suffix<Pos>& suffix) const {
    const bool hole = fm.bwt.is_hole(suffix.row);
    if (hole != (suffix.position == suffix.start)) return WalkStep::wrong_separator;
    if (hole) {
      const std::uint64_t segment = fm.hole_segments[fm.bwt.levels[0].holes_before(suffix.row)];
      return fm.segments.starts[segment] == suffix.start ? WalkStep::end : WalkStep::wrong_segment;
    }
    const std::uint32_t code = fm.bwt.access(suffix.row);
    if (code >= fm.sigma || code != symbols[suffix.position - 1]) return WalkStep::wrong_symbol;
    const Pos next = fm.lf(code, suffix.row);
    if (next >= fm.rows()) return WalkStep::leads_outside;
    suffix.row = next;
    --suffix.position;
    return check_sample(suffix);
  }

 private:
  GSX_HD std::uint64_t first_inner_sample() const { return fm.sampling.count(segments()); }
  template <class Pos>
  GSX_HD WalkStep check_sample(const Suffix<Pos>& suffix) const {
    if (!is_sampled(suffix.row)) return WalkStep::on;
    return fm.samples[fm.sampling.block(suffix.row)] == suffix.position ? WalkStep::on
                                                                        : WalkStep::wrong_sample;
  }
};
static_assert(std::is_trivially_copyable_v<BwtWalk>);

/// Walks pieces, one after another, a step at a time, so that many walkers can take turns.
template <class Pos>
class PieceWalker {
 public:
  GSX_HD Pos row() const { return at_.row; }
  /// The most steps that locating a row of the pieces that have ended takes.
  GSX_HD std::uint64_t longest() const { return longest_; }

  /// Goes to the start of a piece; `on` unless that is a fault. Pre: piece < walk.pieces().
  GSX_HD WalkStep begin(const BwtWalk& walk, std::uint64_t piece) {
    const WalkStep step = walk.begin(piece, at_);
    unsampled_ = walk.is_sampled(at_.row) ? 0 : 1;
    return step;
  }
  /// Goes on by a symbol; `end` where the piece ends. Pre: the call before returned `on`.
  GSX_HD WalkStep step(const BwtWalk& walk) {
    const WalkStep step = walk.step(at_);
    if (step == WalkStep::on && !walk.is_sampled(at_.row)) {
      ++unsampled_;
      return WalkStep::on;
    }
    if (step != WalkStep::on && step != WalkStep::end) return step;
    // The row at the start of a segment needs no step.
    const std::uint64_t steps =
        step == WalkStep::end && unsampled_ != 0 ? unsampled_ - 1 : unsampled_;
    if (steps > longest_) longest_ = steps;
    return WalkStep::end;
  }

 private:
  BwtWalk::Suffix<Pos> at_{};
  std::uint64_t unsampled_ = 0;  ///< rows since the piece began
  std::uint64_t longest_ = 0;
};

}  // namespace gsx

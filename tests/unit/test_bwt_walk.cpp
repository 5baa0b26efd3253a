// Walks through sound and damaged indexes: in one go and in pieces.
#include <doctest/doctest.h>

#include "arrays/rank/quad_check.hpp"
#include "index/bwt/bwt.hpp"
#include "index/fm/bwt_walk.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/builder.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The parts of an index, as plain arrays that a test may damage.
struct Parts {
  std::vector<std::uint64_t> symbols;
  std::vector<std::uint64_t> codes;  ///< codes of the BWT
  std::vector<std::uint64_t> samples;
  std::vector<std::uint64_t> hole_segments;
};

PackedArray pack(const std::vector<std::uint64_t>& values, std::uint32_t bits) {
  PackedArray array(values.size(), bits, "test");
  PackedWriter writer = array.writer(0);
  for (const std::uint64_t value : values)
    writer.push(value & ((std::uint64_t{1} << bits) - 1));
  writer.finish();
  return array;
}

Parts parts_of(const Text& text, std::uint32_t rate) {
  const TextView view = text.view();
  const SuffixArray rows = build_suffix_array(view, 2);
  std::vector<std::uint8_t> codes(rows.size());
  Bwt(view, rows).codes(0, rows.size(), codes.data());
  Parts parts;
  parts.codes.assign(codes.begin(), codes.end());
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    parts.symbols.push_back(view.symbols[i]);
    if (RowSampling(rate).keeps(i)) parts.samples.push_back(rows[i]);
    if (codes[i] == Bwt::separator) {
      parts.hole_segments.push_back(view.segments.segment_at(rows[i]));
    }
  }
  return parts;
}

/// The parts with views on them, as a file would give them.
class Assembled {
 public:
  Assembled(const Text& text, const Parts& parts, std::uint32_t rate)
      : bwt_(
            parts.codes.size(), text.alphabet.bits(),
            [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
              for (std::uint64_t i = begin; i < end; ++i)
                out[i - begin] = static_cast<std::uint8_t>(parts.codes[i]);
            },
            2),
        symbols_(pack(parts.symbols, text.alphabet.bits())),
        samples_(pack(parts.samples, bits_for(parts.codes.size()))),
        hole_segments_(pack(parts.hole_segments, bits_for(parts.hole_segments.size()))) {
    FmView fm;
    fm.bwt = bwt_.view();
    fm.segments = text.segments.view();
    c_offset_ = c_offsets_of(fm.bwt, text.alphabet.size(), fm.segments.count);
    fm.c_offset = c_offset_.data();
    fm.samples = samples_.view();
    fm.hole_segments = hole_segments_.view();
    fm.sampling = RowSampling(rate);
    fm.sigma = text.alphabet.size();
    for (std::uint32_t level = 0; level < fm.bwt.level_count; ++level)
      REQUIRE_FALSE(find_wrong_counts(fm.bwt.levels[level], 2).has_value());
    walk_ =
        std::make_unique<BwtWalk>(fm, TextView{symbols_.view(), fm.segments, text.alphabet.size()});
  }

  /// Whether the walk of every segment ends as it should.
  template <class Pos>
  bool walks_end() const {
    bool all = true;
    for (std::uint64_t segment = 0; segment < walk_->segments(); ++segment) {
      BwtWalk::Suffix<Pos> place;
      WalkStep step = walk_->begin(segment, place);
      for (std::uint64_t steps = 0; step == WalkStep::on; ++steps) {
        if (steps > walk_->fm.rows()) FAIL("an endless walk");
        step = walk_->step(place);
      }
      all = all && step == WalkStep::end;
    }
    return all;
  }
  /// Whether every piece does, with at most one step per row in all.
  template <class Pos>
  bool pieces_end() const {
    bool all = true;
    std::uint64_t steps = 0;
    for (std::uint64_t piece = 0; piece < walk_->pieces(); ++piece) {
      PieceWalker<Pos> walker;
      WalkStep step = walker.begin(*walk_, piece);
      while (step == WalkStep::on) {
        if (++steps > walk_->fm.rows()) FAIL("more steps than rows");
        step = walker.step(*walk_);
      }
      all = all && step == WalkStep::end;
    }
    CHECK((!all || steps == walk_->fm.rows()));
    return all;
  }

  /// Number of rows from which a step of locate leads outside the index, whatever it holds.
  std::uint64_t rows_led_outside() const {
    std::uint64_t outside = 0;
    for (std::uint64_t i = 0; i < walk_->fm.rows(); ++i) {
      std::uint64_t row = i, steps = 0, position = 0;
      walk_->fm.step_back(row, steps, position);
      outside += row >= walk_->fm.rows();
    }
    return outside;
  }

 private:
  WaveletMatrix bwt_;
  PackedArray symbols_, samples_, hole_segments_;
  std::vector<std::uint64_t> c_offset_;
  std::unique_ptr<BwtWalk> walk_;
};

/// Damages the parts somewhere. Returns whether anything changed that an index must have right.
bool damage(Parts& parts, Random& random, const Text& text, int kind) {
  const SegmentsView segments = text.segments.view();
  const std::uint64_t n = parts.codes.size();
  const Parts before = parts;
  const auto any = [&](std::vector<std::uint64_t>& values) -> std::uint64_t& {
    return values[below(random, values.size())];
  };
  switch (kind) {
    case 0:
      std::swap(any(parts.codes), any(parts.codes));
      break;
    case 1: {
      std::uint64_t& code = any(parts.codes);
      if (code != Bwt::separator) code = below(random, std::uint64_t{1} << text.alphabet.bits());
      break;
    }
    case 2:
      std::swap(any(parts.samples), any(parts.samples));
      break;
    case 3:
      any(parts.samples) = below(random, n + 1);
      break;
    case 4:
      any(parts.samples) = (std::uint64_t{1} << bits_for(n)) - 1;
      break;
    case 5:
      std::swap(any(parts.hole_segments), any(parts.hole_segments));
      break;
    case 6:
      any(parts.hole_segments) = below(random, segments.count);
      break;
    case 7: {  // the slot of a separator may hold anything: nothing reads it
      const std::uint64_t p = below(random, n);
      if (segments.separator_from(p) != p) parts.symbols[p] = below(random, text.alphabet.size());
      break;
    }
    case 8: {
      const std::uint64_t row = below(random, n - 1);
      std::swap(parts.codes[row], parts.codes[row + 1]);
      break;
    }
    default:
      break;
  }
  return parts.symbols != before.symbols || parts.codes != before.codes ||
         parts.samples != before.samples || parts.hole_segments != before.hole_segments;
}

void check_walks(const Text& text, Random& random, int rounds) {
  for (const std::uint32_t rate : {1u, 2u, 3u, 16u, 1000000u}) {
    CAPTURE(rate);
    const Parts right = parts_of(text, rate);
    for (int round = 0; round < rounds; ++round) {
      for (int kind = 0; kind <= 9; ++kind) {
        CAPTURE(kind);
        Parts parts = right;
        const bool changed = damage(parts, random, text, kind);
        const Assembled index(text, parts, rate);
        REQUIRE(index.walks_end<std::uint32_t>() == !changed);
        REQUIRE(index.walks_end<std::uint64_t>() == !changed);
        REQUIRE(index.pieces_end<std::uint32_t>() == !changed);
        REQUIRE(index.pieces_end<std::uint64_t>() == !changed);
        REQUIRE(index.rows_led_outside() == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("walks and pieces end without a fault exactly when the index is right") {
  Random random(61);
  for (const auto& sequences : thinned(adversarial_collections(5)))
    check_walks(make_text(sequences), random, 2);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  check_walks(make_text({random_string(random, 400, letters), letters}, SymbolPolicy::protein),
              random, 8);
  std::string bytes;
  for (int c = 1; c < 256; ++c)
    bytes += static_cast<char>(c);
  check_walks(make_text({random_string(random, 700, bytes), bytes}, SymbolPolicy::bytes), random,
              8);
}

// Columns of the matrix of edit distances, a word of 64 rows per step.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "search/edits/pattern_masks.hpp"

namespace gsx {

/// 64 rows of one column, as the differences between each cell and the one above it (Myers, *A fast
/// bit-vector algorithm for approximate string matching based on dynamic programming*, 1999; in the
/// form of Hyyro, *A bit-vector algorithm for computing Levenshtein and Damerau edit distances*,
/// 2003). Cost: 17 operations per step.
struct ColumnWord {
  std::uint64_t plus = ~std::uint64_t{0};  ///< rows that are 1 more than the row above
  std::uint64_t minus = 0;                 ///< rows that are 1 less

  /// What a step tells of each row: how it differs from the column before.
  struct Step {
    std::uint64_t plus;      ///< rows that have become 1 more
    std::uint64_t minus;     ///< rows that have become 1 less
    std::uint64_t diagonal;  ///< rows that are equal to the row above in the column before
  };
  /// Goes to the next column, whose symbol matches the rows of `equal`. The row above this word
  /// became 1 more (`carry_plus` is 1), 1 less (`carry_minus` is 1), or stayed (both are 0).
  GSX_HD Step step(std::uint64_t equal, std::uint64_t carry_plus, std::uint64_t carry_minus) {
    const std::uint64_t match = equal | carry_minus;
    const std::uint64_t diagonal = (((match & plus) + plus) ^ plus) | match | minus;
    const Step rows{minus | ~(diagonal | plus), plus & diagonal, diagonal};
    const std::uint64_t row_plus = rows.plus << 1 | carry_plus;
    plus = rows.minus << 1 | carry_minus | ~(diagonal | row_plus);
    minus = diagonal & row_plus;
    return rows;
  }
};

/// The last row of the matrix, column by column, of a pattern of at most 64 symbols, where a match
/// may begin anywhere. Values above edits + 1 are not told apart from that.
class ShortColumn {
 public:
  GSX_HD ShortColumn(const PatternMasksView& pattern, std::uint32_t edits)
      : pattern_(pattern), most_(edits + 1) {}
  /// Before the first symbol of a text.
  GSX_HD void restart() {
    word_ = {};
    score_ = pattern_.length;
  }
  GSX_HD void step(std::uint32_t code) {
    const ColumnWord::Step rows = word_.step(*pattern_.of(code), 0, 0);
    score_ += static_cast<std::uint32_t>(rows.plus >> (pattern_.length - 1) & 1);
    score_ -= static_cast<std::uint32_t>(rows.minus >> (pattern_.length - 1) & 1);
  }
  /// The distance of the pattern to the nearest substring that ends here.
  GSX_HD std::uint32_t value() const { return score_ < most_ ? score_ : most_; }

 private:
  PatternMasksView pattern_;
  std::uint32_t most_;
  std::uint32_t score_ = 0;
  ColumnWord word_;
};

/// The same for patterns of any length. Computes only the words from the first one to the last one
/// that may have a row with at most `edits` (the cut-off of Ukkonen, *Finding approximate patterns
/// in strings*, 1985, by words as in Myers, section 4). Cost: a step per such word, of which there
/// are edits / 64 + 1 where nothing is alike.
class LongColumn {
 public:
  /// Works in `words` and `scores`, each of pattern.words.
  GSX_HD LongColumn(const PatternMasksView& pattern, std::uint32_t edits, ColumnWord* words,
                    std::uint32_t* scores)
      : pattern_(pattern), edits_(edits), words_(words), scores_(scores) {}

  GSX_HD void restart() {
    // Row i has the value i.
    active_ = edits_ / 64 + 1 < pattern_.words ? edits_ / 64 + 1 : pattern_.words;
    for (std::uint32_t w = 0; w < active_; ++w) {
      words_[w] = {};
      scores_[w] = last_row(w);
    }
  }
  GSX_HD void step(std::uint32_t code) {
    const std::uint64_t* const equal = pattern_.of(code);
    const std::uint32_t before = scores_[active_ - 1];
    std::uint64_t plus = 0, minus = 0;  // of the row above
    for (std::uint32_t w = 0; w < active_; ++w)
      step_word(w, equal[w], plus, minus);
    if (active_ < pattern_.words && (before <= edits_ || scores_[active_ - 1] <= edits_)) {
      // A cell below may follow from one of these two. All others there were above `edits`, and are
      // taken to grow downwards, which is never too little.
      words_[active_] = {};
      scores_[active_] = before + last_row(active_) - last_row(active_ - 1);
      step_word(active_, equal[active_], plus, minus);
      ++active_;
    }
    // Rows of a word differ from its last one by less than there are.
    while (active_ > 1 &&
           scores_[active_ - 1] >= edits_ + last_row(active_ - 1) - last_row(active_ - 2))
      --active_;
  }
  GSX_HD std::uint32_t value() const {
    if (active_ < pattern_.words || scores_[active_ - 1] > edits_) return edits_ + 1;
    return scores_[active_ - 1];
  }

 private:
  /// Number of the last row of a word, from 1.
  GSX_HD std::uint32_t last_row(std::uint32_t w) const {
    return w + 1 < pattern_.words ? (w + 1) * 64 : pattern_.length;
  }
  GSX_HD void step_word(std::uint32_t w, std::uint64_t equal, std::uint64_t& plus,
                        std::uint64_t& minus) {
    const ColumnWord::Step rows = words_[w].step(equal, plus, minus);
    const std::uint32_t last = (last_row(w) - 1) % 64;
    plus = rows.plus >> last & 1;
    minus = rows.minus >> last & 1;
    scores_[w] += static_cast<std::uint32_t>(plus);
    scores_[w] -= static_cast<std::uint32_t>(minus);
  }

  PatternMasksView pattern_;
  std::uint32_t edits_;
  ColumnWord* words_;
  std::uint32_t* scores_;     ///< the value of the last row of each word
  std::uint32_t active_ = 0;  ///< words that are computed
};

}  // namespace gsx

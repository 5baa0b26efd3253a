// The alignment of a hit: where it begins, and which symbols stand beside each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "search/edits/columns.hpp"
#include "search/edits/edits.hpp"
#include "search/edits/pattern_masks.hpp"
#include "search/edits/strand_text.hpp"

namespace gsx {

/// How symbols of a pattern and a text stand beside each other.
enum class EditKind : char {
  match = '=',
  mismatch = 'X',
  insertion = 'I',  ///< a symbol of the pattern alone
  deletion = 'D',   ///< a symbol of the text alone
};

/// So many of one kind in a row.
struct EditRun {
  EditKind kind;
  std::uint32_t count;
  friend bool operator==(const EditRun&, const EditRun&) = default;
};

/// Finds the alignment of the rule: from the end of the hit back to the begin of the pattern, each
/// step takes a pair of symbols if some alignment with the fewest edits goes on so, else a symbol
/// of the pattern alone if one does, else a symbol of the text alone.
///
/// Computes a band of the matrix: a cell more than `edits` diagonals away from the end is in no
/// alignment with the fewest edits. Cells outside count as at least what they are, so no step is
/// taken to them, and which cells are computed does not change the alignment. (Cells of such an
/// alignment are the right ones in any such band; others are not too small.)
///
/// Cost: length + edits columns of 2 * edits + 1 rows, 64 rows per step. Memory: 2 bits per cell
/// of the band; if that is more than some MB, of about the root of the number of columns, and each
/// column is computed twice.
class EditAligner {
 public:
  /// Sets begin() and runs(). Pre: `edits` is the distance of the pattern to the nearest substring
  /// that ends at `end`, and less than the pattern's length.
  void align(const PatternMasksView& pattern, const StrandText& text, std::uint64_t end,
             std::uint32_t edits);

  /// Where the alignment begins: a place of the strand.
  std::uint64_t begin() const { return begin_; }
  /// The alignment, from the end to the begin of the pattern.
  const std::vector<EditRun>& backwards() const { return runs_; }

 private:
  struct Column {
    std::uint64_t diagonal;
    std::uint64_t plus;
  };
  struct Words {
    std::uint32_t first, last;  ///< words [first, last) of a column
  };
  Words band(std::uint64_t column) const;
  void compute(std::uint64_t first, std::uint64_t last, bool keep);
  void load(std::uint64_t part);
  void trace();
  void add(EditKind kind, std::uint32_t count);

  PatternMasksView pattern_;
  StrandText text_;
  std::uint32_t edits_ = 0;
  std::uint64_t from_ = 0;     ///< place before the first column
  std::uint64_t columns_ = 0;  ///< up to the end
  std::uint64_t part_ = 0;     ///< columns of a part
  std::uint32_t width_ = 0;    ///< most words of the band in a column
  std::vector<ColumnWord> words_;
  std::vector<ColumnWord> starts_;  ///< the words before each part
  std::vector<Column> kept_;        ///< [columns of a part][width_]
  std::uint64_t begin_ = 0;
  std::vector<EditRun> runs_;
};

/// The text as which SAM and PAF write an alignment: from left to right in the text, so backwards
/// on the reverse strand.
std::string cigar_of(const EditAligner& aligned, bool reverse);

}  // namespace gsx

#include "search/edits/alignment.hpp"

#include <algorithm>

namespace gsx {
namespace {

/// Bytes of columns that are kept at a time, unless the root of their number takes more.
constexpr std::uint64_t most_kept = std::uint64_t{1} << 20;

}  // namespace

/// The words with rows at most `edits_` diagonals from that of the end. The first ones need not be
/// there, as those of column 0.
EditAligner::Words EditAligner::band(std::uint64_t column) const {
  // Row i of column c is on diagonal i - c; the end on length - columns.
  const std::uint64_t middle = column + pattern_.length, reach = columns_ + edits_;
  const std::uint64_t highest = column + pattern_.length + edits_;  // + columns_ for the diagonal
  const std::uint64_t low = middle > reach ? middle - reach : 1;
  const std::uint64_t high = highest > columns_ ? highest - columns_ : 0;
  const auto last_row = static_cast<std::uint32_t>(std::min<std::uint64_t>(high, pattern_.length));
  return {static_cast<std::uint32_t>((low - 1) / 64), (last_row + 63) / 64};
}

/// Computes the columns (first, last] from that of `first`, and keeps them if that is asked for.
void EditAligner::compute(std::uint64_t first, std::uint64_t last, bool keep) {
  StrandReader reader(text_, from_ + first);
  std::uint32_t known = band(first).last;  // words of the column before
  for (std::uint64_t column = first + 1; column <= last; ++column) {
    const std::uint64_t* const equal = pattern_.of(reader.next());
    const Words words = band(column);
    for (; known < words.last; ++known)
      words_[known] = {};  // rows that grow downwards, which is never too little
    // Row 0 is 0 everywhere. A row that is not computed any more may be taken to grow.
    std::uint64_t plus = words.first == 0 ? 0 : 1, minus = 0;
    Column* const kept = keep ? kept_.data() + (column - first - 1) * width_ : nullptr;
    for (std::uint32_t w = words.first; w < words.last; ++w) {
      const ColumnWord::Step rows = words_[w].step(equal[w], plus, minus);
      plus = rows.plus >> 63;
      minus = rows.minus >> 63;
      if (keep) kept[w - words.first] = {rows.diagonal, words_[w].plus};
    }
  }
}

/// Computes a part again, and keeps its columns.
void EditAligner::load(std::uint64_t part) {
  const std::uint64_t first = part * part_;
  const Words words = band(first);
  for (std::uint32_t w = words.first; w < words.last; ++w)
    words_[w] = starts_[part * width_ + (w - words.first)];
  compute(first, std::min(columns_, first + part_), true);
}

void EditAligner::add(EditKind kind, std::uint32_t count) {
  if (!runs_.empty() && runs_.back().kind == kind) {
    runs_.back().count += count;
  } else {
    runs_.push_back({kind, count});
  }
}

void EditAligner::trace() {
  std::uint64_t loaded = (columns_ - 1) / part_;
  std::uint32_t row = pattern_.length;
  std::uint64_t column = columns_;
  while (row > 0) {
    if (column == 0) {  // the text begins here
      add(EditKind::insertion, row);
      break;
    }
    const std::uint64_t part = (column - 1) / part_;
    if (part != loaded) load(part);
    loaded = part;
    const std::uint32_t word = (row - 1) / 64, bit = (row - 1) % 64;
    const Column& cell = kept_[(column - 1 - part * part_) * width_ + word - band(column).first];
    const bool is_equal = (pattern_.of(text_[from_ + column - 1])[word] >> bit & 1) != 0;
    if (is_equal || (cell.diagonal >> bit & 1) == 0) {
      add(is_equal ? EditKind::match : EditKind::mismatch, 1);
      --row;
      --column;
    } else if ((cell.plus >> bit & 1) != 0) {
      add(EditKind::insertion, 1);
      --row;
    } else {
      add(EditKind::deletion, 1);
      --column;
    }
  }
  begin_ = from_ + column;
}

void EditAligner::align(const PatternMasksView& pattern, const StrandText& text, std::uint64_t end,
                        std::uint32_t edits) {
  pattern_ = pattern;
  text_ = text;
  edits_ = edits;
  columns_ = std::min<std::uint64_t>(end, std::uint64_t{pattern.length} + edits);
  from_ = end - columns_;
  width_ = std::min(pattern.words, (2 * edits + 1 + 62) / 64 + 1);
  words_.assign(pattern.words, {});
  runs_.clear();
  part_ = std::max<std::uint64_t>(1, most_kept / (width_ * sizeof(Column)));
  if (part_ < columns_)  // parts, and columns of a part, in about the same number
    while (part_ * part_ < columns_)
      ++part_;
  part_ = std::min(part_, columns_);
  kept_.resize(part_ * width_);
  const std::uint64_t parts = (columns_ + part_ - 1) / part_;
  starts_.resize(parts * width_);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = part * part_;
    const Words words = band(first);
    for (std::uint32_t w = words.first; w < words.last; ++w)
      starts_[part * width_ + (w - words.first)] = words_[w];
    compute(first, std::min(columns_, first + part_), part + 1 == parts);
  }
  trace();
}

std::string cigar_of(const EditAligner& aligned, bool reverse) {
  std::vector<EditRun> runs = aligned.backwards();
  if (!reverse) std::reverse(runs.begin(), runs.end());
  std::string cigar;
  for (const EditRun& run : runs) {
    cigar += std::to_string(run.count);
    cigar += static_cast<char>(run.kind);
  }
  return cigar;
}

}  // namespace gsx

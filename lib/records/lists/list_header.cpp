#include "records/lists/list_header.hpp"

#include <algorithm>

#include "records/lists/list_evidence.hpp"
#include "records/lists/list_words.hpp"

namespace gsx {
namespace {

/// Letters of plain sequences that are surely no short proteins.
constexpr std::size_t surely_plain = 8;

bool has_plain_sequence(const ListFields& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (is_plain_sequence(fields[i], least_plain_sequence)) return true;
  return false;
}

class HeaderJudge {
 public:
  HeaderJudge(const ListedRows& rows, const ListColumns& columns, ListForm form)
      : rows_(rows), first_(rows[0]), columns_(columns), form_(form) {}

  bool is_header() const {
    if (has_plain_sequence(first_)) return false;
    if (columns_.reverse != ListColumns::none)
      return is_heading(columns_.sequence) && is_heading(columns_.reverse);
    const std::size_t column = first_.size() < 2 && columns_.declared ? 0 : columns_.sequence;
    return is_heading(column) || lacks_number(column);
  }

 private:
  /// Whether the field heads a column of sequences.
  bool is_heading(std::size_t column) const {
    const std::string_view field = first_[column];
    const Letters letters = letters_of(field), others = rows_.letters(column, 1);
    const bool known = heading_of(field) != Heading::other;
    if (field.size() < 2 && form_ != ListForm::pairs) return false;
    const bool are_plain = rows_.are_plain(column, 1, least_plain_sequence);
    if (known && (are_headings_beside(column) || (are_plain && is_heading_beside(column))))
      return true;
    if (known && letters == Letters::bases && first_.size() > 1 && columns_.declared &&
        form_ == ListForm::named)
      return false;  // a short sequence with its name
    // Capital letters may be a peptide among those that look like codes of bases.
    const bool is_text = others == Letters::bases || letters == Letters::none || has_lower(field);
    if (!known) return others <= Letters::codes && is_text && is_unknown_heading(column);
    if (others <= Letters::codes && is_text && is_word(field)) return true;
    if (has_lower(field) && !rows_.have_lower(column, 1)) return true;
    return others < letters && (is_text || is_heading_beside(column));
  }
  /// Whether a word that is in no list of headings seems to be one.
  bool is_unknown_heading(std::size_t column) const {
    const std::string_view field = first_[column];
    if (field.size() < 3 || field.find('*') != field.npos || !is_word(field)) return false;
    if (is_numbered_beside(column)) return false;
    if (letters_of(field) == Letters::none) return true;
    if (is_heading_beside(column)) return rows_.are_plain(column, 1, least_plain_sequence);
    // A word written as the sequences are may be one of them with a wrong letter.
    return has_lower(field) && !rows_.have_lower(column, 1) &&
           rows_.are_plain(column, 1, first_.size() < 2 ? least_plain_sequence : surely_plain);
  }
  /// Whether the first line has a heading in another column.
  bool is_heading_beside(std::size_t column) const {
    for (std::size_t c = 0; c < first_.size(); ++c)
      if (c != column && heading_of(first_[c]) != Heading::other) return true;
    return false;
  }
  /// Whether it has digits in another column where all lines have some, as wells and names do, and
  /// no heading without digits.
  bool is_numbered_beside(std::size_t column) const {
    bool numbered = false;
    for (std::size_t c = 0; c < first_.size(); ++c) {
      if (c == column) continue;
      const bool digits = first_[c].find_first_of("0123456789") != std::string_view::npos;
      if (!digits && heading_of(first_[c]) != Heading::other) return false;
      numbered = numbered || rows_.have_digits(c, 0);
    }
    return numbered;
  }
  /// Whether it has one in all others, as far as these have words.
  bool are_headings_beside(std::size_t column) const {
    for (std::size_t c = 0; c < first_.size(); ++c)
      if (c != column && !first_[c].empty() && heading_of(first_[c]) == Heading::other)
        return false;
    return is_heading_beside(column);
  }
  /// Whether the first line has a word where all others have a number.
  bool lacks_number(std::size_t column) const {
    for (std::size_t c = 0; c < rows_.most_columns(); ++c) {
      if (c == columns_.sequence || c == columns_.name) continue;
      const std::string_view field = first_[c];
      if (field.empty() || is_number(field) || !rows_.are_numbers(c, 1)) continue;
      // A sequence beside a wrong count is data.
      if (heading_of(field) != Heading::other || letters_of(first_[column]) > Letters::codes)
        return true;
    }
    return false;
  }

  const ListedRows& rows_;
  const ListFields& first_;
  const ListColumns& columns_;
  ListForm form_;
};

}  // namespace

bool is_list_header(const ListedRows& rows, const ListColumns& columns, ListForm form) {
  return HeaderJudge(rows, columns, form).is_header();
}

std::vector<std::string_view> without_repeats(const std::vector<std::string_view>& lines,
                                              char separator) {
  ListFields first;
  first.split(lines[0], separator);
  std::vector<std::string_view> kept = lines;
  if (!has_plain_sequence(first))
    kept.erase(std::remove(kept.begin() + 1, kept.end(), lines[0]), kept.end());
  return kept;
}

}  // namespace gsx

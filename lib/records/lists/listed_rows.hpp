// The lines that a list begins with, as a table, and what its fields may be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/lists/list_columns.hpp"

namespace gsx {

/// What a field may be, from the plainest sequence on.
enum class Letters : std::uint8_t { bases, codes, others, none };

Letters letters_of(std::string_view field);
bool is_number(std::string_view field);
bool has_lower(std::string_view field);
bool has_upper(std::string_view field);
/// Whether a field is a sequence of A C G T U N I, in either case, with at least `least` of them.
bool is_plain_sequence(std::string_view field, std::size_t least);
/// Whether a field is a whole number from 1.
bool is_count(std::string_view field);
/// Whether a field names a well, as A1 or H12.
bool is_well(std::string_view field);
/// Whether a field is a word, as "forward", and no sequence, even one with a wrong letter.
bool is_word(std::string_view field);

/// The lines of a list that has begun.
struct StartLines {
  std::vector<std::string_view> lines;  ///< with fields
  char separator = 0;                   ///< which a first line `sep=;` declares; else 0
  std::string_view comment;             ///< the one right before the first of them, without #

  /// The last line counts only if `whole`, or if it has its end.
  StartLines(std::string_view start, bool whole);
};

/// What separates the columns of a table: a tab if every line has one, else a comma, else a
/// semicolon if every line has one, else a space, which stands for blanks.
char separator_of(const std::vector<std::string_view>& lines);
/// What may separate the columns of a list: a tab, which some lines may lack; and if not every line
/// has one, separator_of() them, or if every line has commas and semicolons, either.
std::string separators_of(const std::vector<std::string_view>& lines);

/// The lines of the start of a list, in fields.
class ListedRows {
 public:
  ListedRows(const std::vector<std::string_view>& lines, char separator) : fields_(lines.size()) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      fields_[i].split(lines[i], separator);
      most_ = std::max(most_, fields_[i].size());
      least_ = std::min(least_, fields_[i].size());
    }
  }

  std::size_t size() const { return fields_.size(); }
  const ListFields& operator[](std::size_t row) const { return fields_[row]; }
  std::size_t most_columns() const { return most_; }
  std::size_t least_columns() const { return least_; }

  /// The worst letters of a column from row `from` on; none if a row lacks it.
  Letters letters(std::size_t column, std::size_t from) const {
    Letters worst = Letters::bases;
    for (std::size_t row = from; row < size(); ++row)
      worst = std::max(worst, letters_of(fields_[row][column]));
    return from < size() ? worst : Letters::none;
  }
  bool are_plain(std::size_t column, std::size_t from, std::size_t least) const {
    return all(column, from, [least](auto field) { return is_plain_sequence(field, least); });
  }
  bool are_counts(std::size_t column, std::size_t from) const {
    return all(column, from, is_count);
  }
  /// Whether some are whole numbers from 1, and all others are empty.
  bool are_some_counts(std::size_t column, std::size_t from) const {
    return any_field(column, from) &&
           all(column, from, [](auto field) { return field.empty() || is_count(field); });
  }
  bool are_wells(std::size_t column, std::size_t from) const { return all(column, from, is_well); }
  /// Whether all are filled, and none has letters alone.
  bool are_no_sequences(std::size_t column, std::size_t from) const {
    return all(column, from,
               [](auto field) { return !field.empty() && letters_of(field) == Letters::none; });
  }
  /// Whether all are letters, and some end in the sign of a stop.
  bool are_proteins(std::size_t column, std::size_t from) const {
    return letters(column, from) == Letters::others &&
           !all(column, from, [](auto field) { return field.find('*') == field.npos; });
  }
  /// Whether each has a digit.
  bool have_digits(std::size_t column, std::size_t from) const {
    return all(column, from,
               [](auto field) { return field.find_first_of("0123456789") != field.npos; });
  }
  bool are_numbers(std::size_t column, std::size_t from) const {
    return all(column, from, is_number);
  }
  bool any_number(std::size_t column, std::size_t from) const {
    for (std::size_t row = from; row < size(); ++row)
      if (is_number(fields_[row][column])) return true;
    return false;
  }
  bool any_field(std::size_t column, std::size_t from) const {
    for (std::size_t row = from; row < size(); ++row)
      if (!fields_[row][column].empty()) return true;
    return false;
  }
  bool are_filled(std::size_t column, std::size_t from) const {
    for (std::size_t row = from; row < size(); ++row)
      if (fields_[row][column].empty()) return false;
    return from < size();
  }
  bool have_lower(std::size_t column, std::size_t from) const {
    for (std::size_t row = from; row < size(); ++row)
      if (has_lower(fields_[row][column])) return true;
    return false;
  }
  bool are_distinct(std::size_t column, std::size_t from) const {
    std::vector<std::string_view> values;
    for (std::size_t row = from; row < size(); ++row)
      values.push_back(fields_[row][column]);
    std::ranges::sort(values);
    return std::ranges::adjacent_find(values) == values.end();
  }
  /// Symbols of a column in all rows.
  std::size_t symbols(std::size_t column, std::size_t from) const {
    std::size_t sum = 0;
    for (std::size_t row = from; row < size(); ++row)
      sum += fields_[row][column].size();
    return sum;
  }

 private:
  template <class Is>
  bool all(std::size_t column, std::size_t from, const Is& is) const {
    for (std::size_t row = from; row < size(); ++row)
      if (!is(fields_[row][column])) return false;
    return from < size();
  }

  std::vector<ListFields> fields_;
  std::size_t most_ = 0, least_ = ~std::size_t{0};
};

}  // namespace gsx

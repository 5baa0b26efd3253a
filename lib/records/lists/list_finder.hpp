// Finds the columns of a list that is separated in one way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/messages.hpp"
#include "records/lists/headed_columns.hpp"
#include "records/lists/list_columns.hpp"
#include "records/lists/list_evidence.hpp"
#include "records/lists/list_header.hpp"
#include "records/lists/list_words.hpp"
#include "records/lists/listed_rows.hpp"
#include "records/lists/primer_names.hpp"

namespace gsx {

/// Letters that primers have at least, where other columns may be sequences, too.
constexpr std::size_t least_primer = 10;

/// Finds the columns of a list that is separated in one way.
class ColumnFinder {
 public:
  ColumnFinder(const StartLines& start, char separator, ListForm form)
      : lines_(without_repeats(start.lines, separator)),
        rows_(lines_, separator),
        form_(form),
        separator_(separator) {
    if (!start.comment.empty()) comment_.split(start.comment, separator);
  }

  std::optional<ListColumns> find() {
    // Not every line needs a tab: those without one have a sequence alone.
    if (separator_ != '\t' && rows_.least_columns() < 2) return std::nullopt;
    if (rows_.size() == 1 && is_header_alone()) return header_alone();
    if (auto found = find_from(1); found && is_list_header(rows_, *found, form_))
      return finished(std::move(*found));
    if (auto found = find_from(0)) return finished(std::move(*found));
    return std::nullopt;
  }
  /// The columns of a list of single primers, two lines for a pair, such as an order sheet: all
  /// names tell which primer a line has, and no other column has any. With `any_names`, of which an
  /// error tells, there are several lines. Pre: the form is `named`.
  std::optional<ListColumns> find_single_primers(bool any_names = false) {
    std::optional<ListColumns> found = find();
    if (!found || found->empty || found->name == ListColumns::none) return std::nullopt;
    if (any_names && rows_.size() < from_ + 2) return std::nullopt;
    for (std::size_t row = from_; row < rows_.size(); ++row) {
      if (!any_names && primer_names(rows_[row][found->name]).empty()) return std::nullopt;
      for (std::size_t c = 0; c < rows_.most_columns(); ++c)
        if (c != found->sequence && c != found->name && may_be_primer(rows_[row][c]))
          return std::nullopt;
    }
    found->note +=
        (found->note.empty() ? "" : "; ") + std::string("two lines are a pair of primers");
    return found;
  }
  /// How little these columns, which have been found, are sequences: the worst letters, then how
  /// few there are.
  std::pair<Letters, std::size_t> doubt(const ListColumns& columns) const {
    if (columns.empty) return {Letters::none, 0};
    Letters worst = rows_.letters(columns.sequence, from_);
    std::size_t symbols = rows_.symbols(columns.sequence, from_);
    if (columns.reverse != ListColumns::none) {
      worst = std::max(worst, rows_.letters(columns.reverse, from_));
      symbols += rows_.symbols(columns.reverse, from_);
    }
    return {worst, ~symbols};
  }
  /// Whether the first line may say what the columns are.
  bool begins_with_words() const {
    const ListFields& first = rows_[0];
    bool any = false;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const bool heads = heading_of(first[i]) != Heading::other && has_lower(first[i]);
      if (!heads && (letters_of(first[i]) <= Letters::codes || is_number(first[i]))) return false;
      any = any || heads;
    }
    return any;
  }

  /// The columns of a list whose only line is a header.
  ListColumns header_alone() const {
    ListColumns columns = declared_columns(form_);
    columns.separator = separator_;
    columns.header = lines_[0];
    columns.empty = true;
    columns.note = "the first line is taken for a header";
    return columns;
  }

 private:
  static bool may_be_primer(std::string_view field) {
    return is_plain_sequence(field, least_plain_sequence) ||
           (field.size() >= least_primer && letters_of(field) <= Letters::codes);
  }
  /// The columns where data begin in row `from`: in the declared order, by a header, or by the
  /// longest sequences.
  std::optional<ListColumns> find_from(std::size_t from) {
    if (from >= rows_.size()) return std::nullopt;
    from_ = from;
    const ListFields* const header = header_of_rows();
    std::optional<ListColumns> named = header != nullptr ? by_header(*header) : std::nullopt;
    std::optional<ListColumns> declared = in_declared_order();
    if (declared && !(named && contradicts(*header, *named, *declared))) return declared;
    if (named) return named;
    return by_length();
  }

  /// Whether a header names other columns, and not the declared ones.
  bool contradicts(const ListFields& header, const ListColumns& named,
                   const ListColumns& declared) const {
    const HeadedColumns headed(rows_, header, form_, from_);
    const auto is = [&](std::size_t column, Heading heading) {
      return column != ListColumns::none && heading_of(header[column]) == heading;
    };
    if (form_ == ListForm::counted) {
      if (named.count == ListColumns::none && is(declared.count, Heading::count)) return false;
      if (named.count != declared.count && rows_.any_field(declared.count, from_)) return true;
    } else if (rows_.most_columns() > 1 && named.name != ListColumns::none &&
               named.name != declared.name) {
      const bool known = heading_of(header[named.name]) != Heading::other;
      const bool better = headed.name_rank(named.name) > headed.name_rank(declared.name);
      if (better && (known || !rows_.are_distinct(declared.name, from_))) return true;
    }
    if (form_ == ListForm::pairs)
      return named.sequence != declared.sequence || named.reverse != declared.reverse;
    const std::size_t column = rows_.most_columns() == 1 ? 0 : declared.sequence;
    return named.sequence != column &&
           headed.column_rank(named.sequence, Heading::sequence) >
               headed.column_rank(column, Heading::sequence) &&
           (from_ == 1 || rows_.letters(named.sequence, from_) <= rows_.letters(column, from_));
  }

  std::optional<ListColumns> in_declared_order() const {
    const ListColumns columns = declared_columns(form_);
    if (form_ != ListForm::pairs && is_evident_elsewhere(rows_, from_, columns.sequence))
      return std::nullopt;
    if (form_ == ListForm::counted) {
      for (std::size_t row = from_; row < rows_.size(); ++row) {
        const ListFields& fields = rows_[row];
        const bool indented = fields[0].empty();  // the sequence alone, behind a tab
        if (letters_of(fields[indented ? 1 : 0]) > Letters::codes) return std::nullopt;
      }
      if (!rows_.any_number(1, from_) && rows_.any_field(1, from_) &&
          rows_.letters(0, from_) <= Letters::codes)
        return std::nullopt;
      const bool behind = !rows_.any_field(1, from_) && count_beside(0) != ListColumns::none;
      return behind ? std::nullopt : std::optional(columns);
    }
    if (form_ == ListForm::pairs) {
      const auto plain = plain_columns(rows_, from_, least_primer);
      if (plain.size() == 2 && (plain[0] != 1 || plain[1] != 2)) return std::nullopt;
      const Letters worst = std::max(rows_.letters(1, from_), rows_.letters(2, from_));
      const bool fits = worst <= Letters::codes ||
                        (worst == Letters::others && rows_.letters(0, from_) > Letters::codes);
      return fits ? std::optional(columns) : std::nullopt;
    }
    return named_in_declared_order();
  }
  std::optional<ListColumns> named_in_declared_order() const {
    const ListColumns columns = declared_columns(form_);
    Letters worst = Letters::bases;
    std::size_t symbols = 0;
    for (std::size_t row = from_; row < rows_.size(); ++row) {
      const ListFields& fields = rows_[row];
      const std::string_view sequence = fields.size() < 2 ? fields[0] : fields[1];
      worst = std::max(worst, letters_of(sequence));
      symbols += sequence.size();
    }
    if (worst == Letters::none) return std::nullopt;
    if (worst == Letters::others) {  // of a protein, or of names that stand behind the sequence
      for (std::size_t c = 0; c < rows_.most_columns(); ++c) {
        const bool is_better = c != 1 && rows_.most_columns() > 1 &&
                               rows_.letters(c, from_) <= Letters::codes &&
                               2 * rows_.symbols(c, from_) >= symbols;
        if (is_better) return std::nullopt;
      }
    }
    if (separator_ == '\t') return columns;
    // A sequence with a blank or a comma inside is none with a name.
    if (from_ == 0 && !is_table() && rows_.letters(0, 0) == Letters::bases &&
        2 * rows_.symbols(0, 0) >= symbols)
      return std::nullopt;
    const bool are_counts = separator_ == ' ' && rows_.are_numbers(0, from_) && begin_with_blanks();
    return are_counts ? std::nullopt : std::optional(columns);
  }
  /// As `uniq -c` writes counts.
  bool begin_with_blanks() const {
    for (std::size_t row = from_; row < lines_.size(); ++row)
      if (lines_[row].find_first_not_of(" \t") == 0) return false;
    return true;
  }

  std::optional<ListColumns> by_header(const ListFields& header) const {
    ListColumns columns;
    columns.declared = false;
    const bool pairs = form_ == ListForm::pairs;
    const HeadedColumns headed(rows_, header, form_, from_);
    columns.sequence = headed.column_of(pairs ? Heading::forward : Heading::sequence);
    if (columns.sequence == ListColumns::none) return std::nullopt;
    if (rows_.letters(columns.sequence, from_) > Letters::others) return std::nullopt;
    if (pairs) {
      columns.reverse = headed.column_of(Heading::reverse);
      if (columns.reverse == ListColumns::none) return std::nullopt;
      if (rows_.letters(columns.reverse, from_) > Letters::others) return std::nullopt;
    }
    columns.name = headed.name_in(columns);
    if (form_ == ListForm::counted) {
      columns.name = ListColumns::none;
      columns.count = count_beside(columns.sequence);
    }
    return columns;
  }
  std::optional<ListColumns> by_length() const {
    ListColumns columns;
    columns.declared = false;
    if (form_ == ListForm::pairs) {
      std::vector<std::size_t> found = plain_columns(rows_, from_, least_primer);
      if (found.size() != 2) {
        found.clear();
        const std::size_t least = least_plain_sequence * (rows_.size() - from_);
        for (std::size_t c = 0; c < rows_.most_columns(); ++c)
          if (rows_.letters(c, from_) <= Letters::codes && rows_.symbols(c, from_) >= least)
            found.push_back(c);
      }
      if (found.size() < 2) return std::nullopt;
      std::ranges::stable_sort(found, [this](auto a, auto b) { return longer(a, b); });
      columns.sequence = std::min(found[0], found[1]);
      columns.reverse = std::max(found[0], found[1]);
    } else {
      for (const std::size_t c : plain_columns(rows_, from_, least_plain_sequence))
        if (columns.sequence == ListColumns::none || longer(c, columns.sequence))
          columns.sequence = c;
      for (const Letters most : {Letters::codes, Letters::others}) {
        if (columns.sequence != ListColumns::none) break;
        for (std::size_t c = 0; c < rows_.most_columns(); ++c) {
          if (rows_.letters(c, from_) > most) continue;
          if (columns.sequence == ListColumns::none || longer(c, columns.sequence))
            columns.sequence = c;
        }
        if (columns.sequence != ListColumns::none || form_ == ListForm::counted) break;
      }
      if (columns.sequence == ListColumns::none || is_ambiguous(columns.sequence) ||
          lacks_declared(columns.sequence))
        return std::nullopt;
    }
    if (form_ == ListForm::counted) {
      columns.count = count_beside(columns.sequence);
    } else {
      columns.name = name_beside(columns);
    }
    return columns;
  }
  bool longer(std::size_t a, std::size_t b) const {
    return rows_.symbols(a, from_) > rows_.symbols(b, from_);
  }
  /// Whether the separator surely is one: a tab, or a column is filled and has no sequences.
  bool is_table() const {
    for (std::size_t c = 0; c < rows_.most_columns() && separator_ != '\t'; ++c)
      if (rows_.are_no_sequences(c, from_)) return true;
    return separator_ == '\t';
  }
  /// Whether a blank or a comma may stand inside a sequence.
  bool is_ambiguous(std::size_t sequence) const {
    if (is_table()) return false;
    for (std::size_t c = 0; c < rows_.most_columns(); ++c) {
      if (c != sequence && rows_.letters(c, from_) == Letters::bases &&
          2 * rows_.symbols(c, from_) >= rows_.symbols(sequence, from_))
        return true;
    }
    return false;
  }
  /// Whether another column seems to be rather the one with the sequences, although a line lacks
  /// it, or has a wrong letter there; or whether the only words of the list are no sequences.
  bool lacks_declared(std::size_t sequence) const {
    const bool doubtful = rows_.letters(sequence, from_) > Letters::codes;
    // Half of a column is enough against other letters, in an order that is not the declared one.
    const std::size_t own = rows_.symbols(sequence, from_), most = doubtful ? 0 : own;
    std::size_t beside = 0;
    for (std::size_t c = 0; c < rows_.most_columns(); ++c) {
      if (c == sequence) continue;
      beside += rows_.any_field(c, from_) ? 1 : 0;
      std::size_t symbols = 0;
      for (std::size_t row = from_; row < rows_.size(); ++row) {
        const std::string_view field = rows_[row][c];
        symbols += is_word(field) || is_number(field) ? 0 : field.size();
      }
      const bool whole = rows_.letters(c, from_) <= Letters::codes;
      if (!whole && (symbols >= own || is_mostly_plain(rows_, from_, c, {most, doubtful})))
        return true;
    }
    return beside == 0 && rows_.most_columns() > 1 && doubtful;
  }
  /// The column that a header says has counts, or one behind the sequence that it says nothing of;
  /// without a header, the nearest column of whole numbers, first behind the sequence, rather one
  /// that no line lacks.
  std::size_t count_beside(std::size_t sequence) const {
    const ListFields* const header = header_of_rows();
    if (header != nullptr) {
      const std::size_t named =
          HeadedColumns(rows_, *header, form_, from_).column_of(Heading::count);
      if (named != ListColumns::none) return named;
    }
    for (const bool filled : {true, false}) {
      const auto may_be = [&](std::size_t c) {
        return filled ? rows_.are_counts(c, from_) : rows_.are_some_counts(c, from_);
      };
      for (std::size_t c = sequence + 1; c < rows_.most_columns(); ++c)
        if (may_be(c) && (header == nullptr || !says_something((*header)[c]))) return c;
      for (std::size_t c = sequence; c > 0 && header == nullptr; --c)
        if (may_be(c - 1)) return c - 1;
    }
    return ListColumns::none;
  }
  /// The line or the comment that may name the columns; null if there is none.
  const ListFields* header_of_rows() const {
    return from_ == 1 ? &rows_[0] : comment_.size() > 1 ? &comment_ : nullptr;
  }
  /// The first column that tells the lines apart, rather not by the wells of a plate.
  std::size_t name_beside(const ListColumns& columns) const {
    std::size_t found = ListColumns::none;
    for (std::size_t c = 0; c < rows_.most_columns(); ++c) {
      const bool taken = c == columns.sequence || c == columns.reverse;
      if (taken || rows_.any_number(c, from_) || !rows_.are_filled(c, from_) ||
          !rows_.are_distinct(c, from_))
        continue;
      if (!rows_.are_wells(c, from_)) return c;
      if (found == ListColumns::none) found = c;
    }
    return found;
  }

  /// Whether the only line has headings alone.
  bool is_header_alone() const {
    const ListFields& only = rows_[0];
    if (form_ == ListForm::pairs) return only.size() > 2 && is_word(only[1]) && is_word(only[2]);
    for (std::size_t i = 0; i < only.size(); ++i)
      if (heading_of(only[i]) == Heading::other || !has_lower(only[i])) return false;
    return only.size() > 1;
  }

  ListColumns finished(ListColumns columns) const {
    columns.form = form_;
    columns.separator = separator_;
    if (from_ == 1) columns.header = lines_[0];
    if (from_ == 1 && form_ == ListForm::counted && columns.declared && rows_.most_columns() > 1 &&
        count_beside(columns.sequence) != columns.count) {
      columns.count = count_beside(columns.sequence);
      columns.declared = false;
    }
    if (from_ == 1 && columns.name != ListColumns::none &&
        heading_of(rows_[0][columns.name]) == Heading::count) {
      columns.name = ListColumns::none;
      columns.declared = false;
    }
    if (const ListFields* const header = header_of_rows())
      columns.wrong = HeadedColumns(rows_, *header, form_, from_).tie_of_counts(columns.count);
    columns.counted = columns.count != ListColumns::none && rows_.any_number(columns.count, from_);
    columns.quoted = std::ranges::any_of(
        lines_, [](std::string_view line) { return line.find('"') != std::string_view::npos; });
    const std::size_t column = rows_.most_columns() == 1 ? 0 : columns.sequence;
    columns.suffixed = form_ != ListForm::pairs && has_suffixes(column);
    columns.note = list_note(rows_, columns, from_);
    return columns;
  }
  bool has_suffixes(std::size_t column) const {
    for (std::size_t row = from_; row < rows_.size(); ++row)
      if (without_suffix(rows_[row][column]).size() == rows_[row][column].size()) return false;
    return from_ < rows_.size();
  }

  std::vector<std::string_view> lines_;  ///< without those that repeat a header
  ListedRows rows_;
  ListFields comment_;  ///< the comment before the lines
  ListForm form_;
  char separator_;
  std::size_t from_ = 0;  ///< the first row with data
};

}  // namespace gsx

// Which columns of a list its header names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/messages.hpp"
#include "records/lists/list_columns.hpp"
#include "records/lists/list_evidence.hpp"
#include "records/lists/list_header.hpp"
#include "records/lists/list_words.hpp"
#include "records/lists/listed_rows.hpp"

namespace gsx {

/// Ranks the columns of a list by their headings, and by what they hold from row `from` on.
class HeadedColumns {
 public:
  HeadedColumns(const ListedRows& rows, const ListFields& header, ListForm form, std::size_t from)
      : rows_(rows), header_(header), form_(form), from_(from) {}

  /// The column with the names, of those that hold no sequences; ListColumns::none if none has.
  std::size_t name_in(const ListColumns& columns) const {
    std::size_t best = ListColumns::none;
    int most = 0;
    for (std::size_t c = 0; c < header_.size(); ++c) {
      if (c == columns.sequence || c == columns.reverse) continue;
      const int rank = name_rank(c);
      if (rank > most) best = c;
      most = std::max(most, rank);
    }
    return best;
  }
  /// The first column from `begin` on whose heading is the best of its kind, and that holds what it
  /// says.
  std::size_t column_of(Heading heading, std::size_t begin = 0) const {
    std::size_t best = ListColumns::none;
    for (std::size_t c = begin; c < header_.size(); ++c) {
      const int rank = column_rank(c, heading);
      if (rank > 0 && (best == ListColumns::none || rank > column_rank(best, heading))) best = c;
    }
    return best;
  }
  /// What is wrong if two columns are equally well headed as counts; empty if none are.
  std::string tie_of_counts(std::size_t count) const {
    if (form_ != ListForm::counted || count == ListColumns::none) return {};
    const int rank = column_rank(count, Heading::count);
    const std::size_t other = column_of(Heading::count, count + 1);
    if (rank == 0 || other == ListColumns::none || column_rank(other, Heading::count) != rank)
      return {};
    const auto shown = [this](std::size_t c) {
      return "column " + std::to_string(c + 1) + " ('" + shown_name(header_[c]) + "')";
    };
    return shown(count) + " and " + shown(other) +
           " may both be the counts; leave one of them out, or name the other otherwise";
  }
  /// How well a column that is none of sequences gives names; zero: it does not. Those that all
  /// differ come first, by their headings; then those that repeat under a heading of names, then
  /// those that differ under any other heading, then genes.
  int name_rank(std::size_t column) const {
    constexpr int distinct_and_headed = 20, repeated = 11, others = 10;
    const std::string_view field = header_[column];
    const Heading heading = heading_of(field);
    const bool distinct = rows_.are_distinct(column, from_);
    const bool numbers = rows_.any_number(column, from_);
    if (heading == Heading::name) {
      const bool sure = heading_rank(field) >= surely_names;
      const int rank = !sure && numbers ? 1 : heading_rank(field);
      return 2 * rank + (distinct ? distinct_and_headed : sure ? repeated - 2 * surely_names : 0);
    }
    if (!distinct || !rows_.are_filled(column, from_)) return 0;
    // What the sequences beside are, as "sgRNA", may head their names.
    if (heading == Heading::sequence) {
      const bool are_names = form_ == ListForm::named && !rows_.are_plain(column, from_, 1);
      return are_names ? distinct_and_headed + 2 * surely_names - 1 : 0;
    }
    const bool are_names = heading == Heading::other && !is_property_heading(field) && !numbers &&
                           !rows_.are_wells(column, from_) &&
                           !rows_.are_plain(column, from_, least_plain_sequence);
    return are_names ? others : 0;
  }
  /// How surely a column holds what its heading says; zero: it does not.
  int column_rank(std::size_t column, Heading heading) const {
    constexpr int best_of_others = 10;
    if (heading_of(header_[column]) != heading) return 0;
    const int rank = heading_rank(header_[column]);
    if (heading == Heading::count) {
      if (rows_.any_number(column, from_)) return best_of_others + rank;
      return rows_.any_field(column, from_) ? 0 : rank;
    }
    const Letters letters = rows_.letters(column, from_);
    if (letters > Letters::others) return 0;
    // Words under "sgRNA" may be names.
    return best_of_others +
           (heading == Heading::sequence && letters == Letters::others && rank == 2 ? 0 : rank);
  }

 private:
  const ListedRows& rows_;
  const ListFields& header_;
  ListForm form_;
  std::size_t from_;
};

}  // namespace gsx

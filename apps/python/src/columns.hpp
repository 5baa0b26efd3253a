// Tables of results, as columns of NumPy.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/columns.hpp"
#include "gsx/search.hpp"

namespace gsx::python {

/// A column of NumPy: its name, and the type of its values.
template <Literal name_, class T = std::int64_t>
struct Array {
  static constexpr auto name = name_;
  using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

  static nanobind::object take(std::vector<Stored>& values) {
    nanobind::object array = to_numpy(std::move(values));
    if constexpr (std::is_same_v<T, bool>) array = array.attr("view")("bool");
    return array;
  }
};

/// Rows, as columns of NumPy.
template <class... Column>
class PythonTable {
 public:
  /// Adds a row: a value for each column.
  template <class... Value>
  void add(const Value&... value) {
    std::apply(
        [&](auto&... column) {
          (column.push_back(static_cast<typename Column::Stored>(value)), ...);
        },
        columns_);
  }
  /// Moves the columns to a dict of arrays, behind those that it has.
  nanobind::dict take(nanobind::dict arrays = {}) {
    std::apply([&](auto&... column) { ((arrays[Column::name.text] = Column::take(column)), ...); },
               columns_);
    return arrays;
  }

 private:
  std::tuple<std::vector<typename Column::Stored>...> columns_;
};

/// Rows of integers, which have the columns of a list.
template <class Rows, class... Column>
nanobind::dict take_rows(const Rows& rows, Columns<Column...>) {
  PythonTable<Array<Column::name>...> table;
  for (const auto& row : rows)
    table.add(Column::of(row)...);
  return table.take();
}

/// Places in records of what is counted in the column `of`, and more of each.
template <Literal of, class... More>
struct PlaceTable
    : PythonTable<Array<of>, Array<"target">, Array<"start">, Array<"end">,
                  Array<"strand", std::int8_t>, Array<"mismatches", std::uint8_t>, More...> {
  template <class... Value>
  void add_place(std::size_t number, const Occurrence& at, const Value&... more) {
    this->add(number, at.record, at.begin, at.end, at.reverse ? -1 : 1, at.mismatches, more...);
  }
};

/// Calls visitor(i, hit) for all hits of a chunk, i being the number of the pattern in the batch.
template <class Chunk, class Visitor>
void for_each_hit(const Chunk& chunk, const Visitor& visitor) {
  std::size_t hit = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    for (; hit < chunk.ends[i]; ++hit)
      visitor(chunk.first + i, hit);
  }
}

}  // namespace gsx::python

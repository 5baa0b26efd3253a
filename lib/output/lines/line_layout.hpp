// Lines that are made of columns.
#pragma once

#include <cstddef>
#include <string>

#include "base/columns.hpp"
#include "output/lines/values.hpp"

namespace gsx {

/// A value of a line, a column or what else has of(row), and what stands before it.
template <Literal before_, class Value>
struct Field : Value {
  static constexpr auto before = before_;
};

/// Fields one after another, and what stands behind them.
template <class Values, Literal behind, class... Field>
struct LineLayout {
  /// Characters that put() may write.
  template <class Row>
  static std::size_t most(const Row& row) {
    return ((Field::before.size() + most_of(Field::of(row))) + ... + behind.size());
  }
  template <class Row>
  static char* put(char* at, const Row& row) {
    ((at = Values::put(put_text(at, Field::before.view()), Field::of(row))), ...);
    return put_text(at, behind.view());
  }
  template <class Row>
  static void write(LineWriter& lines, const Row& row) {
    lines.end(put(lines.begin(most(row)), row));
  }
  template <class Row>
  static void append(std::string& out, const Row& row) {
    const std::size_t begin = out.size();
    out.resize(begin + most(row));
    out.resize(static_cast<std::size_t>(put(out.data() + begin, row) - out.data()));
  }
};

namespace columns_detail {

template <class List, Literal behind>
struct Tabbed;
template <class First, class... More, Literal behind>
struct Tabbed<Columns<First, More...>, behind> {
  using type = LineLayout<TextValues, behind, Field<"", First>, Field<"\t", More>...>;
  static constexpr auto header = (First::name + ... + (Literal("\t") + More::name)) + behind;
};

template <Literal opening, class Column>
struct MemberField : Column {
  static constexpr auto before = opening + Column::json_name + Literal("\":");
};
template <class List, Literal behind>
struct Json;
template <class First, class... More, Literal behind>
struct Json<Columns<First, More...>, behind> {
  using type =
      LineLayout<JsonValues, behind, MemberField<"{\"", First>, MemberField<",\"", More>...>;
};

}  // namespace columns_detail

/// A line of columns with tabs between them: TSV and, of the right columns, BED.
template <class List, Literal behind = "\n">
using TabbedLine = typename columns_detail::Tabbed<List, behind>::type;

/// The line that names the columns.
template <class List, Literal behind = "\n">
inline constexpr const char* header_of = columns_detail::Tabbed<List, behind>::header.text;

/// The members of a JSON object, which `behind` closes.
template <class List, Literal behind = "}\n">
using JsonObject = typename columns_detail::Json<List, behind>::type;

}  // namespace gsx

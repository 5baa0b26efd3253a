// The columns of results, which are declared once for all formats.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace gsx {

/// A string that templates can take.
template <std::size_t room>
struct Literal {
  char text[room] = {};  ///< with a zero at the end

  constexpr Literal() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a string becomes one where a template takes it.
  consteval Literal(const char (&from)[room]) { std::copy_n(from, room, text); }
  static constexpr std::size_t size() { return room - 1; }
  constexpr std::string_view view() const { return {text, room - 1}; }
};

template <std::size_t a, std::size_t b>
consteval Literal<a + b - 1> operator+(const Literal<a>& first, const Literal<b>& second) {
  Literal<a + b - 1> joined;
  std::copy_n(first.text, a - 1, joined.text);
  std::copy_n(second.text, b, joined.text + a - 1);
  return joined;
}

/// A column: its name, and the member of a row, or the function of it, that has its value. The type
/// of the value decides how formats write it (see values.hpp). JSON may know it by another name.
template <Literal name_, auto member, Literal json_name_ = name_>
struct Column {
  static constexpr auto name = name_;
  static constexpr auto json_name = json_name_;

  template <class Row>
  static auto of(const Row& row) {
    if constexpr (std::is_member_function_pointer_v<decltype(member)>) {
      return (row.*member)();
    } else {
      return row.*member;
    }
  }
};

/// The columns of a kind of result, in their order.
template <class... Column>
struct Columns {};

namespace columns_detail {

template <class... Lists>
struct Joined;
template <class... A>
struct Joined<Columns<A...>> {
  using type = Columns<A...>;
};
template <class... A, class... B, class... Lists>
struct Joined<Columns<A...>, Columns<B...>, Lists...> : Joined<Columns<A..., B...>, Lists...> {};

template <class Column, Literal... names>
inline constexpr bool is_named = ((Column::name.view() == names.view()) || ...);

/// Those columns whose being one of the names is `wanted`.
template <class List, bool wanted, Literal... names>
struct Chosen;
template <class... Column, bool wanted, Literal... names>
struct Chosen<Columns<Column...>, wanted, names...>
    : Joined<Columns<>, std::conditional_t<is_named<Column, names...> == wanted, Columns<Column>,
                                           Columns<>>...> {};

}  // namespace columns_detail

/// The columns of several lists.
template <class... Lists>
using Joined = typename columns_detail::Joined<Lists...>::type;

/// The columns of these names, in the order of the names.
template <class List, Literal... names>
using Pick = Joined<Columns<>, typename columns_detail::Chosen<List, true, names>::type...>;

/// All other columns.
template <class List, Literal... names>
using Without = typename columns_detail::Chosen<List, false, names...>::type;

}  // namespace gsx

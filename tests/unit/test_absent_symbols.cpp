// Sets of symbols that an index lacks, in summaries.
#include <doctest/doctest.h>

#include <string>

#include "output/summary/absent_symbols.hpp"

using namespace gsx;

namespace {

std::string json_of(const AbsentSymbols& absent) {
  return json_text(absent.as_json());
}

}  // namespace

TEST_CASE("sets of absent symbols add up, and lose the symbols that others have") {
  AbsentSymbols one, other;
  one.add("J");
  one.add("JX", 2);
  other.add("J", 3);
  one.add(other);
  CHECK(json_of(one) == R"({"J":4,"JX":2})");
  CHECK(one.queries() == 6);
  CHECK(json_of(one.without("J")) == R"({"X":2})");
  CHECK(json_of(one.without("XJ")) == "{}");
  CHECK(one.without("").queries() == 6);
}

TEST_CASE("sets of any bytes are read as they were written") {
  std::string all;
  for (int byte = 1; byte < 256; ++byte)
    all += static_cast<char>(byte);
  AbsentSymbols absent;
  absent.add(all, 7);
  for (const char byte : all)
    absent.add(std::string(1, byte));
  CHECK(AbsentSymbols::of_json(parse_json(json_of(absent))) == absent);
}

TEST_CASE("too many sets are no sets") {
  AbsentSymbols absent;
  const auto set = [](std::size_t i) { return std::string(1, 'a') + std::to_string(i); };
  for (std::size_t i = 0; i < AbsentSymbols::most_sets; ++i)
    absent.add(set(i));
  CHECK_FALSE(absent.too_many());
  AbsentSymbols more = absent;
  more.add(set(AbsentSymbols::most_sets));
  CHECK(more.too_many());
  CHECK(json_of(more) == "null");
  absent.add(more);
  CHECK(absent.too_many());
  CHECK(absent.queries() == 0);
  CHECK(absent.without("a").too_many());
  CHECK(AbsentSymbols::of_json({})->too_many());
}

TEST_CASE("what is no set of symbols is refused") {
  for (const std::string_view bad :
       {"1", "true", "\"J\"", "[\"J\"]", R"({"\u12ab":1})", R"({"\ud83d\ude00":1})", R"({"J":-1})",
        R"({"J":1.0})", R"({"J":null})", R"({"J":"1"})", R"({"J":99999999999999999999})"}) {
    CAPTURE(bad);
    CHECK_FALSE(AbsentSymbols::of_json(parse_json(bad)).has_value());
  }
  JsonMembers many;
  for (std::size_t i = 0; i <= AbsentSymbols::most_sets; ++i)
    many.push_back({std::to_string(i), std::uint64_t{1}});
  CHECK_FALSE(AbsentSymbols::of_json(many).has_value());
}

// Sets of symbols that an index lacks, in summaries.
#include <doctest/doctest.h>

#include <string>

#include "output/lines/absent_symbols.hpp"
#include "output/lines/text_format.hpp"

using namespace gsx;

namespace {

std::string json_of(const AbsentSymbols& absent) {
  std::string json;
  absent.append_json(json);
  return json;
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
  const std::string json = json_of(absent) + ",rest";
  std::string_view text = json;
  AbsentSymbols read;
  REQUIRE(read.take_json(text));
  CHECK(text == ",rest");
  CHECK(json_of(read) == json_of(absent));
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
  std::string_view text = "null}";
  AbsentSymbols read;
  REQUIRE(read.take_json(text));
  CHECK(read.too_many());
  CHECK(text == "}");
}

TEST_CASE("what is no set of symbols is refused") {
  for (const std::string_view bad :
       {"", "{", "nul", "{\"J\"", "{\"J\":}", "{\"J\":1,}", "{\"J\":1\"X\":1}", "{J:1}", "{\"J",
        "{\"\\", "{\"\\u00", "{\"\\u12ab\":1}", "{\"\\u00zz\":1}", "{\"J\":-1}",
        "{\"J\":1,\"J\":2}", "{\"J\":99999999999999999999}"}) {
    CAPTURE(bad);
    std::string_view text = bad;
    AbsentSymbols read;
    CHECK_FALSE(read.take_json(text));
  }
}

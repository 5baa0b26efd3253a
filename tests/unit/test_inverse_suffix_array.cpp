// The inverse of a suffix array: the row of each position's suffix.
#include <doctest/doctest.h>

#include "gsx/error.hpp"
#include "gsx/suffix_array.hpp"
#include "index/sa/builder.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The inverse of `rows`, by searching all rows for each position.
std::vector<std::uint64_t> naive_inverse(const std::vector<std::uint64_t>& rows) {
  std::vector<std::uint64_t> inverse(rows.size());
  for (std::uint64_t p = 0; p < rows.size(); ++p)
    inverse[p] = static_cast<std::uint64_t>(std::ranges::find(rows, p) - rows.begin());
  return inverse;
}

template <class Rows>
std::vector<std::uint64_t> entries_of(const Rows& rows) {
  std::vector<std::uint64_t> all(rows.size());
  for (std::uint64_t i = 0; i < rows.size(); ++i)
    all[i] = rows[i];
  return all;
}

std::size_t entry_bytes(const PositionArray& array) {
  return array.visit([](const auto* entries) { return sizeof(*entries); });
}

}  // namespace

TEST_CASE("inverse: entry p is the row of position p, in entries of the array's width") {
  Random random(911);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  for (const Text& text :
       {make_text({random_string(random, 3000, "ACGT"), "A", std::string(500, 'G')}),
        make_text({random_string(random, 2000, letters), "MKV"}, SymbolPolicy::protein),
        make_text({fibonacci_word(2000, 'a', 'z'), "b#"}, SymbolPolicy::bytes)}) {
    const auto expected = naive_inverse(naive_suffix_array(text.view()));
    for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
      const SuffixArray rows = build_suffix_array(text.view(), 2, width);
      for (const int threads : {0, 1, 3}) {
        const InverseSuffixArray inverse = inverse_suffix_array(rows, threads);
        CHECK(entries_of(inverse) == expected);
        CHECK(entry_bytes(inverse) == entry_bytes(rows));
      }
    }
  }
}

TEST_CASE("inverse: bytes, one symbol, nothing") {
  Random random(912);
  for (const std::string& bytes : {std::string(), std::string("x"), std::string("banana"),
                                   std::string(300, '\0'), random_string(random, 2500, "ab")}) {
    CAPTURE(bytes.size());
    const SuffixArray rows = suffix_array(bytes, {.device = "cpu"});
    CHECK(entries_of(inverse_suffix_array(rows)) == naive_inverse(entries_of(rows)));
  }
}

TEST_CASE("inverse: more rows than a thread takes at a time") {
  Random random(913);
  const SuffixArray rows =
      suffix_array(random_string(random, 300'000, "ACGT"), {.device = "cpu", .threads = 2});
  const InverseSuffixArray inverse = inverse_suffix_array(rows, 3);
  REQUIRE(inverse.size() == rows.size());
  std::uint64_t wrong = 0;
  for (std::uint64_t row = 0; row < rows.size(); ++row)
    wrong += inverse[rows[row]] != row;
  CHECK(wrong == 0);
}

TEST_CASE("inverse: an array that lacks some of its rows is refused") {
  SuffixArray rows = suffix_array(make_text({"ACGT", "GG"}), {.device = "cpu"});
  rows.drop_first(2);  // without the separators
  CHECK_THROWS_WITH_AS(
      inverse_suffix_array(rows),
      doctest::Contains("of 6 rows holds position 6: only a whole suffix array has an inverse"),
      UsageError);
}

// The two suffix array checkers, with and without the inverse, on right and wrong arrays.
#include <doctest/doctest.h>

#include "index/sa/checker.hpp"
#include "index/sa/row_check.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"
#include "support/wrong_arrays.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Does what kernels/index/sa/row_checker.cu does, row by row.
template <class Pos>
bool is_suffix_array(const TextView& text, const Pos* rows) {
  const std::uint64_t n = text.length();
  std::vector<Pos> inverse(n, RowCheck<Pos>::unset);
  const RowCheck<Pos> check{text, rows, inverse.data()};
  bool right = true;
  for (std::uint64_t row = 0; row < n; ++row) {
    if (check.may_hold(row)) {
      inverse[rows[row]] = static_cast<Pos>(row);
    } else {
      right = false;
    }
  }
  for (std::uint64_t row = 0; row < n; ++row) {
    right = right && check.is_taken(row);
    if (row > text.segments.count) {
      const bool ordered = check.comes_before(check.key(row - 1), check.key(row));
      right = right && ordered;  // keys are read even if the answer no longer matters
    }
  }
  return right;
}

std::vector<Text> texts() {
  std::vector<Text> all;
  for (const auto& sequences : thinned(adversarial_collections(2)))
    all.push_back(make_text(sequences));
  Random random(21);
  all.push_back(make_text({random_string(random, 900, "ACDEFGHIKLMNPQRSTVWY"), "AAA", "W"},
                          SymbolPolicy::protein));
  all.push_back(make_text({random_string(random, 700, "ab"), "a", "a"}, SymbolPolicy::bytes));
  return all;
}

}  // namespace

TEST_CASE("both checkers find an array wrong exactly when it is") {
  Random random(22);
  for (const Text& text : texts()) {
    const TextView view = text.view();
    const auto right = naive_suffix_array(view);
    auto arrays = wrong_arrays(right, view.segments.count, random, 5);
    arrays.push_back(right);
    for (const auto& array : arrays) {
      for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
        const SuffixArray rows = as_suffix_array(array, width);
        const bool is_right = entries_of(rows) == right;
        const auto wrong = find_wrong_row(view, rows, 1);
        REQUIRE(wrong.has_value() != is_right);
        REQUIRE(find_wrong_row(view, rows, 3) == wrong);
        REQUIRE(rows.visit([&](const auto* data) { return is_suffix_array(view, data); }) ==
                is_right);
      }
    }
  }
}

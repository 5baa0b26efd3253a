// Rows that agree longest with what follows in a query.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/matches/row_extension.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Extension = RowExtension<std::uint32_t>;

/// How a suffix goes on beside a query.
Extension::Agreement agreement(const std::string& suffix, const std::string& query) {
  const std::size_t most = std::min(suffix.size(), query.size());
  std::size_t equal = 0;
  while (equal < most && suffix[equal] == query[equal])
    ++equal;
  Extension::Agreement row{equal, Extension::Agreement::ended, equal < query.size()};
  if (equal < most) {
    row.next = static_cast<unsigned char>(suffix[equal]);
    row.is_smaller = suffix[equal] < query[equal];
  }
  return row;
}

struct Found {
  std::uint64_t best;
  Interval<std::uint32_t> rows;
  int comparisons;
};

Found extend(const std::vector<std::string>& suffixes, const std::string& query) {
  Extension extension;
  extension.start({0, static_cast<std::uint32_t>(suffixes.size())});
  int comparisons = 1;
  while (!extension.take(agreement(suffixes[extension.row()], query)))
    ++comparisons;
  return {extension.best(), extension.rows(), comparisons};
}

}  // namespace

TEST_CASE("row extension: the rows that agree longest, of any numbers of rows") {
  Random random(91);
  for (int trial = 0; trial < 3000; ++trial) {
    CAPTURE(trial);
    std::vector<std::string> suffixes(1 + below(random, trial % 2 == 0 ? 12 : 70));
    const std::string shared = random_string(random, below(random, 6), "ab");
    for (std::string& suffix : suffixes)
      suffix =
          (below(random, 4) != 0 ? shared : "") + random_string(random, below(random, 4), "ab");
    std::sort(suffixes.begin(), suffixes.end());
    const std::string query =
        (below(random, 4) != 0 ? shared : "") + random_string(random, below(random, 5), "abc");
    std::uint64_t best = 0;
    for (const std::string& suffix : suffixes)
      best = std::max<std::uint64_t>(best, agreement(suffix, query).equal);
    const auto is_best = [&](const std::string& suffix) {
      return agreement(suffix, query).equal == best;
    };
    const Found found = extend(suffixes, query);
    CHECK(found.best == best);
    const auto first = std::find_if(suffixes.begin(), suffixes.end(), is_best);
    CHECK(found.rows.begin == first - suffixes.begin());
    CHECK(found.rows.end == std::find_if_not(first, suffixes.end(), is_best) - suffixes.begin());
  }
}

TEST_CASE("row extension: two comparisons where all rows go on alike") {
  const std::vector<std::string> alike(400, "ACGTACGT");
  for (const char* query : {"ACGTT", "ACGA", "T", "ACGT", "ACGTACGTAC", ""}) {
    CAPTURE(query);
    const Found found = extend(alike, query);
    CHECK(found.comparisons == 2);
    CHECK(found.rows.begin == 0);
    CHECK(found.rows.end == 400);
  }
}

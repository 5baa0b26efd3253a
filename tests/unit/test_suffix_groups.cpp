// What both suffix array builders share: partitions, ties, and the rounds that refine tied groups.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "index/sa/groups/partition.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/groups/tied_groups.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Number of symbols on which the suffixes at p and q agree.
std::uint64_t shared(const TextView& text, std::uint64_t p, std::uint64_t q) {
  const std::uint64_t end_p = text.segments.separator_from(p);
  const std::uint64_t end_q = text.segments.separator_from(q);
  std::uint64_t length = 0;
  while (p + length < end_p && q + length < end_q &&
         text.symbols[p + length] == text.symbols[q + length])
    ++length;
  return length;
}

/// All positions of `text` except the separators.
std::vector<std::uint32_t> suffixes_of(const TextView& text) {
  std::vector<std::uint32_t> suffixes;
  for (std::uint64_t p = 0; p < text.length(); ++p) {
    if (text.segments.separator_from(p) != p) suffixes.push_back(static_cast<std::uint32_t>(p));
  }
  return suffixes;
}

/// Checks that rows are in suffix order, except within groups, whose suffixes share `depth` symbols
/// or more.
void check_groups(const TextView& text, const std::vector<std::uint32_t>& suffixes,
                  const TieBits& ties, std::uint64_t depth) {
  for (std::uint64_t row = 1; row < suffixes.size(); ++row) {
    if (ties.tied(row)) {
      REQUIRE(shared(text, suffixes[row - 1], suffixes[row]) >= depth);
    } else {
      REQUIRE(suffix_less(text, suffixes[row - 1], suffixes[row]));
    }
  }
}

}  // namespace

TEST_CASE("a partition has smaller keys before and larger keys after its pivot") {
  Random random(61);
  for (const std::uint64_t kinds : {1u, 2u, 3u, 1000u, 1000000u}) {
    for (const std::uint64_t size : {127u, 128u, 5000u}) {
      std::vector<std::uint64_t> keys(size + 20, 7);
      for (std::uint64_t i = 10; i < size + 10; ++i)
        keys[i] = below(random, kinds);
      const auto before = keys;
      const Partition parts = partition_rows(
          {10, size + 10}, [&](std::uint64_t row) { return keys[row]; },
          [&](std::uint64_t row) { REQUIRE(row < size + 10); },
          [&](std::uint64_t a, std::uint64_t b) { std::swap(keys[a], keys[b]); });
      REQUIRE(parts.less_end < parts.equal_end);
      for (std::uint64_t i = 10; i < size + 10; ++i) {
        CHECK((keys[i] < parts.pivot) == (i < parts.less_end));
        CHECK((keys[i] > parts.pivot) == (i >= parts.equal_end));
      }
      CHECK(std::equal(keys.begin(), keys.begin() + 10, before.begin()));
      CHECK(std::is_permutation(keys.begin(), keys.end(), before.begin()));
    }
  }
}

TEST_CASE("tied groups are refined to any depth, within their budget of keys") {
  Random random(67);
  const std::string repeat = random_string(random, 900, "ACGT");
  const Text text = make_text({repeat + random_string(random, 2000, "ACGT") + repeat, repeat,
                               repeat.substr(300), std::string(700, 'G'), "ACGT"});
  const TextView view = text.view();
  for (const int threads : {1, 3}) {
    const SuffixKeys keys(view);
    GroupSorter<std::uint32_t> sorter(threads);
    std::vector<std::uint32_t> suffixes = suffixes_of(view);
    TieBits ties(suffixes.size());
    sort_ranges_by_text<std::uint32_t>(
        keys, sorter, suffixes.data(), 1,
        [&](std::uint64_t) {
          return SuffixRange{0, suffixes.size(), 0};
        },
        keys.symbols, ties);
    check_groups(view, suffixes, ties, keys.symbols);
    const ProgressReport silent;
    TiedGroups<std::uint32_t> groups(keys, sorter, suffixes.data(), suffixes.size(), ties,
                                     keys.symbols, silent);
    const std::uint64_t tied = groups.count();
    REQUIRE(tied > 1000);
    REQUIRE(groups.largest() >= 600);
    groups.refine_within(static_cast<double>(tied));  // not enough for a round
    CHECK(groups.count() == tied);
    CHECK(groups.depth() == keys.symbols);
    groups.refine(300);
    CHECK(groups.depth() == 300);
    CHECK(groups.count() < tied);
    REQUIRE_FALSE(groups.empty());
    check_groups(view, suffixes, groups.ties(), 300);
    groups.refine_within(1e9);
    CHECK(groups.empty());
    check_groups(view, suffixes, groups.ties(), 0);
  }
}

namespace {

/// The key of a suffix is in a table.
struct TableKey {
  const std::vector<std::uint64_t>& keys;
  std::uint64_t operator()(std::uint64_t p, std::uint64_t) const { return keys[p]; }
  void prefetch(std::uint64_t p, std::uint64_t) const { REQUIRE(p < keys.size()); }
  void prefetch_last(std::uint64_t, std::uint64_t) const {}
};

}  // namespace

TEST_CASE("a wide range is sorted where hardly any key differs") {
  Random random(68);
  const std::uint64_t size = sa_tuning::wide_range + 12345;
  struct Others {
    std::uint64_t begin, end, one_in;  // every so many of these rows have another key
  };
  for (const auto& [begin, end, one_in] :
       {Others{0, 0, 1}, Others{0, size, 500}, Others{0, 300, 1}, Others{size - 300, size, 1},
        Others{size / 2, size / 2 + 300, 2}, Others{0, size, size - 1}, Others{500, 9000, 1},
        Others{0, size, 8}}) {
    for (const std::uint64_t keys_of_others : {1u, 2u, 50u}) {
      const std::uint64_t common = 25;
      std::vector<std::uint64_t> keys(size, common);
      for (std::uint64_t p = begin; p < end; p += one_in)
        keys[p] = keys_of_others == 1 ? 7 : keys_of_others == 2 ? 80 : below(random, 50);
      for (const int threads : {1, 3}) {
        GroupSorter<std::uint32_t> sorter(threads);
        std::vector<std::uint32_t> suffixes(size);
        std::iota(suffixes.begin(), suffixes.end(), 0u);
        TieBits ties(size);
        sorter.sort(
            suffixes.data(), 1, [&](std::uint64_t, int, const auto& sort) { sort(0, size, 0); },
            TableKey{keys},
            [&](std::uint64_t first, std::uint64_t last, std::uint64_t, std::uint64_t) {
              ties.mark_group(first, last);
              return keep_order;
            });
        std::vector<bool> seen(size);
        for (std::uint64_t row = 0; row < size; ++row) {
          REQUIRE_FALSE(seen[suffixes[row]]);
          seen[suffixes[row]] = true;
          if (row == 0) continue;
          REQUIRE(keys[suffixes[row - 1]] <= keys[suffixes[row]]);
          REQUIRE(ties.tied(row) == (keys[suffixes[row - 1]] == keys[suffixes[row]]));
        }
      }
    }
  }
}

#include "search/sets/prefix_queries.hpp"

#include <algorithm>
#include <vector>

#include "arrays/rank/group_steps.hpp"
#include "base/parallel.hpp"

namespace gsx {

void find_longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                           std::span<std::uint32_t> found) {
  if (set.size() == 0) {
    std::ranges::fill(found, PrefixSetView::none);
    return;
  }
  const PrefixSetView view = set.view();
  const std::uint32_t words = view.words();
  std::vector<std::uint64_t> queries(query_group * words);
  std::uint32_t lengths[query_group];
  in_groups(sequences.size(), [&](std::size_t begin, std::size_t size) {
    for (std::size_t q = 0; q < size; ++q) {
      std::uint64_t* const query = queries.data() + q * words;
      lengths[q] = leading_bases(sequences[begin + q], view.longest, query);
      __builtin_prefetch(view.starts + view.bucket(query[0]));
    }
    for (std::size_t q = 0; q < size; ++q)
      __builtin_prefetch(view.entries + view.starts[view.bucket(queries[q * words])]);
    for (std::size_t q = 0; q < size; ++q) {
      const std::uint32_t entry = view.longest_prefix(queries.data() + q * words, lengths[q]);
      found[begin + q] = entry == PrefixSetView::none ? entry : set.index_of(entry);
    }
  });
}

void find_longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                           std::span<std::uint32_t> found, int threads) {
  const auto parts = static_cast<std::uint64_t>(threads);
  parallel_for(threads, parts, [&](std::uint64_t part, int) {
    const Slice slice = slice_of(sequences.size(), parts, part);
    const std::uint64_t size = slice.end - slice.begin;
    find_longest_prefixes(set, sequences.subspan(slice.begin, size),
                          found.subspan(slice.begin, size));
  });
}

}  // namespace gsx

#include "index/sa/groups/text_sorter.hpp"

#include "index/sa/groups/text_key.hpp"

namespace gsx {

template <class Pos>
void sort_ranges_by_text(const SuffixKeys& keys, GroupSorter<Pos>& sorter, Pos* suffixes,
                         std::uint64_t count,
                         const std::function<SuffixRange(std::uint64_t)>& range_of,
                         std::uint64_t limit, TieBits& ties) {
  sorter.sort(
      suffixes, count,
      [&](std::uint64_t i, int, const auto& sort) {
        const SuffixRange range = range_of(i);
        if (range.end - range.begin > 1) sort(range.begin, range.end, range.depth);
      },
      TextKey{keys}, text_tie(keys, limit, ties));
}

template <class Pos>
void sort_groups_by_text(const SuffixKeys& keys, GroupSorter<Pos>& sorter, Pos* suffixes,
                         std::uint64_t size, const TieBits& tied, std::uint64_t depth,
                         std::uint64_t limit, TieBits& ties, const ProgressReport& progress) {
  sort_groups(sorter, suffixes, size, tied, depth, TextKey{keys}, text_tie(keys, limit, ties),
              progress);
}

template void sort_ranges_by_text(const SuffixKeys&, GroupSorter<std::uint32_t>&, std::uint32_t*,
                                  std::uint64_t, const std::function<SuffixRange(std::uint64_t)>&,
                                  std::uint64_t, TieBits&);
template void sort_groups_by_text(const SuffixKeys&, GroupSorter<std::uint32_t>&, std::uint32_t*,
                                  std::uint64_t, const TieBits&, std::uint64_t, std::uint64_t,
                                  TieBits&, const ProgressReport&);
template void sort_ranges_by_text(const SuffixKeys&, GroupSorter<std::uint64_t>&, std::uint64_t*,
                                  std::uint64_t, const std::function<SuffixRange(std::uint64_t)>&,
                                  std::uint64_t, TieBits&);
template void sort_groups_by_text(const SuffixKeys&, GroupSorter<std::uint64_t>&, std::uint64_t*,
                                  std::uint64_t, const TieBits&, std::uint64_t, std::uint64_t,
                                  TieBits&, const ProgressReport&);

}  // namespace gsx

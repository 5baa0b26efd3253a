#include "index/sa/ranks/syncmer_ranks.hpp"

#include <utility>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "index/sa/groups/prefix_buckets.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/ranks/prefix_doubler.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {
namespace {

/// A key of GroupSorter: the rank of the first syncmer of a suffix.
template <class Pos>
struct FirstSyncmerKey {
  const RankBitVector& syncmers;
  const Pos* ranks;

  std::uint64_t operator()(std::uint64_t p, std::uint64_t) const { return ranks[syncmers.rank(p)]; }
  void prefetch(std::uint64_t p, std::uint64_t) const { syncmers.prefetch(p); }
  void prefetch_last(std::uint64_t p, std::uint64_t) const {
    __builtin_prefetch(&ranks[syncmers.rank(p)]);
  }
};

}  // namespace

template <class Pos>
SyncmerRanks<Pos>::SyncmerRanks(const TextView& text, GroupSorter<Pos>& sorter,
                                const Allocate& allocate)
    : keys_(text), rule_(text), sorter_(sorter), syncmers_(text.length()) {
  mark_syncmers();
  size_ = syncmers_.count();
  ranks_ = allocate(size_);
  Buffer<Pos> order(size_, "syncmers");
  TieBits ties(size_);
  sort_by_text(order.data(), ties);
  // Tied syncmers agree up to the next one, so doubling can count syncmers.
  double_ranks(sorter_, order.data(), size_, ranks_, std::move(ties));
}

template <class Pos>
void SyncmerRanks<Pos>::mark_syncmers() {
  const std::uint64_t n = keys_.text.length();
  const std::uint64_t slices =
      static_cast<std::uint64_t>(sorter_.threads()) * sa_tuning::slices_per_thread;
  parallel_for(sorter_.threads(), slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(n, slices, s, RankBitVector::slice_unit);
    rule_.for_each(slice.begin, slice.end, [&](std::uint64_t p) { syncmers_.mark(p); });
  });
}

/// Makes order[] the numbers of the syncmers in text order, sorted by rule_.depth() symbols.
template <class Pos>
void SyncmerRanks<Pos>::sort_by_text(Pos* order, TieBits& ties) {
  const std::uint64_t n = keys_.text.length();
  const std::uint32_t symbol_bits = keys_.text.symbols.bits;
  const int bits = PrefixBuckets::bits_for_length(size_, symbol_bits);
  const auto for_each_syncmer = [&](Slice slice, const auto& visit) {
    syncmers_.for_each(slice.begin, slice.end, [&](std::uint64_t p) {
      // No separator is among these bits: more symbols than they hold follow a syncmer.
      visit(p, keys_.text.symbols.window(p) >> (64 - bits));
    });
  };
  const PrefixBuckets buckets =
      distribute_by_prefix(n, bits, order, sorter_.threads(), for_each_syncmer);
  const auto depth = static_cast<std::uint64_t>(bits) / symbol_bits;
  sort_ranges_by_text(
      keys_, sorter_, order, buckets.count(),
      [&](std::uint64_t b) {
        return SuffixRange{buckets.starts[b], buckets.starts[b + 1], depth};
      },
      rule_.depth(), ties);
  RowSlices(size_, sorter_.threads()).for_each([&](Slice slice) {
    for (std::uint64_t i = slice.begin; i < slice.end; ++i)
      order[i] = static_cast<Pos>(syncmers_.rank(order[i]));
  });
}

template <class Pos>
void SyncmerRanks<Pos>::sort(TiedGroups<Pos>& groups, const ProgressReport& progress) const {
  sort_groups(
      sorter_, groups.suffixes(), groups.size(), groups.ties(), 0,
      FirstSyncmerKey<Pos>{syncmers_, ranks_},
      [](std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) { return keep_order; },
      progress);
}

template class SyncmerRanks<std::uint32_t>;
template class SyncmerRanks<std::uint64_t>;

}  // namespace gsx

#include "search/sets/neighbors.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "search/sets/neighbor_lists.hpp"
#include "search/sets/part_bins.hpp"

namespace gsx {
namespace {

template <unsigned Words>
class NeighborPass {
 public:
  NeighborPass(const SequenceSetView<Words>& first, const SequenceSetView<Words>* second,
               const NeighborRequest& request, const NeighborOptions& options)
      : keys_{first, second != nullptr ? *second : SequenceSetView<Words>{}},
        two_sets_(second != nullptr),
        request_(request),
        options_(options) {}

  void run(const TakeNeighbors& take) {
    const std::uint64_t spare = static_cast<std::uint64_t>(options_.threads) *
                                std::min<std::uint64_t>(kept_spare, keys_.size());
    const std::uint64_t fixed = NeighborLists::fixed_bytes(keys_.first.size) +
                                PartBins<Words>::fixed_bytes(keys_, options_.threads) +
                                spare * sizeof(GroupItem<Words>);
    const std::uint64_t left =
        options_.memory_bytes - std::min(options_.memory_bytes, fixed + least_bytes);
    // All items at once if they fit in half of it; else some bins, of which one may be large.
    const std::uint64_t all_items = keys_.size() * item_bytes;
    std::uint64_t items = std::min(all_items, left / 2);
    if (items < all_items) items = std::max(items, largest_bin() * item_bytes);
    const std::uint64_t needed = fixed + 2 * least_bytes + (items > left / 2 ? items : 0);
    if (options_.memory_bytes < needed) {
      throw ResourceError("too little memory: finding neighbours of " +
                          std::to_string(keys_.size()) + " sequences takes at least " +
                          bytes_text(needed) + " more, and " + bytes_text(options_.memory_bytes) +
                          " are left; allow more");
    }
    most_items_ = items / item_bytes + 1;
    NeighborLists lists(keys_.first.size, options_.threads, left - items + least_bytes);
    lists.fill([&](auto add) { find(add); }, take);
  }

 private:
  /// What a search takes that depends on nothing.
  static constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;
  /// Of an item in a bin, and of another one where it moves when the bin is split.
  static constexpr std::uint64_t item_bytes = 2 * sizeof(GroupItem<Words>);

  /// Items of the largest bin of any part.
  std::uint64_t largest_bin() const {
    const SequenceKey<Words> varied = varying();
    const unsigned number = request_.distance + 1;
    if (varied.count() < number) return keys_.size();
    const SymbolParts<Words> parts = cut_symbols(varied, number);
    std::uint64_t largest = 0;
    for (unsigned p = 0; p < number; ++p)
      largest = std::max(largest, PartBins<Words>(keys_, parts[p], options_.threads).largest());
    return largest;
  }

  /// Calls add(thread, row, other) for each pair that is listed.
  template <class Add>
  void find(const Add& add) {
    struct Take {
      const NeighborPass* search;
      const Add* add;
      int thread;
      void operator()(const GroupItem<Words>& a, const GroupItem<Words>& b) const {
        search->list(a, b,
                     [&](std::uint32_t row, std::uint32_t other) { (*add)(thread, row, other); });
      }
    };
    std::vector<NeighborGroups<Words, Take>> groups;
    groups.reserve(static_cast<std::size_t>(options_.threads));
    for (int thread = 0; thread < options_.threads; ++thread)
      groups.emplace_back(keys_.first.shape.bits, request_.distance, two_sets_,
                          Take{this, &add, thread});
    const SequenceKey<Words> varied = varying();
    if (varied.count() <= request_.distance) {
      std::vector<GroupItem<Words>> items;
      for (std::uint64_t i = 0; i < keys_.size(); ++i)
        items.push_back(keys_.item(i));
      return groups[0].compare_all(items.data(), items.size());
    }
    const unsigned number = request_.distance + 1;
    const SymbolParts<Words> parts = cut_symbols(varied, number);
    for (unsigned p = 0; p < number; ++p) {
      if (options_.progress) options_.progress("finding neighbours", p / double(number));
      PartBins<Words> bins(keys_, parts[p], options_.threads);
      bins.for_each(most_items_, [&](GroupItem<Words>* items, std::uint64_t count, int thread) {
        groups[static_cast<std::size_t>(thread)].find_by_part(items, count, parts, p);
      });
    }
  }

  template <class Add>
  void list(const GroupItem<Words>& a, const GroupItem<Words>& b, const Add& add) const {
    const std::uint32_t i = a.number(), j = b.number();
    if (two_sets_) return add(i, j);
    if (request_.kind == NeighborKind::later) return add(std::min(i, j), std::max(i, j));
    const std::uint64_t count_i = keys_.first.counts[i], count_j = keys_.first.counts[j];
    if (lists(request_.kind, count_i, count_j)) add(i, j);
    if (lists(request_.kind, count_j, count_i)) add(j, i);
  }

  /// The symbols in which any two keys differ.
  SequenceKey<Words> varying() const {
    const auto parts = static_cast<std::uint64_t>(options_.threads);
    std::vector<SequenceKey<Words>> bits(parts, SequenceKey<Words>{});
    parallel_for(options_.threads, parts, [&](std::uint64_t p, int) {
      const Slice slice = slice_of(keys_.size(), parts, p);
      SequenceKey<Words> of_slice{};
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        for (unsigned w = 0; w < Words; ++w)
          of_slice.words[w] |= keys_.key(i).words[w] ^ keys_.key(0).words[w];
      bits[p] = of_slice;
    });
    SequenceKey<Words> all{};
    for (const SequenceKey<Words>& of_slice : bits)
      all = all | of_slice;
    return differing_symbols(all, SequenceKey<Words>{}, keys_.first.shape.bits);
  }

  KeysOfSets<Words> keys_;
  bool two_sets_;
  NeighborRequest request_;
  const NeighborOptions& options_;
  std::uint64_t most_items_ = 0;
};

}  // namespace

void find_neighbors(const SequenceSet& set, const NeighborRequest& request,
                    const NeighborOptions& options, const TakeNeighbors& take) {
  if (set.size() == 0) return;
  if (options.finder != nullptr) return options.finder->find(set, nullptr, request, options, take);
  set.with_view([&](const auto& view) {
    NeighborPass(view, decltype(&view){nullptr}, request, options).run(take);
  });
}

void find_neighbors_between(const SequenceSet& first, const SequenceSet& second,
                            const NeighborRequest& request, const NeighborOptions& options,
                            const TakeNeighbors& take) {
  if (first.size() == 0) return;
  if (options.finder != nullptr)
    return options.finder->find(first, &second, request, options, take);
  first.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    const SequenceSetView<Words> other = second.view<Words>();
    NeighborPass(view, &other, request, options).run(take);
  });
}

unsigned distance_between(const SequenceSet& set, std::uint64_t i, const SequenceSet& other,
                          std::uint64_t j) {
  return set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    return differing_symbols(view.keys[i], other.view<Words>().keys[j], set.shape().bits).count();
  });
}

}  // namespace gsx

// The keys of a table that differ from a key in few symbols, in ascending order.
#pragma once

#include <cstdint>

#include "search/sets/neighbor_table.hpp"

namespace gsx {

/// A walk through the trie of the keys with up to `Distance` changes. Its upper levels are the
/// table: there, a change is a look at another bucket. A bucket of few keys is compared; in a
/// larger one, binary searches find the symbols that follow. So the cost depends little on how
/// the keys are spread: of L symbols in an alphabet of s, of which P are leading, it is in the
/// order of (P (s - 1))^Distance buckets, and at most L (s - 1) binary searches per change.
/// Take is called with the number of each key.
template <unsigned Words, unsigned Distance, class Take>
class NeighborWalk {
 public:
  using Key = SequenceKey<Words>;

  /// Gives `take` the keys numbered `from` and more. Only the later ones if `later`: then `from`
  /// is what follows the number of the key itself.
  GSX_HD NeighborWalk(const NeighborTableView<Words>& table, const Key& key, std::uint32_t from,
                      Take& take)
      : table_(table), key_(key), from_(from), take_(take) {}

  GSX_HD void run(bool later) { by_buckets<Distance>(0, table_.bucket(key_), !later); }

 private:
  /// Codes [begin, end) of symbol `at`, to which a step changes it.
  struct Changes {
    std::uint32_t at, begin, end;
  };
  /// Step s of those from symbol v to symbol v + n and back. Up to it, codes are lowered, from the
  /// first symbol to the last; behind it, raised, from the last symbol to the first.
  GSX_HD Changes changes(std::uint32_t step, std::uint32_t v, std::uint32_t n) const {
    const std::uint32_t at = step < n ? v + step : v + 2 * n - step;
    const std::uint32_t own = table_.symbols.code(key_, at);
    if (step < n) return {at, 0, own};
    return {at, own + 1, table_.symbols.letters};
  }

  /// Those with the leading symbols of `bucket` before symbol v, and so many changes from there on.
  /// Pre: the rest of the number of the bucket is that of the key's own symbols.
  template <unsigned Left>
  GSX_HD void by_buckets(std::uint32_t v, std::uint32_t bucket, bool lower) {
    const std::uint32_t n = Left == 0 ? 0 : table_.leading - v;
    for (std::uint32_t step = lower ? 0 : n; step <= 2 * n; ++step) {
      if (step == n) {
        in_bucket<Left>(bucket, lower);
        continue;
      }
      if constexpr (Left > 0) {
        const Changes to = changes(step, v, n);
        const std::uint32_t weight = table_.weights[to.at];
        const std::uint32_t zero = bucket - table_.symbols.code(key_, to.at) * weight;
        for (std::uint32_t c = to.begin; c < to.end; ++c)
          by_buckets<Left - 1>(to.at + 1, zero + c * weight, true);
      }
    }
  }

  template <unsigned Left>
  GSX_HD void in_bucket(std::uint32_t bucket, bool lower) {
    const std::uint32_t begin = table_.starts[bucket], end = table_.starts[bucket + 1];
    if (end - begin <= table_.scanned || table_.leading == table_.symbols.number) {
      compare(begin, end);
    } else {
      by_searches<Left>(begin, end, table_.leading, lower);
    }
  }

  /// Those of keys [begin, end), more than are compared, which share the symbols before v.
  template <unsigned Left>
  GSX_HD void by_searches(std::uint32_t begin, std::uint32_t end, std::uint32_t v, bool lower) {
    std::uint32_t own_begin = begin, own_end = end, stop = v;
    for (; own_end - own_begin > table_.scanned && stop < table_.symbols.number; ++stop)
      narrow(own_begin, own_end, stop, stop, table_.symbols.code(key_, stop));
    const std::uint32_t n = Left == 0 ? 0 : stop - v;
    for (std::uint32_t step = lower ? 0 : n; step <= 2 * n; ++step) {
      if (step == n) {
        compare(own_begin, own_end);
        continue;
      }
      if constexpr (Left > 0) {
        const Changes to = changes(step, v, n);
        for (std::uint32_t c = to.begin; c < to.end; ++c) {
          std::uint32_t low = begin, high = end;
          narrow(low, high, v, to.at, c);
          if (high - low <= table_.scanned) {
            compare(low, high);
          } else {
            by_searches<Left - 1>(low, high, to.at + 1, true);
          }
        }
      }
    }
  }

  /// Cuts [begin, end), which share the symbols before v, down to those that have the key's own
  /// symbols from v on, and code c as symbol `at`.
  GSX_HD void narrow(std::uint32_t& begin, std::uint32_t& end, std::uint32_t v, std::uint32_t at,
                     std::uint32_t c) const {
    const Key below = table_.symbols.template from<Words>(v);
    const Key least = table_.symbols.ending_with(key_, at, c) & below;
    Key shown = table_.symbols.ending_with(all_bits(), at, (1u << table_.symbols.bits) - 1);
    shown = shown & below;
    const std::uint32_t first = bound(begin, end, shown, least, false);
    end = bound(first, end, shown, least, true);
    begin = first;
  }
  /// The first of keys [begin, end) that is not less than `least`, or is greater, in the bits
  /// `shown`.
  GSX_HD std::uint32_t bound(std::uint32_t begin, std::uint32_t end, const Key& shown,
                             const Key& least, bool greater) const {
    while (begin < end) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      const Key key = table_.keys[middle] & shown;
      if (key < least || (greater && key == least)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
  GSX_HD static Key all_bits() {
    Key key;
    for (unsigned w = 0; w < Words; ++w)
      key.words[w] = ~std::uint64_t{0};
    return key;
  }

  GSX_HD void compare(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t j = begin < from_ ? from_ : begin; j < end; ++j) {
      const Key differ = differing_symbols(table_.keys[j], key_, table_.symbols.bits);
      if (!differ.has_more_than(Distance)) take_(j);
    }
  }

  const NeighborTableView<Words>& table_;
  const Key key_;
  const std::uint32_t from_;
  Take& take_;
};

}  // namespace gsx

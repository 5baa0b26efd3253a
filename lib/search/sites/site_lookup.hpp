// Looks up a guide with mismatches in a table of PAM sites.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/sites/site_table.hpp"

namespace gsx {

/// The sequences with few mismatches to one of up to 14 bases: what to XOR its code with, and how
/// many bases that changes; in ascending order.
class Neighbours {
 public:
  Neighbours(std::uint32_t bases, std::uint32_t mismatches);

  static std::uint32_t mask(std::uint32_t neighbour) { return neighbour & 0x0FFFFFFF; }
  static std::uint32_t mismatches(std::uint32_t neighbour) { return neighbour >> 28; }
  std::span<const std::uint32_t> all() const { return all_; }
  /// How many there are.
  static std::uint64_t count(std::uint32_t bases, std::uint32_t mismatches);

 private:
  std::vector<std::uint32_t> all_;
};

namespace site_detail {

/// What the rest of a site is compared with.
struct Wanted {
  std::uint32_t rest = 0;
  std::uint32_t changed = 0;     ///< mismatches in the bucket's bases
  std::uint32_t most = 0;        ///< mismatches allowed, those of the bucket's bases included
  std::uint32_t first_mask = 0;  ///< the bits of the first bases in the rest, if these are looked
                                 ///< up in the other half
  std::uint32_t first_more =
      0;  ///< sites with so many mismatches in them, or fewer, are found there
};

/// Writes those of `rest` in [begin, end) that are near enough; returns how many.
using Compare = std::size_t (*)(const std::uint32_t* rest, std::uint32_t begin, std::uint32_t end,
                                const Wanted& wanted, NearSite* found);
Compare compare_for(CpuPath path);

}  // namespace site_detail

/// Finds all sites of a table with at most so many mismatches to a guide, each once. By the
/// pigeonhole principle such a site has at most a mismatches in its first bases or at most b in its
/// last ones, where a + b + 1 mismatches are allowed in all: so it is in a bucket of one of few
/// neighbours of the guide.
class SiteLookup {
 public:
  /// With more mismatches there are too many neighbours.
  static constexpr std::uint32_t most_mismatches = 9;

  /// Most mismatches in the first bases of sites that are found by them.
  static constexpr std::uint32_t first_most(std::uint32_t mismatches) {
    return mismatches == 0 ? 0 : (mismatches - 1) / 2;
  }

  /// Pre: mismatches <= most_mismatches.
  SiteLookup(const SiteTable& table, std::uint32_t mismatches, CpuPath path)
      : table_(table),
        mismatches_(mismatches),
        first_most_(first_most(mismatches)),
        first_(table.half(), first_most_),
        last_(mismatches == 0 ? Neighbours(0, 0)
                              : Neighbours(table.half(), mismatches - 1 - first_most_)),
        compare_(site_detail::compare_for(path)) {}

  /// Calls take(place, mismatches) for each site that `guide` (guide_key()) matches, in any order;
  /// `place` as in SiteHalf.
  template <class Take>
  void find(std::uint64_t guide, const Take& take) const {
    const SiteSplit first{table_.guide(), table_.half(), false};
    const SiteSplit last{table_.guide(), table_.half(), true};
    search(table_.of(false), first.bucket(guide), first_, {first.rest(guide), 0, mismatches_},
           take);
    if (mismatches_ == 0) return;
    search(table_.of(true), last.bucket(guide), last_,
           {last.rest(guide), 0, mismatches_, last.bits_of_first(), first_most_}, take);
  }

 private:
  template <class Take>
  void search(const SiteHalf& half, std::uint32_t bucket, const Neighbours& neighbours,
              site_detail::Wanted wanted, const Take& take) const {
    // Memory answers many look-ups at a time.
    constexpr std::size_t step = 64, piece = 1024;
    std::array<std::uint32_t, step> begins, ends;
    std::array<NearSite, 4 * piece> found;
    std::size_t count = 0;
    const auto pass_on = [&] {
      for (std::size_t i = 0; i < count; ++i)
        take(half.places[found[i].index], found[i].mismatches);
      count = 0;
    };
    const auto all = neighbours.all();
    const auto offsets_of = [&](std::size_t i) {
      return half.offsets.data() + (bucket ^ Neighbours::mask(all[i]));
    };
    for (std::size_t i = 0; i < std::min(step, all.size()); ++i)
      __builtin_prefetch(offsets_of(i));
    for (std::size_t at = 0; at < all.size(); at += step) {
      const std::size_t now = std::min(step, all.size() - at);
      for (std::size_t i = 0; i < now; ++i) {
        begins[i] = offsets_of(at + i)[0];
        ends[i] = offsets_of(at + i)[1];
        __builtin_prefetch(half.rest.data() + begins[i]);
      }
      for (std::size_t i = at + step; i < std::min(at + 2 * step, all.size()); ++i)
        __builtin_prefetch(offsets_of(i));
      for (std::size_t i = 0; i < now; ++i) {
        wanted.changed = Neighbours::mismatches(all[at + i]);
        for (std::uint32_t begin = begins[i]; begin < ends[i]; begin += piece) {
          const auto end = std::min<std::uint32_t>(ends[i], begin + piece);
          count += compare_(half.rest.data(), begin, end, wanted, found.data() + count);
          if (count + piece > found.size()) pass_on();
        }
      }
    }
    pass_on();
  }

  const SiteTable& table_;
  std::uint32_t mismatches_;
  std::uint32_t first_most_;
  Neighbours first_;
  Neighbours last_;
  site_detail::Compare compare_;
};

}  // namespace gsx

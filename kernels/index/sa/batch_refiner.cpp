#include "kernels/index/sa/batch_refiner.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/base/mail.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/alike_rows.hpp"
#include "kernels/index/sa/refine.hpp"
#include "kernels/index/sa/resolve.hpp"
#include "kernels/index/sa/tied_rows.hpp"

namespace gsx::cuda {
namespace {

template <class Key, class Pos>
class BatchRefiner {
 public:
  BatchRefiner(const RefineSetup& setup, DeviceStream stream) : setup_(setup), stream_(stream) {}

  StillTied refine(SortedBatch<Key, Pos>& sorted, std::uint64_t depth) {
    BatchTies batch = resolve_batch_async(sorted, setup_.d_text, depth, tuning::first_rounds,
                                          setup_.wants_codes, setup_.wants_order, stream_);
    std::optional<Mail> mail;  // only if it is read: else its mailbox would be lost
    if (sizeof(Key) == 8) {
      mail.emplace(stream_);
      mail->copy_async(batch.least_symbols.data(), batch.least_symbols.bytes(), 0);
    }
    SlotEnds large_ends = slot_ends(batch.large, stream_);
    if (mail) mail->wait();
    // Where they are few, most are dropped when blocks split them off.
    if (!setup_.wants_order && are_many(large_ends.count, sorted.rows.size())) {
      drop_alike_async(sorted, setup_.d_text, batch.large, stream_);
      large_ends = slot_ends(batch.large, stream_);
    }
    if (sizeof(Key) == 4) sorted.keys = DeviceBuffer<Key>();
    TiedRows<Pos> large_rows(sorted.rows, batch.large, large_ends, stream_);
    large_ends = {};
    const Carried carried = carried_by_ties(mail);
    SmallTies small{std::move(batch.small), no_depth};
    batch = BatchTies();
    if (carried.small != no_ties)
      small.depth = depth + carried.small + resolved_depth(setup_.d_text, tuning::first_rounds);
    bool pays = true;
    {
      Ties large{std::move(large_rows), depth + carried.large, Groups::large};
      if constexpr (sizeof(Key) == 8) large.d_keys = sorted.keys.data();
      large.least_carried = carried.large;
      pays = split(large, sorted.rows, small);
      large.forget_keys();
      sorted.keys = DeviceBuffer<Key>();
      if (!pays) {
        compared_ = large.depth;
        catch_up(small, sorted.rows);
        large.rows.store_async(sorted.rows);
        large.rows.mark_async(small.bits);
        small.depth = std::min(small.depth, large.depth);
      }
    }
    Ties ties{TiedRows<Pos>(sorted.rows, small.bits, stream_), small.depth, Groups::unknown};
    small.bits = DeviceBuffer<std::uint32_t>();
    if (pays) compare(ties, sorted.rows);
    if (ties.rows.size() == 0) return {};
    ties.rows.store_async(sorted.rows);
    return {ties.rows.tied_bits(sorted.rows.size()), ties.depth, ties.rows.size(),
            std::max(compared_, ties.depth)};
  }

 private:
  /// What is known of the groups of tied suffixes: all are small enough for a warp; they may be;
  /// all are small enough for a block; or some may be larger.
  enum class Groups { of_warps, unknown, of_blocks, large };

  /// Suffixes of a batch that are tied, and how far they have been compared.
  struct Ties {
    TiedRows<Pos> rows;
    std::uint64_t depth;  ///< symbols on which the suffixes of a group agree, at least
    Groups groups;
    const std::uint64_t* d_keys = nullptr;  ///< as in KnownDepth
    std::uint32_t least_carried = 0;

    /// Gives the memory of keys back. Groups have been compared farther than these tell.
    void forget_keys() {
      d_keys = nullptr;
      rows.forget_keys();
    }
    KnownDepth known() { return {depth, d_keys, rows.rows(), least_carried}; }
  };

  /// Tied suffixes of groups that are not large, as bits of rows that are tied to the row before.
  struct SmallTies {
    DeviceBuffer<std::uint32_t> bits;
    std::uint64_t depth;
  };

  /// The fewest symbols that keys of tied suffixes carry, of small and of large groups.
  struct Carried {
    std::uint32_t small = 0;
    std::uint32_t large = 0;
  };
  static constexpr std::uint32_t no_ties = ~std::uint32_t{0};
  static constexpr std::uint64_t no_depth = ~std::uint64_t{0};

  /// Compares small groups as far as ranks need.
  void catch_up(SmallTies& small, DeviceBuffer<Pos>& rows) const {
    if (small.depth >= setup_.least_depth) return;
    TiedRows<Pos> ties(rows, small.bits, stream_);
    if (ties.size() == 0) {
      small.depth = no_depth;
      return;
    }
    const std::uint64_t each = resolved_depth(setup_.d_text, 1);
    const auto rounds = static_cast<unsigned>(divide_up(setup_.least_depth - small.depth, each));
    resolve_in_blocks(ties, setup_.d_text, KnownDepth{small.depth}, rounds, setup_.wants_order,
                      rows);
    small.depth = ties.size() == 0 ? no_depth : small.depth + rounds * each;
    GSX_CUDA_CHECK(cudaMemsetAsync(small.bits.data(), 0, small.bits.bytes(), stream_));
    if (ties.size() == 0) return;
    ties.store_async(rows);
    ties.mark_async(small.bits);
  }

  static Carried carried_by_ties(const std::optional<Mail>& mail) {
    if (!mail) return {};
    const auto small = static_cast<std::uint32_t>(mail->letter(0));
    const auto large = static_cast<std::uint32_t>(mail->letter(0) >> 32);
    return {small, large == no_ties ? 0 : large};
  }

  /// Whether so many suffixes of a batch are tied that the text repeats as a whole.
  static bool are_many(std::uint64_t tied, std::uint64_t batch) {
    return tied > batch / tuning::repeating_share;
  }
  static bool are_many(const Ties& ties, std::uint64_t batch) {
    return are_many(ties.rows.size(), batch);
  }

  /// Tells large groups apart until blocks can sort what is left of them, which joins the small
  /// ones, or it pays to rank them: then it returns false.
  bool split(Ties& large, DeviceBuffer<Pos>& rows, SmallTies& small) const {
    Budget budget;
    // Where many are tied, most groups are too large for a block, too.
    for (bool by_radix = are_many(large, rows.size()); large.rows.size() != 0; by_radix = true) {
      if (by_radix && !pays_to_go_on(large, rows.size(), budget)) {
        // Blocks have not looked at the codes of groups that are too large for them.
        if (!drop_alike(large, rows)) return false;
        budget = Budget();
        continue;
      }
      Stopwatch watch;
      const std::uint64_t tied = large.rows.size();
      if (by_radix) {
        large.depth = refine_by_text(large.rows, setup_.d_text, large.known(), rows);
        budget.spend(tuning::least_sorted_key + static_cast<double>(tied) * tuning::sorted_key);
      }
      if (by_radix && are_many(large, rows.size())) {
        drop_alike(large, rows);
      } else if (large.rows.size() != 0) {
        split_in_blocks(large.rows, setup_.d_text, large.known(), tuning::first_rounds,
                        setup_.wants_order, rows, small.bits);
        const std::uint64_t depth =
            large.depth + resolved_depth(setup_.d_text, tuning::first_rounds);
        small.depth = std::min(small.depth, depth);
      }
      log().debug("suffix array: {} symbols deep, {} of {} rows in large groups, {:.5f} s",
                  large.depth, large.rows.size(), tied, watch.lap());
    }
    return true;
  }

  /// Compares suffixes of groups that are not large, until all are told apart, or it pays to rank
  /// them.
  void compare(Ties& ties, DeviceBuffer<Pos>& rows) {
    Budget budget;
    for (unsigned rounds = tuning::next_rounds;
         ties.rows.size() != 0 && ties.groups != Groups::of_warps;
         rounds = std::min(2 * rounds, tuning::most_step_rounds)) {
      if (ties.depth >= setup_.least_depth && are_many(ties, rows.size())) return;
      // A step in warps tells whether groups are so small that far less is to be paid.
      if (ties.groups == Groups::of_blocks && !pays_to_go_on(ties, rows.size(), budget)) return;
      budget.spend(step(ties, rounds, rows));
    }
    if (ties.rows.size() == 0 || !pays_to_compare(ties)) return;
    const double ranking = seconds_to_rank(ties);
    double spent = compare_pairs(ties, rows);
    for (std::uint64_t share = 1; ties.rows.size() != 0 && spent < ranking; share *= 4)
      spent += compare_far(ties, share, rows);
  }

  /// Compares tied suffixes by some more keys, and learns of their groups. Returns the seconds that
  /// it takes, about.
  double step(Ties& ties, unsigned rounds, DeviceBuffer<Pos>& rows) const {
    Stopwatch watch;
    const std::uint64_t tied = ties.rows.size();
    const bool in_warps = ties.groups == Groups::unknown, order = setup_.wants_order;
    const std::uint64_t too_large =
        in_warps ? resolve_in_warps(ties.rows, setup_.d_text, ties.depth, rounds, order, rows)
                 : resolve_in_blocks(ties.rows, setup_.d_text, ties.known(), rounds, order, rows);
    if (too_large == 0) {
      ties.depth += resolved_depth(setup_.d_text, rounds);
      ties.groups = in_warps ? Groups::of_warps : Groups::unknown;
    } else {
      ties.groups = Groups::of_blocks;
    }
    log().debug("suffix array: {} symbols deep, {} of {} rows tied, {} too large, {:.5f} s",
                ties.depth, ties.rows.size(), tied, too_large, watch.lap());
    const std::uint64_t keys = tied + rounds * (ties.rows.size() - too_large);
    return rounds * tuning::least_resolved_key + static_cast<double>(keys) * tuning::resolved_key;
  }

  /// Compares the suffixes of small groups two by two. Returns the seconds that it takes, about.
  double compare_pairs(Ties& ties, DeviceBuffer<Pos>& rows) {
    const std::uint64_t tied = ties.rows.size();
    compare_by_warps(ties.rows, setup_.d_text, ties.depth, tuning::compared_stretch,
                     setup_.wants_order, rows);
    return seconds_compared(ties, tied, 1);
  }

  /// The same, as far as a grid can, or `share` times as far.
  double compare_far(Ties& ties, std::uint64_t share, DeviceBuffer<Pos>& rows) {
    const std::uint64_t tied = ties.rows.size();
    const std::uint64_t stretches =
        share * std::max<std::uint64_t>(8, tuning::comparing_warps / tied);
    compare_by_grid(ties.rows, setup_.d_text, ties.depth, stretches, setup_.wants_order, rows);
    return seconds_compared(ties, tied, stretches);
  }

  /// What is still tied agrees on a stretch more, at least.
  double seconds_compared(Ties& ties, std::uint64_t tied, std::uint64_t stretches) {
    const std::uint64_t stretch = resolved_depth(setup_.d_text, 32 * tuning::compared_stretch);
    compared_ = std::max(compared_, ties.depth) + stretches * stretch;
    ties.depth += stretch;
    log().debug("suffix array: {} symbols deep, {} of {} rows tied, {} stretches compared",
                ties.depth, ties.rows.size(), tied, stretches);
    const std::uint64_t rounds = tied + ties.rows.size() * stretches * tuning::compared_stretch;
    return static_cast<double>(rounds) * tuning::compared_round;
  }

  /// Drops groups whose order makes no difference. Returns whether there were any.
  bool drop_alike(Ties& ties, DeviceBuffer<Pos>& rows) const {
    if (setup_.wants_order) return false;
    const std::uint64_t tied = ties.rows.size();
    cuda::drop_alike(ties.rows, setup_.d_text, rows);
    return ties.rows.size() != tied;
  }

  /// Whether it takes less time to compare small groups to their ends, two by two, than to rank
  /// them. What repeats deeply does so all over a group of repeats, so that comparing it some way
  /// first would be in vain.
  bool pays_to_compare(Ties& ties) const {
    if (ties.depth < setup_.least_depth) return true;
    const double rounds = 1 + agreement(ties) / 32;
    return pays(ties, rounds * rows_of(ties) * tuning::compared_round);
  }

  /// The same of larger groups, which are sorted key by key.
  bool pays_to_sort(Ties& ties) const {
    const bool by_radix = ties.groups == Groups::large;
    const double each = by_radix ? tuning::sorted_key : tuning::resolved_key;
    const double least = by_radix ? tuning::least_sorted_key : tuning::least_resolved_key;
    return pays(ties, agreement(ties) * (rows_of(ties) * each + least));
  }

  bool pays(const Ties& ties, double comparing) const {
    const double ranking = seconds_to_rank(ties);
    log().debug("suffix array: {} rows take {:.5f} s to compare, {:.5f} s to rank",
                ties.rows.size(), comparing, ranking);
    return comparing < ranking;
  }

  double seconds_to_rank(const Ties& ties) const {
    return setup_.ranking + rows_of(ties) * tuning::ranked_row;
  }

  /// Keys on which a sample of tied suffixes agrees.
  double agreement(Ties& ties) const {
    return mean_agreement(ties.rows, setup_.d_text, ties.depth, tuning::probes,
                          tuning::probed_rounds);
  }

  static double rows_of(const Ties& ties) { return static_cast<double>(ties.rows.size()); }

  /// The seconds that comparing suffixes in the text may still take, once it has been decided
  /// whether it pays. The decision is from a mean, so that it ends at what ranks take: in the worst
  /// case, both take twice as long as the better of the two.
  class Budget {
   public:
    bool is_decided() const { return left_.has_value(); }
    void decide(double seconds) { left_ = seconds; }
    void spend(double seconds) {
      if (left_) *left_ -= seconds;
    }
    bool allows() const { return left_ && *left_ > 0; }

   private:
    std::optional<double> left_;
  };

  /// Whether to go on rather than to rank, which a sample of the ties decides as soon as ranks can
  /// tell them apart.
  bool pays_to_go_on(Ties& ties, std::uint64_t batch, Budget& budget) const {
    if (ties.depth < setup_.least_depth) return true;
    if (are_many(ties, batch)) return false;
    if (!budget.is_decided()) budget.decide(pays_to_sort(ties) ? seconds_to_rank(ties) : 0);
    return budget.allows();
  }

  RefineSetup setup_;
  DeviceStream stream_;
  std::uint64_t compared_ = 0;  ///< most symbols of a suffix that were fetched, where not `depth`
};

}  // namespace

template <class Key, class Pos>
StillTied refine_batch(SortedBatch<Key, Pos>& sorted, std::uint64_t depth, const RefineSetup& setup,
                       DeviceStream stream) {
  return BatchRefiner<Key, Pos>(setup, stream).refine(sorted, depth);
}

template StillTied refine_batch(SortedBatch<std::uint32_t, std::uint32_t>&, std::uint64_t,
                                const RefineSetup&, DeviceStream);
template StillTied refine_batch(SortedBatch<std::uint32_t, std::uint64_t>&, std::uint64_t,
                                const RefineSetup&, DeviceStream);
template StillTied refine_batch(SortedBatch<std::uint64_t, std::uint32_t>&, std::uint64_t,
                                const RefineSetup&, DeviceStream);
template StillTied refine_batch(SortedBatch<std::uint64_t, std::uint64_t>&, std::uint64_t,
                                const RefineSetup&, DeviceStream);

}  // namespace gsx::cuda

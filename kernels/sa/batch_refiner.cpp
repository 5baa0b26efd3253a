#include "kernels/sa/batch_refiner.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "kernels/runtime/mail.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/refine.hpp"
#include "kernels/sa/resolve.hpp"
#include "kernels/sa/tied_rows.hpp"

namespace gsx::cuda {
namespace {

template <class Key, class Pos>
class BatchRefiner {
 public:
  BatchRefiner(const RefineSetup& setup, DeviceStream stream) : setup_(setup), stream_(stream) {}

  StillTied refine(SortedBatch<Key, Pos>& sorted, std::uint64_t depth) {
    BatchTies batch = resolve_batch_async(sorted, setup_.d_text, depth, tuning::first_rounds,
                                          setup_.wants_codes, stream_);
    if (sizeof(Key) == 4) sorted.keys = DeviceBuffer<Key>();
    Mail mail(stream_);
    if (sizeof(Key) == 8)
      mail.copy_async(batch.least_symbols.data(), batch.least_symbols.bytes(), 0);
    TiedRows<Pos> large_rows(sorted.rows, batch.large, stream_);
    mail.wait();
    const Carried carried = carried_by_ties(mail);
    Budget budget(*this, sorted.rows.size());
    std::uint64_t small_depth =
        carried.small == no_ties
            ? no_depth
            : depth + carried.small + resolved_depth(setup_.d_text, tuning::first_rounds);
    {
      Ties large{std::move(large_rows), depth + carried.large, Groups::of_blocks};
      if constexpr (sizeof(Key) == 8) large.d_keys = sorted.keys.data();
      large.least_carried = carried.large;
      if (are_many(large, sorted.rows.size())) {
        large.groups = Groups::large;
        large.too_large = large.rows.size();
      }
      while (large.rows.size() != 0 && large.groups != Groups::unknown && budget.allows(large))
        budget.spend(step(large, tuning::first_rounds, sorted.rows));
      if (large.rows.size() != 0) {
        large.forget_keys();
        sorted.keys = DeviceBuffer<Key>();
        if (!budget.allows(large))
          small_depth = catch_up(sorted, batch.small, small_depth, setup_.least_depth);
        large.rows.store_async(sorted.rows);
        large.rows.mark_async(batch.small);
        small_depth = std::min(small_depth, large.depth);
      }
      // What it took to tell large groups apart says nothing of small ones.
      if (large.rows.size() == 0 || large.groups == Groups::unknown)
        budget = Budget(*this, sorted.rows.size());
    }
    sorted.keys = DeviceBuffer<Key>();
    Ties ties{TiedRows<Pos>(sorted.rows, batch.small, stream_), small_depth, Groups::unknown};
    batch = BatchTies();
    unsigned rounds = tuning::next_rounds;
    while (ties.rows.size() != 0 && budget.allows(ties)) {
      if (ties.groups != Groups::small) {
        budget.spend(step(ties, tuning::next_rounds, sorted.rows));
        continue;
      }
      budget.spend(compare(ties, rounds, sorted.rows));
      rounds = std::min(rounds * tuning::rounds_growth, tuning::most_rounds);
    }
    if (ties.rows.size() == 0) return {};
    ties.rows.store_async(sorted.rows);
    return {ties.rows.tied_bits(sorted.rows.size()), ties.depth};
  }

 private:
  /// What is known of the groups of tied suffixes: all are small enough for a warp; they may be; or
  /// some are known to be too large for a warp, or for a block.
  enum class Groups { small, unknown, of_blocks, large };

  /// Suffixes of a batch that are tied, and how far they have been compared.
  struct Ties {
    TiedRows<Pos> rows;
    std::uint64_t depth;  ///< symbols on which the suffixes of a group agree, at least
    Groups groups;
    std::uint64_t too_large = 0;  ///< suffixes of groups that the last step left as they were
    const std::uint64_t* d_keys = nullptr;  ///< as in KnownDepth
    std::uint32_t least_carried = 0;

    /// Gives the memory of keys back. Groups have been compared farther than these tell.
    void forget_keys() {
      d_keys = nullptr;
      rows.forget_keys();
    }
    KnownDepth known() { return {depth, d_keys, rows.rows(), least_carried}; }
  };

  /// The fewest symbols that keys of tied suffixes carry, of small and of large groups.
  struct Carried {
    std::uint32_t small = 0;
    std::uint32_t large = 0;
  };
  static constexpr std::uint32_t no_ties = ~std::uint32_t{0};
  static constexpr std::uint64_t no_depth = ~std::uint64_t{0};

  /// Compares small groups as far as ranks need, on their own: together with large ones, which have
  /// got there, each step would compare all. Replaces the bits of those still tied, and returns
  /// their depth.
  std::uint64_t catch_up(SortedBatch<Key, Pos>& sorted, DeviceBuffer<std::uint32_t>& tied,
                         std::uint64_t depth, std::uint64_t wanted) {
    const std::uint64_t each = resolved_depth(setup_.d_text, 1);
    if (depth >= wanted) return depth;
    TiedRows<Pos> small(sorted.rows, tied, stream_);
    if (small.size() == 0) return no_depth;
    const auto rounds = static_cast<unsigned>(divide_up(wanted - depth, each));
    resolve_in_warps(small, setup_.d_text, depth, rounds, sorted.rows);
    GSX_CUDA_CHECK(cudaMemsetAsync(tied.data(), 0, tied.bytes(), stream_));
    if (small.size() == 0) return no_depth;
    small.store_async(sorted.rows);
    small.mark_async(tied);
    return depth + rounds * each;
  }

  static Carried carried_by_ties(const Mail& mail) {
    if (sizeof(Key) == 4) return {};
    const auto small = static_cast<std::uint32_t>(mail.letter(0));
    const auto large = static_cast<std::uint32_t>(mail.letter(0) >> 32);
    return {small, large == no_ties ? 0 : large};
  }

  /// Whether so many suffixes of a batch are tied that the text repeats as a whole.
  static bool are_many(const Ties& ties, std::uint64_t batch) {
    return ties.rows.size() > batch / tuning::repeating_share;
  }

  /// Compares tied suffixes by some more keys, and learns of their groups. Returns the gathers that
  /// it has cost.
  std::uint64_t step(Ties& ties, unsigned rounds, DeviceBuffer<Pos>& rows) {
    std::uint64_t gathers = 0;
    if (ties.groups == Groups::large) {
      gathers += tuning::radix_gathers * ties.too_large + ties.rows.size();
      ties.depth = refine_by_text(ties.rows, setup_.d_text, ties.known(), rows);
      ties.too_large = ties.rows.size();
      // In such a text most groups are large again.
      if (ties.rows.size() == 0 || are_many(ties, rows.size())) return gathers;
    }
    const std::uint64_t tied = ties.rows.size();
    const bool in_warps = ties.groups == Groups::unknown;
    ties.too_large = in_warps
                         ? resolve_in_warps(ties.rows, setup_.d_text, ties.depth, rounds, rows)
                         : resolve_in_blocks(ties.rows, setup_.d_text, ties.known(), rounds, rows);
    if (ties.too_large == 0) {
      ties.depth += resolved_depth(setup_.d_text, rounds);
      ties.groups = in_warps ? Groups::small : Groups::unknown;
    } else {
      ties.groups = in_warps ? Groups::of_blocks : Groups::large;
    }
    log().debug("suffix array: {} symbols deep, {} of {} rows tied, {} in large groups", ties.depth,
                ties.rows.size(), tied, ties.too_large);
    return gathers + tied + rounds * (ties.rows.size() - ties.too_large);
  }

  /// Compares the suffixes of small groups two by two, far. Returns the gathers that it has cost.
  std::uint64_t compare(Ties& ties, unsigned rounds, DeviceBuffer<Pos>& rows) {
    const std::uint64_t tied = ties.rows.size();
    compare_by_warps(ties.rows, setup_.d_text, ties.depth, rounds, rows);
    ties.depth += resolved_depth(setup_.d_text, 32 * rounds);
    log().debug("suffix array: {} symbols deep, {} of {} rows tied", ties.depth, ties.rows.size(),
                tied);
    return tied + rounds * ties.rows.size();
  }

  /// What comparing suffixes of a batch in the text may cost, in gathers from it.
  class Budget {
   public:
    Budget(const BatchRefiner& refiner, std::uint64_t batch)
        : batch_(batch),
          least_depth_(refiner.setup_.least_depth),
          limit_(tuning::ranking_gathers * std::max(batch, refiner.setup_.d_text.length() / 16)) {}

    /// Whether to go on rather than to rank.
    bool allows(const Ties& ties) const {
      return ties.depth < least_depth_ || (!are_many(ties, batch_) && spent_ <= limit_);
    }
    void spend(std::uint64_t gathers) { spent_ += gathers; }

   private:
    std::uint64_t batch_;
    std::uint64_t least_depth_;
    std::uint64_t limit_;
    std::uint64_t spent_ = 0;
  };

  RefineSetup setup_;
  DeviceStream stream_;
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

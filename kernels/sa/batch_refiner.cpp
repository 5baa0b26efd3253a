#include "kernels/sa/batch_refiner.hpp"

#include <algorithm>

#include "base/log.hpp"
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
    const Carried carried = carried_by_ties(batch);
    if (sizeof(Key) == 4) sorted.keys = DeviceBuffer<Key>();
    Budget budget(*this, sorted.rows.size());
    std::uint64_t small_depth =
        carried.small == no_ties
            ? ~std::uint64_t{0}
            : depth + carried.small + resolved_depth(setup_.d_text, tuning::first_rounds);
    {
      Ties large{TiedRows<Pos>(sorted.rows, batch.large, stream_), depth + carried.large,
                 Groups::of_blocks};
      if constexpr (sizeof(Key) == 8) large.d_keys = sorted.keys.data();
      large.least_carried = carried.large;
      if (are_many(large, sorted.rows.size())) {
        large.groups = Groups::large;
        large.too_large = large.rows.size();
      }
      while (large.rows.size() != 0 && large.groups != Groups::unknown && budget.allows(large))
        budget.spend(step(large, tuning::first_rounds, sorted.rows));
      if (large.rows.size() != 0) {
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

    KnownDepth known() { return {depth, d_keys, rows.rows(), least_carried}; }
  };

  /// The fewest symbols that keys of tied suffixes carry, of small and of large groups.
  struct Carried {
    std::uint32_t small = 0;
    std::uint32_t large = 0;
  };
  static constexpr std::uint32_t no_ties = ~std::uint32_t{0};

  Carried carried_by_ties(const BatchTies& batch) const {
    if (sizeof(Key) == 4) return {};
    std::uint32_t least[2];
    batch.least_symbols.copy_to_async(least);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
    return {least[0], least[1] == no_ties ? 0 : least[1]};
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

#include "kernels/index/sa/sort_plan.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/packed.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

/// Bytes that TiedRows takes per slot, keys included, beside two positions; and what sorting adds
/// for a slot of a large group, beside a third one.
constexpr std::uint64_t tied_bytes = 14, large_bytes = 16;
/// Workspaces of scans and sorts, small tables, and what an allocator rounds up.
constexpr std::uint64_t small_things = std::uint64_t{48} << 20;

/// Several for each GPU, and as many for one as for the next.
std::uint64_t batches_for(const SortShape& shape) {
  const std::uint64_t gpus = 1 + std::uint64_t{shape.helpers};
  return gpus * std::max(tuning::overlapped_batches,
                         divide_up(shape.length, gpus * tuning::largest_batch));
}

}  // namespace

std::uint64_t sorting_bytes(const SortShape& shape, const SortPlan& plan) {
  const std::uint64_t batch = std::min(plan.batch_suffixes, shape.length);
  const std::uint64_t pair = shape.position_bytes + (has_short_keys(shape.symbol_bits) ? 4 : 8);
  const std::uint64_t tied = tied_bytes + 2 * shape.position_bytes;
  const std::uint64_t large = large_bytes + shape.position_bytes;
  const std::uint64_t bytes_per_slot =
      std::max(2 * pair, pair + tied / 2 + large / 4) + shape.result_bytes_in_batch;
  const std::uint64_t text =
      PackedView::bytes_for(shape.length, shape.symbol_bits) + 24 * shape.segments;
  const std::uint64_t batches = divide_up(shape.length, batch);
  const std::uint64_t offsets = 8 * batches * divide_up(shape.length, tuning::tile_positions);
  // Without the others, the batch before is still leaving the device.
  const std::uint64_t rows =
      shape.position_bytes *
      (plan.keep_rows ? shape.length : std::min(batch, shape.length - batch));
  const std::uint64_t at_once =
      std::min<std::uint64_t>(static_cast<unsigned>(plan.at_once), batches);
  // A helper's batch comes while this GPU sorts another.
  const std::uint64_t brought = shape.helpers == 0 || plan.alone || batches == 1
                                    ? 0
                                    : batch * (1 + (plan.keep_rows ? 0 : shape.position_bytes));
  return text + offsets + shape.result_bytes + rows + brought + at_once * batch * bytes_per_slot +
         small_things;
}

std::uint64_t helping_bytes(const SortShape& shape, const SortPlan& plan) {
  SortShape helping = shape;
  helping.helpers = 0;
  helping.result_bytes = 0;
  helping.result_bytes_in_batch = 0;
  SortPlan without_rows = plan;
  without_rows.keep_rows = false;
  // Where samples are sorted, which positions these are is known here, too.
  const std::uint64_t marks = shape.length / 7;
  // What each lane has sent of its last batch, of which the rows of one are counted.
  const std::uint64_t batch = std::min(plan.batch_suffixes, shape.length);
  const auto lanes = static_cast<std::uint64_t>(plan.at_once);
  const std::uint64_t sent =
      (lanes - 1) * batch * shape.position_bytes + lanes * (batch + batch / 6);
  return sorting_bytes(helping, without_rows) + sent + marks;
}

std::vector<SortPlan> sort_plans(const SortShape& shape, std::uint64_t budget) {
  const std::uint64_t largest = std::clamp(divide_up(shape.length, batches_for(shape)),
                                           tuning::overlapped_batch, tuning::largest_batch);
  const bool coded = !has_short_keys(shape.symbol_bits) && shape.length >= tuning::coded_from;
  const Keying keying = coded ? Keying::shorter : Keying::packed;
  std::vector<SortPlan> plans;
  const auto add = [&](const SortPlan& plan) {
    if (sorting_bytes(shape, plan) <= budget) plans.push_back(plan);
  };
  if (shape.most_at_once > 1 && shape.length > largest && largest <= tuning::paired_batch)
    add({largest, true, shape.most_at_once, keying});
  for (const bool keep_rows : {true, false}) {
    for (std::uint64_t batch = largest; batch >= tuning::smallest_batch; batch /= 2) {
      add({batch, keep_rows, 1, keying});
    }
  }
  if (shape.helpers == 0) return plans;
  SortShape of_one = shape;
  of_one.helpers = 0;
  for (SortPlan plan : sort_plans(of_one, budget)) {
    plan.alone = true;
    plans.push_back(plan);
  }
  return plans;
}

}  // namespace gsx::cuda

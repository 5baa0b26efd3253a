#include "kernels/sa/sort_ladder.hpp"

#include <string>

#include "base/log.hpp"
#include "search/hits.hpp"

namespace gsx::cuda {

std::vector<SortPlan> plans_within(const SortShape& shape, std::uint64_t available) {
  std::vector<SortPlan> plans = sort_plans(shape, available);
  if (!plans.empty()) return plans;
  const SortPlan least = sort_plans(shape, unlimited).back();
  throw ResourceError("out of GPU memory: sorting this text takes at least " +
                      std::to_string(sorting_bytes(shape, least)) + " bytes, " +
                      std::to_string(available) + " are free for it");
}

std::vector<SortPlan> choose_plans(const SortShape& shape, std::uint64_t available) {
  std::vector<SortPlan> plans = plans_within(shape, available);
  const SortPlan plan = plans.front();
  const SortPlan best = sort_plans(shape, unlimited).front();
  log().debug("GPU memory: {} bytes planned, {} free, batches of {} suffixes",
              sorting_bytes(shape, plan), available, plan.batch_suffixes);
  if (plan.batch_suffixes != best.batch_suffixes || !plan.keep_rows) {
    log().info("{} bytes of GPU memory are free: sorting in batches of {} suffixes{}", available,
               plan.batch_suffixes, plan.keep_rows ? "" : ", rows not kept on the GPU");
  }
  return plans;
}

void log_retry(const ResourceError& error, const SortPlan& next) {
  log().info("{}; trying again with batches of {} suffixes{}", error.what(), next.batch_suffixes,
             next.keep_rows ? "" : ", rows not kept on the GPU");
}

}  // namespace gsx::cuda

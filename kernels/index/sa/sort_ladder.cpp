#include "kernels/index/sa/sort_ladder.hpp"

#include <string>

#include "base/log.hpp"
#include "search/exact/hits.hpp"

namespace gsx::cuda {
namespace {

std::string describe(const SortPlan& plan) {
  std::string text = "batches of " + std::to_string(plan.batch_suffixes) + " suffixes";
  if (plan.at_once > 1) text += ", " + std::to_string(plan.at_once) + " at once";
  if (plan.alone) text += ", by one GPU";
  return plan.keep_rows ? text : text + ", rows not kept on the GPU";
}

bool is_same(const SortPlan& a, const SortPlan& b) {
  return a.batch_suffixes == b.batch_suffixes && a.keep_rows == b.keep_rows &&
         a.at_once == b.at_once && a.alone == b.alone;
}

}  // namespace

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
  log().debug("GPU memory: {} bytes planned, {} free, {}", sorting_bytes(shape, plan), available,
              describe(plan));
  if (!is_same(plan, best))
    log().info("{} bytes of GPU memory are free: sorting in {}", available, describe(plan));
  return plans;
}

void log_retry(const ResourceError& error, const SortPlan& next) {
  log().info("{}; trying again with {}", error.what(), describe(next));
}

}  // namespace gsx::cuda

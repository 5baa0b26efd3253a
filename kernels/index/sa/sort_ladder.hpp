// Sorting by the best plan that fits, and by lesser ones where memory runs out nevertheless.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "kernels/index/sa/sort_plan.hpp"

namespace gsx::cuda {

/// The plans for which `available` bytes are enough, best first; at least one. Throws
/// ResourceError.
std::vector<SortPlan> plans_within(const SortShape& shape, std::uint64_t available);
/// The same, and logs the first plan: at the level "info" where it is not the best there is.
std::vector<SortPlan> choose_plans(const SortShape& shape, std::uint64_t available);

/// Logs why the next plan is tried.
void log_retry(const ResourceError& error, const SortPlan& next);

/// What attempt(plan) returns, which sorts by a plan. It is called with the first plan, and with
/// each that follows while it throws ResourceError.
template <class Attempt>
std::invoke_result_t<Attempt, const SortPlan&> try_plans(const std::vector<SortPlan>& plans,
                                                         const Attempt& attempt) {
  for (std::size_t rung = 0;; ++rung) {
    try {
      return attempt(plans[rung]);
    } catch (const ResourceError& error) {
      if (rung + 1 == plans.size()) throw;
      log_retry(error, plans[rung + 1]);
    }
  }
}

}  // namespace gsx::cuda

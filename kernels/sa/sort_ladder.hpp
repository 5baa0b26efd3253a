// Sorting with the largest plan that fits, and with smaller ones where memory runs out all the
// same.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/runtime/device_link.hpp"
#include "kernels/sa/sort_plan.hpp"
#include "kernels/text/device_text.hpp"
#include "machine/resources.hpp"

namespace gsx::cuda {

/// The plans for which `available` bytes are enough, best first; at least one. Throws
/// ResourceError.
std::vector<SortPlan> plans_within(const SortShape& shape, std::uint64_t available);

/// Logs a plan; at the level "info" where it is not the best there is.
void log_plan(const SortShape& shape, const SortPlan& plan, std::uint64_t available);
/// Logs why the next plan is tried.
void log_retry(const ResourceError& error, const SortPlan& next);

/// What attempt(d_text, plan) returns, which sorts a text on the device by a plan. It is called
/// once, and again with each smaller plan while it throws ResourceError.
template <class Attempt>
std::invoke_result_t<Attempt, const TextView&, const SortPlan&> sort_within_memory(
    const TextView& text, const SortShape& shape, DeviceLink& link, int threads,
    const Attempt& attempt) {
  const std::uint64_t available = available_bytes(link.device());
  const std::vector<SortPlan> plans = plans_within(shape, available);
  const Stopwatch watch;
  const DeviceText d_text(text, link.transfer(threads), link.stream());
  log().debug("text on the device in {:.3f} s", watch.seconds());
  log_plan(shape, plans.front(), available);
  for (std::size_t rung = 0;; ++rung) {
    try {
      return attempt(d_text.view(), plans[rung]);
    } catch (const ResourceError& error) {
      if (rung + 1 == plans.size()) throw;
      log_retry(error, plans[rung + 1]);
    }
  }
}

}  // namespace gsx::cuda

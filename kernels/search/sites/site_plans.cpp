#include "kernels/search/sites/site_plans.hpp"

#include <algorithm>
#include <new>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/base/current_device.hpp"
#include "search/sites/site_table.hpp"

namespace gsx::cuda {
namespace {

/// Shapes whose tables, or plans of them, are kept.
constexpr std::size_t most_plans = 8;

}  // namespace

SitePlans::~SitePlans() {
  const CurrentDevice current(text_->pool().device(), std::nothrow);
  plans_.clear();
  stream_.reset();
}

bool SitePlans::has(const SiteShape& shape) const {
  const std::lock_guard lock(planning_);
  return find(shape) != nullptr;
}

std::shared_ptr<const SitePlan> SitePlans::find(const SiteShape& shape) const {
  const auto same = std::find_if(plans_.begin(), plans_.end(),
                                 [&](const auto& plan) { return plan->shape == shape; });
  return same == plans_.end() ? nullptr : *same;
}

std::uint64_t SitePlans::budget() const {
  return std::min(table_bytes_, text_->pool().available() / 10 * 9);
}

/// Cuts the text into as few parts as have tables of so many bytes.
std::shared_ptr<SitePlan> SitePlans::make(const SiteShape& shape, std::uint64_t bytes) const {
  auto plan = std::make_shared<SitePlan>();
  plan->shape = shape;
  plan->pam = SitePam(shape);
  const std::vector<SitePart> slices =
      cuda::count_sites(text_->view(), plan->pam, slice_places_, stream());
  std::uint64_t all = 0;
  for (const SitePart& slice : slices)
    all += slice.sites;
  plan->half = SiteTable::half_bases(all, shape.guide);
  plan->parts = join_slices(slices, [&](const SitePart& part) {
    return part.starts.end - part.starts.begin <= DeviceSiteTable::most_places &&
           part.sites <= DeviceSiteTable::most_sites &&
           DeviceSiteTable::bytes_to_build(part.sites, plan->half) <= bytes;
  });
  for (const SliceRun& run : plan->parts) {
    plan->bytes =
        std::max(plan->bytes, DeviceSiteTable::bytes_to_build(run.part.sites, plan->half));
  }
  return plan;
}

std::shared_ptr<const SitePlan> SitePlans::plan_for(const SiteShape& shape) {
  const std::lock_guard lock(planning_);
  if (auto known = find(shape)) return known;
  try {
    const Stopwatch watch;
    // Tables before it make way; calls that use them keep them as long as they do.
    if (plans_.size() == most_plans) plans_.erase(plans_.begin());
    std::shared_ptr<SitePlan> plan = make(shape, budget());
    if (plan->parts.size() > 1 && !plans_.empty()) {
      plans_.clear();
      plan = make(shape, budget());
    }
    if (plan->bytes > budget()) return nullptr;
    if (plan->parts.size() == 1) {
      const SitePart& part = plan->parts.front().part;
      plan->whole = std::make_shared<const DeviceSiteTable>(text_->view(), plan->pam, part,
                                                            plan->half, stream());
      log().debug("table of {} PAM sites on the GPU, {:.1f} MB, in {:.3f} s", part.sites,
                  static_cast<double>(part.sites) * 16 / 1e6, watch.seconds());
    } else {
      log().debug("tables of PAM sites on the GPU in {} parts of the text, at most {:.1f} MB each",
                  plan->parts.size(), static_cast<double>(plan->bytes) / 1e6);
    }
    plans_.push_back(plan);
    return plan;
  } catch (const ResourceError& error) {
    log().debug("no table of PAM sites on the GPU: {}", error.what());
    return nullptr;
  }
}

void SitePlans::for_each_part(const SitePlan& plan, const PlaceRange& range, const UseTable& use,
                              DeviceStream stream) {
  if (plan.whole) return use(*plan.whole);
  const std::lock_guard lock(planning_);  // only one such table at a time
  for (const SliceRun& run : plan.parts) {
    const PlaceRange& starts = run.part.starts;
    if (starts.end <= range.begin || starts.begin >= range.end) continue;
    const DeviceSiteTable table(text_->view(), plan.pam, run.part, plan.half, stream);
    use(table);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
}

}  // namespace gsx::cuda

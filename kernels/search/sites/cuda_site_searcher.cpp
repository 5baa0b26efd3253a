#include "kernels/search/sites/cuda_site_searcher.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/base/current_device.hpp"
#include "kernels/search/mismatches/record_finder.hpp"
#include "kernels/search/sites/site_plans.hpp"
#include "search/sites/site_lookup.hpp"
#include "search/sites/site_table.hpp"

namespace gsx::cuda {
namespace {

/// Estimated seconds: of the launches of a call and of making a table; of a place, to make a table;
/// of the host to prepare a guide; and to compare a guide with a site.
constexpr double launch_cost = 1e-3, table_cost = 2e-3, place_cost = 1.6e-11, guide_cost = 2e-8,
                 pair_cost = 5e-13;

/// How many times more sites than in random text a bucket of a genome has.
constexpr double skew = 6;

/// Guides whose hits are listed together, and numbers that are counted at a time.
constexpr std::size_t most_listed = 8192;
constexpr std::size_t most_counts = std::size_t{1} << 25;
static_assert(most_listed <= HitRecord::most_patterns);

using Groups = std::vector<SiteGroup>;

/// The search of one call.
class SiteFinder final : public RecordFinder {
 public:
  SiteFinder(const PlacedText& text, SitePlans& plans, const SiteOptions& options)
      : RecordFinder(text.view().length(), text.pool(), {options.host_hits, options.range_places}),
        plans_(plans),
        options_(options) {}
  ~SiteFinder() override { (void)cudaStreamSynchronize(stream()); }  // before tables may go
  SiteFinder(const SiteFinder&) = delete;
  SiteFinder& operator=(const SiteFinder&) = delete;

  /// Keeps the plans of all shapes of a batch; false if one has none.
  bool plan(const Groups& groups) {
    for (const SiteGroup& group : groups) {
      planned_.push_back(plans_.plan_for(group.shape));
      if (!planned_.back()) return false;
    }
    return true;
  }

  std::size_t group_end(const SetPatterns& patterns, std::size_t first, const MismatchRequest&,
                        std::size_t most) override {
    return std::min(patterns.size(), first + std::min(most, most_listed));
  }

 private:
  struct Prepared {
    const SitePlan* plan;
    DeviceGuides guides;
  };

  void prepare(const SetPatterns& patterns, const MismatchRequest& request) override {
    prepared_.clear();
    const std::optional<Groups> groups =
        group_by_site(patterns, request.mismatches, options_.threads);
    for (const SiteGroup& group : *groups) {
      const auto plan = std::find_if(planned_.begin(), planned_.end(), [&](const auto& known) {
        return known->shape == group.shape;
      });
      prepared_.push_back({plan->get(), DeviceGuides(group, (*plan)->half, request.mismatches,
                                                     request.strands, stream())});
    }
  }

  void find_async(const PlaceRange& range, const ScanResult& result) override {
    for (const Prepared& one : prepared_) {
      plans_.for_each_part(
          *one.plan, range,
          [&](const DeviceSiteTable& table) {
            one.guides.find_async(table, range, result, options_.many_guides, stream());
          },
          stream());
    }
  }

  SitePlans& plans_;
  const SiteOptions& options_;
  std::vector<std::shared_ptr<const SitePlan>> planned_;
  std::vector<Prepared> prepared_;
};

class CudaSiteSearcher final : public MismatchWay {
 public:
  CudaSiteSearcher(std::shared_ptr<const PlacedText> text, const MismatchWay& scan,
                   const SiteOptions& options)
      : text_(std::move(text)),
        scan_(scan),
        options_(options),
        plans_(text_, options.table_bytes, options.slice_places) {}

  std::string_view name() const override { return "PAM sites on the GPU"; }

  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override {
    const std::optional<Groups> groups = groups_of(patterns, request);
    if (!groups) return impossible;
    const auto length = static_cast<double>(text_->view().length());
    double device = launch_cost;
    for (const SiteGroup& group : *groups) {
      double sites = length * 2;
      for (const BaseSet set : group.shape.pam)
        sites *= popcount32(set) / 4.0;
      if (!plans_.has(group.shape)) device += table_cost + length * place_cost;
      device += static_cast<double>(group.keys.size()) *
                (guide_cost + pairs_per_guide(group.shape, sites, request.mismatches) * pair_cost);
    }
    return options_.threads * device;
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const CurrentDevice current(text_->pool().device());
    SiteFinder finder(*text_, plans_, options_);
    if (!plan(finder, patterns, request)) return scan_.count(patterns, request, counts);
    counts.reset(patterns.size(), request.mismatches);
    const std::size_t most = most_counts / (2 * (request.mismatches + 1));
    MismatchCounts some;
    for (std::size_t first = 0; first < patterns.size(); first += most) {
      const std::size_t end = std::min(patterns.size(), first + most);
      some.reset(end - first, request.mismatches);
      finder.count(patterns.some(first, end), request, some);
      counts.put(first, some);
    }
  }

  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    const CurrentDevice current(text_->pool().device());
    SiteFinder finder(*text_, plans_, options_);
    if (!plan(finder, patterns, request)) return scan_.stream(patterns, request, sink);
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    stream_found(finder, patterns, request, {.hits_at_once = options_.host_hits}, callers);
  }

 private:
  std::optional<Groups> groups_of(const SetPatterns& patterns,
                                  const MismatchRequest& request) const {
    if (request.mismatches > SiteLookup::most_mismatches) return {};
    std::optional<Groups> groups = group_by_site(patterns, request.mismatches, options_.threads);
    const auto suits = [](const SiteGroup& group) { return SitePlans::suits(group.shape); };
    if (groups && !std::all_of(groups->begin(), groups->end(), suits)) return {};
    return groups;
  }

  /// Whether a finder has tables for all patterns.
  bool plan(SiteFinder& finder, const SetPatterns& patterns, const MismatchRequest& request) const {
    const std::optional<Groups> groups = groups_of(patterns, request);
    return groups && finder.plan(*groups);
  }

  static double pairs_per_guide(const SiteShape& shape, double sites, std::uint32_t mismatches) {
    const std::uint32_t half =
        SiteTable::half_bases(static_cast<std::uint64_t>(sites), shape.guide);
    const std::uint32_t first = SiteLookup::first_most(mismatches);
    double buckets = static_cast<double>(Neighbours::count(half, first));
    if (mismatches > 0)
      buckets += static_cast<double>(Neighbours::count(half, mismatches - 1 - first));
    return buckets * (1 + skew * std::ldexp(sites, -2 * static_cast<int>(half)));
  }

  std::shared_ptr<const PlacedText> text_;
  const MismatchWay& scan_;
  SiteOptions options_;
  mutable SitePlans plans_;
};

}  // namespace

std::unique_ptr<MismatchWay> make_site_searcher(std::shared_ptr<const PlacedText> text,
                                                const MismatchWay& scan,
                                                const SiteOptions& options) {
  return std::make_unique<CudaSiteSearcher>(std::move(text), scan, options);
}

}  // namespace gsx::cuda

#include "scan/site_searcher.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"
#include "scan/site_hits.hpp"
#include "scan/site_lookup.hpp"

namespace gsx {
namespace {

/// Shapes whose tables, or plans of them, are kept.
constexpr std::size_t most_plans = 8;

/// Patterns that a thread takes at a time.
constexpr std::size_t task_patterns = 8;

}  // namespace

class SiteSearcher::Team {
 public:
  Team(std::atomic<int>& spare, int most) : spare_(spare) {
    int left = spare_.load(std::memory_order_relaxed);
    do {
      taken_ = std::clamp(left, 0, most);
    } while (!spare_.compare_exchange_weak(left, left - taken_, std::memory_order_relaxed));
  }
  ~Team() { spare_.fetch_add(taken_, std::memory_order_relaxed); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return std::max(1, taken_); }

 private:
  std::atomic<int>& spare_;
  int taken_ = 0;
};

SiteSearcher::SiteSearcher(const TextView& text, std::unique_ptr<MismatchSearcher> other,
                           int threads, const SearchMemory& memory, std::uint64_t table_bytes,
                           CpuPath path, std::size_t least)
    : text_(text),
      other_(std::move(other)),
      threads_(std::max(1, threads)),
      memory_(memory),
      table_bytes_(table_bytes),
      path_(path),
      least_(least),
      spare_(threads_) {}

/// The plan of each pattern that a table answers; null for the others.
std::vector<std::shared_ptr<const SiteSearcher::Plan>> SiteSearcher::plans_of(
    const SetPatterns& patterns, const MismatchRequest& request) const {
  std::vector<std::shared_ptr<const Plan>> plans(patterns.size());
  if (request.mismatches > SiteLookup::most_mismatches) return plans;
  std::vector<SiteShape> shapes;
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i].size() <= request.mismatches) continue;
    std::optional<SiteShape> shape = site_shape_of(patterns[i]);
    if (!shape) continue;
    // Usually that of the pattern before.
    auto known = std::find(shapes.rbegin(), shapes.rend(), *shape);
    if (known == shapes.rend()) {
      shapes.push_back(std::move(*shape));
      members.emplace_back();
      known = shapes.rbegin();
    }
    members[static_cast<std::size_t>(shapes.rend() - known) - 1].push_back(i);
    if (shapes.size() > 64) break;  // this is no list of guides
  }
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const std::shared_ptr<const Plan> plan =
        members[s].size() >= least_ ? plan_for(shapes[s]) : known_plan(shapes[s]);
    if (!plan) continue;
    for (const std::size_t i : members[s])
      plans[i] = plan;
  }
  return plans;
}

/// The plan of a shape whose table is there.
std::shared_ptr<const SiteSearcher::Plan> SiteSearcher::known_plan(const SiteShape& shape) const {
  const std::lock_guard lock(planning_);
  for (const auto& plan : plans_)
    if (plan->whole && plan->shape == shape) return plan;
  return nullptr;
}

/// The plan of a shape, and its table if all of it fits; null if not even small parts do.
std::shared_ptr<const SiteSearcher::Plan> SiteSearcher::plan_for(const SiteShape& shape) const {
  const std::lock_guard lock(planning_);
  for (const auto& plan : plans_)
    if (plan->shape == shape) return plan;
  const Team team(spare_, threads_);
  auto plan = std::make_shared<Plan>();
  plan->shape = shape;
  plan->slices = count_sites(text_, plan->shape, team.threads());
  // A table before it gives its memory to this one; calls that use it keep it as long as they do.
  if (plans_.size() == most_plans) plans_.erase(plans_.begin());
  cut(*plan);
  if (plan->bytes > table_bytes_) return nullptr;
  std::uint64_t kept = 0;
  for (const auto& other : plans_)
    if (other->whole) kept += other->bytes;
  if (plan->bytes > table_bytes_ - std::min(kept, table_bytes_)) plans_.clear();
  if (plan->parts.size() == 1) {
    plan->whole = std::make_shared<SiteTable>(text_, plan->shape, plan->slices, team.threads());
    log().debug("table of {} PAM sites, {:.1f} MB", plan->whole->sites(),
                static_cast<double>(plan->whole->sites()) * 16 / 1e6);
  } else {
    log().debug("tables of PAM sites in {} parts of the text, at most {:.1f} MB each",
                plan->parts.size(), static_cast<double>(plan->bytes) / 1e6);
  }
  plans_.push_back(plan);
  return plan;
}

/// Cuts the text into as few parts as the memory allows.
void SiteSearcher::cut(Plan& plan) const {
  const std::vector<SitePart>& slices = plan.slices;
  std::uint64_t sites = 0;
  std::size_t first = 0;
  const auto end_part = [&](std::size_t last) {
    plan.parts.emplace_back(first, last);
    plan.bytes = std::max(plan.bytes, SiteTable::bytes_to_build(sites, plan.shape.guide));
    first = last;
    sites = 0;
  };
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::uint64_t places = slices[i].starts.end - slices[first].starts.begin;
    const bool fits =
        places <= SiteTable::most_places &&
        SiteTable::bytes_to_build(sites + slices[i].sites, plan.shape.guide) <= table_bytes_;
    if (!fits && i > first) end_part(i);
    sites += slices[i].sites;
  }
  end_part(slices.size());
}

void SiteSearcher::for_each_part(const Plan& plan, const UseTable& use) const {
  if (plan.whole) return use(*plan.whole);
  const std::lock_guard lock(planning_);  // only one such table at a time
  for (const auto& [first, last] : plan.parts) {
    const std::span slices(plan.slices.data() + first, last - first);
    std::optional<SiteTable> table;
    {
      const Team team(spare_, threads_);
      table.emplace(text_, plan.shape, slices, team.threads());
    }
    use(*table);
  }
}

void SiteSearcher::count_sites_of(const Plan& plan, const SetPatterns& patterns,
                                  const std::vector<std::size_t>& which,
                                  const MismatchRequest& request, MismatchCounts& counts) const {
  for_each_part(plan, [&](const SiteTable& table) {
    const SiteLookup lookup(table, request.mismatches, path_);
    const std::size_t tasks = (which.size() + task_patterns - 1) / task_patterns;
    const Team team(spare_, threads_);
    parallel_for(team.threads(), tasks, [&](std::uint64_t task, int) {
      const std::size_t begin = task * task_patterns;
      for (std::size_t n = begin; n < std::min(which.size(), begin + task_patterns); ++n) {
        const std::size_t i = which[n];
        const std::span<std::uint64_t> strands[] = {counts.of(i, false), counts.of(i, true)};
        lookup.find(guide_key(patterns[i], plan.shape),
                    [&](std::uint32_t place, std::uint32_t mismatches) {
                      ++strands[place & 1][mismatches];
                    });
      }
    });
  });
  if (request.strands == Strands::both) return;
  for (const std::size_t i : which)
    std::ranges::fill(counts.of(i, request.strands == Strands::forward), 0);
}

void SiteSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                         MismatchCounts& counts) const {
  counts.reset(patterns.size(), request.mismatches);
  auto plans = plans_of(patterns, request);
  SetPatternBuffer others;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!plans[i]) {
      others.add(patterns[i]);
      left.push_back(i);
      continue;
    }
    const std::shared_ptr<const Plan> plan = plans[i];
    if (i > 0 && plans[i - 1] == plan) continue;
    if (std::find(plans.begin(), plans.begin() + static_cast<std::ptrdiff_t>(i), plan) !=
        plans.begin() + static_cast<std::ptrdiff_t>(i)) {
      continue;  // counted with the first pattern of the plan
    }
    std::vector<std::size_t> which;
    for (std::size_t j = i; j < patterns.size(); ++j)
      if (plans[j] == plan) which.push_back(j);
    count_sites_of(*plan, patterns, which, request, counts);
  }
  if (left.empty()) return;
  MismatchCounts found;
  other_->count(others.patterns(), request, found);
  for (std::size_t n = 0; n < left.size(); ++n) {
    for (const bool reverse : {false, true})
      std::ranges::copy(found.of(n, reverse), counts.of(left[n], reverse).begin());
  }
}

void SiteSearcher::stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                               const HitSink& sink) const {
  stream_by_plan(patterns, request, sink,
                 [&](const Plan& plan, std::size_t first, std::size_t last) {
                   stream_sites_of(plan, patterns, first, last, request, sink);
                 });
}

void SiteSearcher::stream_unordered(const SetPatterns& patterns, const MismatchRequest& request,
                                    const HitSink& sink) const {
  const MismatchRequest all{request.strands, request.mismatches};
  stream_by_plan(patterns, all, sink, [&](const Plan& plan, std::size_t first, std::size_t last) {
    for_each_part(plan, [&](const SiteTable& table) {
      stream_part(plan, table, patterns, first, last, all, sink);
    });
  });
}

/// Gives `stream_sites` the patterns that a table answers, and the others to the other searcher, as
/// they follow one another.
void SiteSearcher::stream_by_plan(const SetPatterns& patterns, const MismatchRequest& request,
                                  const HitSink& sink, const StreamSites& stream_sites) const {
  const auto plans = plans_of(patterns, request);
  for (std::size_t first = 0; first < patterns.size();) {
    std::size_t last = first + 1;
    while (last < patterns.size() && plans[last] == plans[first])
      ++last;
    if (plans[first]) {
      stream_sites(*plans[first], first, last);
    } else {
      stream_others(patterns, first, last, request, sink);
    }
    first = last;
  }
}

void SiteSearcher::stream_others(const SetPatterns& patterns, std::size_t first, std::size_t last,
                                 const MismatchRequest& request, const HitSink& sink) const {
  other_->stream_hits(patterns.some(first, last), request, [&](HitChunk chunk) {
    chunk.first += first;
    sink(chunk);
  });
}

/// Adds the hits of patterns [first, last) in the part of a table.
void SiteSearcher::look_up(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
                           std::size_t first, std::size_t last, const MismatchRequest& request,
                           SiteHits& hits) const {
  const SiteLookup lookup(table, request.mismatches, path_);
  const Team team(spare_, threads_);
  parallel_for(team.threads(), last - first, [&](std::uint64_t n, int) {
    const std::uint64_t key = guide_key(patterns[first + n], plan.shape);
    SiteHits::Writer writer(hits, n, table.begin(), request.strands);
    lookup.find(
        key, [&](std::uint32_t place, std::uint32_t mismatches) { writer.add(place, mismatches); });
    writer.finish();
  });
}

/// Searches as many patterns at a time as have about as many hits as may be held. One that has more
/// goes to the other searcher.
void SiteSearcher::stream_sites_of(const Plan& plan, const SetPatterns& patterns, std::size_t first,
                                   std::size_t last, const MismatchRequest& request,
                                   const HitSink& sink) const {
  SiteHits hits(memory_.hits_at_once);
  // To build the tables of parts costs more than to find hits twice.
  std::size_t at_once =
      plan.whole ? task_patterns * static_cast<std::size_t>(threads_) : last - first;
  while (first < last) {
    const std::size_t end = first + std::min(at_once, last - first);
    hits.reset(end - first);
    for_each_part(plan, [&](const SiteTable& table) {
      look_up(plan, table, patterns, first, end, request, hits);
    });
    const std::size_t complete = hits.complete();
    if (complete > 0) {
      hits.give(first, complete, request, sink);
      at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(hits.room(), 1, 4 * at_once));
    } else if (end - first > 1) {
      at_once = std::max<std::size_t>(1, (end - first) / 4);
    } else {
      stream_others(patterns, first, first + 1, request, sink);
      ++first;
    }
    first += complete;
  }
}

/// Gives the hits of patterns [first, last) in the part of a table.
void SiteSearcher::stream_part(const Plan& plan, const SiteTable& table,
                               const SetPatterns& patterns, std::size_t first, std::size_t last,
                               const MismatchRequest& request, const HitSink& sink) const {
  SiteHits hits(memory_.hits_at_once);
  std::size_t at_once = task_patterns * static_cast<std::size_t>(threads_);
  while (first < last) {
    const std::size_t end = first + std::min(at_once, last - first);
    hits.reset(end - first);
    look_up(plan, table, patterns, first, end, request, hits);
    const std::size_t complete = hits.complete();
    if (complete > 0) {
      hits.give(first, complete, request, sink);
      at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(hits.room(), 1, 4 * at_once));
    } else if (end - first > 1) {
      at_once = std::max<std::size_t>(1, (end - first) / 4);
    } else {
      stream_one(plan, table, patterns, first, request, sink);
      ++first;
    }
    first += complete;
  }
}

/// Gives the hits of one pattern in the part of a table, some at a time.
void SiteSearcher::stream_one(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
                              std::size_t which, const MismatchRequest& request,
                              const HitSink& sink) const {
  const std::uint64_t most = std::max<std::uint64_t>(1, memory_.hits_at_once / 2);
  std::vector<Hit> hits;
  const auto pass_on = [&] {
    if (hits.empty()) return;
    std::sort(hits.begin(), hits.end());
    const StrandCounts counts;
    const std::uint64_t end = hits.size();
    sink({which, 0, unlimited, {&counts, 1}, {&end, 1}, hits});
    hits.clear();
  };
  const bool wanted[] = {request.strands != Strands::reverse, request.strands != Strands::forward};
  const SiteLookup lookup(table, request.mismatches, path_);
  lookup.find(guide_key(patterns[which], plan.shape),
              [&](std::uint32_t place, std::uint32_t mismatches) {
                if (!wanted[place & 1]) return;
                hits.emplace_back(table.begin() + (place >> 1), (place & 1) != 0, mismatches);
                if (hits.size() >= most) pass_on();
              });
  pass_on();
}

}  // namespace gsx

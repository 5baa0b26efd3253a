#include "scan/site_searcher.hpp"

#include <algorithm>
#include <numeric>
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

/// Gives a chunk of patterns that have these numbers in the batch, ascending, to the sink: those
/// that follow one another in the batch together.
void give_numbered(const HitChunk& chunk, std::span<const std::size_t> numbers,
                   const HitSink& sink) {
  std::vector<std::uint64_t> ends;
  for (std::size_t i = 0; i < chunk.patterns();) {
    const std::size_t first = numbers[chunk.first + i];
    std::size_t end = i + 1;
    while (end < chunk.patterns() && numbers[chunk.first + end] == first + (end - i))
      ++end;
    const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
    ends.clear();
    for (std::size_t n = i; n < end; ++n)
      ends.push_back(chunk.ends[n] - begin);
    sink({first, i == 0 ? chunk.before : 0, chunk.max_hits, chunk.counts.subspan(i, end - i), ends,
          chunk.hits.subspan(begin, ends.back()), chunk.fewest_mismatches});
    i = end;
  }
}

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
SiteSearcher::Plans SiteSearcher::plans_of(const SetPatterns& patterns,
                                           const MismatchRequest& request) const {
  Plans plans(patterns.size());
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

/// Patterns [first, last) by their plans, in order of the first pattern of each.
SiteSearcher::Groups SiteSearcher::by_plan(const Plans& plans, std::size_t first,
                                           std::size_t last) {
  Groups groups;
  for (std::size_t i = first; i < last; ++i) {
    // Usually that of the pattern before.
    auto known = std::find_if(groups.rbegin(), groups.rend(),
                              [&](const auto& group) { return group.first == plans[i].get(); });
    if (known == groups.rend()) {
      groups.push_back({plans[i].get(), {}});
      known = groups.rbegin();
    }
    known->second.push_back(i);
  }
  return groups;
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
  SetPatternBuffer others;
  std::vector<std::size_t> left;
  const Plans plans = plans_of(patterns, request);
  for (auto& [plan, which] : by_plan(plans, 0, patterns.size())) {
    if (plan != nullptr) {
      count_sites_of(*plan, patterns, which, request, counts);
      continue;
    }
    for (const std::size_t i : which)
      others.add(patterns[i]);
    left = std::move(which);
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
  const Plans plans = plans_of(patterns, request);
  for (std::size_t first = 0; first < patterns.size();) {
    const bool has_table = plans[first] != nullptr;
    std::size_t last = first + 1;
    while (last < patterns.size() && (plans[last] != nullptr) == has_table)
      ++last;
    if (has_table) {
      stream_sites_of(plans, patterns, first, last, request, sink);
    } else {
      stream_others(patterns, first, last, request, sink);
    }
    first = last;
  }
}

void SiteSearcher::stream_unordered(const SetPatterns& patterns, const MismatchRequest& request,
                                    const HitSink& sink) const {
  const MismatchRequest all{request.strands, request.mismatches};
  const Plans plans = plans_of(patterns, all);
  for (const auto& [plan, which] : by_plan(plans, 0, patterns.size())) {
    SetPatternBuffer some;
    for (const std::size_t i : which)
      some.add(patterns[i]);
    const HitSink numbered = [&sink, &numbers = which](const HitChunk& chunk) {
      give_numbered(chunk, numbers, sink);
    };
    if (plan == nullptr) {
      other_->stream_hits(some.patterns(), all, numbered);
    } else {
      for_each_part(*plan, [&, &of_table = *plan](const SiteTable& table) {
        stream_part(of_table, table, some.patterns(), all, numbered);
      });
    }
  }
}

void SiteSearcher::stream_others(const SetPatterns& patterns, std::size_t first, std::size_t last,
                                 const MismatchRequest& request, const HitSink& sink) const {
  other_->stream_hits(patterns.some(first, last), request, [&](HitChunk chunk) {
    chunk.first += first;
    sink(chunk);
  });
}

/// Adds the hits of some patterns in the part of a table; pattern `first` is the first of `hits`.
void SiteSearcher::look_up(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
                           std::span<const std::size_t> which, std::size_t first,
                           const MismatchRequest& request, SiteHits& hits) const {
  const SiteLookup lookup(table, request.mismatches, path_);
  const Team team(spare_, threads_);
  parallel_for(team.threads(), which.size(), [&](std::uint64_t n, int) {
    const std::uint64_t key = guide_key(patterns[which[n]], plan.shape);
    SiteHits::Writer writer(hits, which[n] - first, table.begin(), request.strands);
    lookup.find(
        key, [&](std::uint32_t place, std::uint32_t mismatches) { writer.add(place, mismatches); });
    writer.finish();
  });
}

/// Searches as many patterns at a time as have about as many hits as may be held, whichever tables
/// answer them. One that has more goes to the other searcher.
void SiteSearcher::stream_sites_of(const Plans& plans, const SetPatterns& patterns,
                                   std::size_t first, std::size_t last,
                                   const MismatchRequest& request, const HitSink& sink) const {
  SiteHits hits(memory_.hits_at_once);
  const bool whole =
      std::all_of(plans.begin() + static_cast<std::ptrdiff_t>(first),
                  plans.begin() + static_cast<std::ptrdiff_t>(last),
                  [](const std::shared_ptr<const Plan>& plan) { return plan->whole != nullptr; });
  // To build the tables of parts costs more than to find hits twice.
  std::size_t at_once = whole ? task_patterns * static_cast<std::size_t>(threads_) : last - first;
  while (first < last) {
    const std::size_t end = first + std::min(at_once, last - first);
    hits.reset(end - first);
    for (const auto& [plan, which] : by_plan(plans, first, end)) {
      for_each_part(*plan, [&, &plan = plan, &numbers = which](const SiteTable& table) {
        look_up(*plan, table, patterns, numbers, first, request, hits);
      });
    }
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

/// Gives the hits of all patterns in the part of a table.
void SiteSearcher::stream_part(const Plan& plan, const SiteTable& table,
                               const SetPatterns& patterns, const MismatchRequest& request,
                               const HitSink& sink) const {
  std::vector<std::size_t> numbers(patterns.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  SiteHits hits(memory_.hits_at_once);
  std::size_t at_once = task_patterns * static_cast<std::size_t>(threads_);
  for (std::size_t first = 0; first < patterns.size();) {
    const std::size_t some = std::min(at_once, patterns.size() - first);
    hits.reset(some);
    look_up(plan, table, patterns, std::span(numbers).subspan(first, some), first, request, hits);
    const std::size_t complete = hits.complete();
    if (complete > 0) {
      hits.give(first, complete, request, sink);
      at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(hits.room(), 1, 4 * at_once));
    } else if (some > 1) {
      at_once = std::max<std::size_t>(1, some / 4);
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

#include "search/sites/site_searcher.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "search/mismatches/batches.hpp"
#include "search/sites/site_groups.hpp"
#include "search/sites/site_hits.hpp"
#include "search/sites/site_lookup.hpp"

namespace gsx {
namespace {

/// Shapes whose tables, or plans of them, are kept.
constexpr std::size_t most_plans = 8;

/// Patterns that a thread takes at a time.
constexpr std::size_t task_patterns = 8;

/// Patterns in a row of one kind that are streamed by themselves.
constexpr std::size_t long_run = 1024;

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
      share_(threads) {}

/// The plan of each pattern that a table answers; null for the others.
SiteSearcher::Plans SiteSearcher::plans_of(const SetPatterns& patterns,
                                           const MismatchRequest& request) const {
  Plans plans(patterns.size());
  if (request.mismatches > SiteLookup::most_mismatches) return plans;
  std::vector<SiteShape> shapes;
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i].size() <= request.mismatches) continue;
    // Usually that of the pattern before.
    auto known = std::find_if(shapes.rbegin(), shapes.rend(), [&](const SiteShape& shape) {
      return key_in_shape(patterns[i], shape).has_value();
    });
    if (known == shapes.rend()) {
      std::optional<SiteShape> shape = site_shape_of(patterns[i]);
      if (!shape) continue;
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
  const ThreadShare::Call call(share_);
  auto plan = std::make_shared<Plan>();
  plan->shape = shape;
  plan->slices = count_sites(text_, plan->shape, call.threads());
  // A table before it gives its memory to this one; calls that use it keep it as long as they do.
  if (plans_.size() == most_plans) plans_.erase(plans_.begin());
  cut(*plan);
  if (plan->bytes > table_bytes_) return nullptr;
  std::uint64_t kept = 0;
  for (const auto& other : plans_)
    if (other->whole) kept += other->bytes;
  if (plan->bytes > table_bytes_ - std::min(kept, table_bytes_)) plans_.clear();
  if (plan->parts.size() == 1) {
    plan->whole = std::make_shared<SiteTable>(text_, plan->shape, plan->slices, call.threads());
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
  const auto bytes = [&plan](const SitePart& part) {
    return SiteTable::bytes_to_build(part.sites, plan.shape.guide);
  };
  plan.parts = join_slices(plan.slices, [&](const SitePart& part) {
    return part.starts.end - part.starts.begin <= SiteTable::most_places &&
           bytes(part) <= table_bytes_;
  });
  for (const SliceRun& run : plan.parts)
    plan.bytes = std::max(plan.bytes, bytes(run.part));
}

void SiteSearcher::for_each_part(const Plan& plan, const UseTable& use) const {
  if (plan.whole) return use(*plan.whole);
  const std::lock_guard lock(planning_);  // only one such table at a time
  for (const SliceRun& run : plan.parts) {
    const std::span slices(plan.slices.data() + run.first, run.last - run.first);
    std::optional<SiteTable> table;
    {
      const ThreadShare::Call call(share_);
      table.emplace(text_, plan.shape, slices, call.threads());
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
    const ThreadShare::Call call(share_);
    parallel_for(call.threads(), tasks, [&](std::uint64_t task, int) {
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

/// Streams long runs of patterns without a table, or with whole tables, by themselves; all others
/// together, so that runs that take turns neither make the parts of a table nor read the text again
/// for each of them.
void SiteSearcher::stream(const SetPatterns& patterns, const MismatchRequest& request,
                          const HitSink& sink) const {
  const Plans plans = plans_of(patterns, request);
  std::size_t first = 0;  // of the patterns not streamed yet
  for (std::size_t begin = 0; begin < patterns.size();) {
    const Plan* const plan = plans[begin].get();
    const bool is_whole = plan != nullptr && plan->whole != nullptr;
    std::size_t end = begin + 1;
    while (end < patterns.size() &&
           (plan == nullptr ? plans[end] == nullptr : plans[end] && is_whole && plans[end]->whole))
      ++end;
    if ((plan == nullptr || is_whole) && end - begin >= long_run) {
      stream_some(plans, patterns, first, begin, request, sink);
      stream_some(plans, patterns, begin, end, request, sink);
      first = end;
    }
    begin = end;
  }
  stream_some(plans, patterns, first, patterns.size(), request, sink);
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
      other_->stream(some.patterns(), all, numbered);
    } else {
      for_each_part(*plan, [&, &of_table = *plan](const SiteTable& table) {
        stream_part(of_table, table, some.patterns(), all, numbered);
      });
    }
  }
}

void SiteSearcher::stream_others(const SetPatterns& patterns, std::size_t first, std::size_t last,
                                 const MismatchRequest& request, const HitSink& sink) const {
  if (first == last) return;
  other_->stream(patterns.some(first, last), request, [&](HitChunk chunk) {
    chunk.first += first;
    sink(chunk);
  });
}

/// Adds the hits of some patterns in the part of a table; pattern `first` is the first of `hits`.
void SiteSearcher::look_up(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
                           std::span<const std::size_t> which, std::size_t first,
                           const MismatchRequest& request, SiteHits& hits) const {
  const SiteLookup lookup(table, request.mismatches, path_);
  const ThreadShare::Call call(share_);
  parallel_for(call.threads(), which.size(), [&](std::uint64_t n, int) {
    const std::uint64_t key = guide_key(patterns[which[n]], plan.shape);
    SiteHits::Writer writer(hits, which[n] - first, table.begin(), request.strands);
    lookup.find(
        key, [&](std::uint32_t place, std::uint32_t mismatches) { writer.add(place, mismatches); });
    writer.finish();
  });
}

/// Adds the hits of some patterns without a table; pattern `first` is the first of `hits`.
void SiteSearcher::collect_others(const SetPatterns& patterns,
                                  const std::vector<std::size_t>& which, std::size_t first,
                                  const MismatchRequest& request, SiteHits& hits) const {
  SetPatternBuffer some;
  for (const std::size_t i : which)
    some.add(patterns[i]);
  const MismatchRequest all{request.strands, request.mismatches};
  other_->stream(some.patterns(), all, [&](const HitChunk& chunk) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      SiteHits::Writer writer(hits, which[chunk.first + i] - first, 0, request.strands);
      for (; next < chunk.ends[i]; ++next)
        writer.add(chunk.hits[next]);
    }
  });
}

/// Streams patterns [first, last), as many at a time as have about as many hits as may be held,
/// whichever tables answer them, or none. One that has more goes to the other searcher.
void SiteSearcher::stream_some(const Plans& plans, const SetPatterns& patterns, std::size_t first,
                               std::size_t last, const MismatchRequest& request,
                               const HitSink& sink) const {
  const auto begin_plan = plans.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end_plan = plans.begin() + static_cast<std::ptrdiff_t>(last);
  const auto has_table = [](const std::shared_ptr<const Plan>& plan) { return plan != nullptr; };
  if (std::none_of(begin_plan, end_plan, has_table))
    return stream_others(patterns, first, last, request, sink);
  SiteHits hits(memory_.hits_at_once);
  const bool whole = std::all_of(begin_plan, end_plan, [](const std::shared_ptr<const Plan>& plan) {
    return plan && plan->whole;
  });
  // To build the tables of parts, or to read the text, costs more than to find hits twice.
  const std::size_t at_once =
      whole ? task_patterns * static_cast<std::size_t>(threads_) : last - first;
  const auto search = [&](std::size_t begin, std::size_t end) {
    hits.reset(end - begin);
    for (const auto& [plan, which] : by_plan(plans, begin, end)) {
      if (plan == nullptr) {
        collect_others(patterns, which, begin, request, hits);
        continue;
      }
      for_each_part(*plan, [&, &plan = plan, &numbers = which](const SiteTable& table) {
        look_up(*plan, table, patterns, numbers, begin, request, hits);
      });
    }
    return hits.give(begin, request, sink);
  };
  search_in_batches(first, last, at_once, search, [&](std::size_t pattern) {
    stream_others(patterns, pattern, pattern + 1, request, sink);
  });
}

/// Gives the hits of all patterns in the part of a table.
void SiteSearcher::stream_part(const Plan& plan, const SiteTable& table,
                               const SetPatterns& patterns, const MismatchRequest& request,
                               const HitSink& sink) const {
  std::vector<std::size_t> numbers(patterns.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  SiteHits hits(memory_.hits_at_once);
  const auto search = [&](std::size_t first, std::size_t end) {
    hits.reset(end - first);
    look_up(plan, table, patterns, std::span(numbers).subspan(first, end - first), first, request,
            hits);
    return hits.give(first, request, sink);
  };
  search_in_batches(
      0, patterns.size(), task_patterns * static_cast<std::size_t>(threads_), search,
      [&](std::size_t pattern) { stream_one(plan, table, patterns, pattern, request, sink); });
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

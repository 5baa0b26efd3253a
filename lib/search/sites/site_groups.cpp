#include "search/sites/site_groups.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Patterns that a thread takes at a time.
constexpr std::size_t patterns_per_task = 1 << 13;

/// The groups of some patterns.
struct SomeGroups {
  std::vector<SiteGroup> groups;
  bool all_have_shapes = true;

  void add(std::span<const BaseSet> pattern, std::uint32_t number, std::uint32_t mismatches) {
    for (SiteGroup& group : groups) {
      const std::optional<std::uint64_t> key = key_in_shape(pattern, group.shape);
      if (!key || !can_be_asked(pattern, mismatches)) continue;
      group.patterns.push_back(number);
      group.keys.push_back(*key);
      return;
    }
    if (!can_be_asked(pattern, mismatches)) return;
    std::optional<SiteShape> shape = site_shape_of(pattern);
    all_have_shapes = shape.has_value();
    if (!all_have_shapes) return;
    const std::uint64_t key = guide_key(pattern, *shape);
    groups.push_back({std::move(*shape), {number}, {key}});
  }
};

/// Appends a group to that of its shape.
void append(std::vector<SiteGroup>& groups, SiteGroup&& some) {
  const auto same = std::find_if(groups.begin(), groups.end(), [&some](const SiteGroup& group) {
    return group.shape == some.shape;
  });
  if (same == groups.end()) {
    groups.push_back(std::move(some));
    return;
  }
  same->patterns.insert(same->patterns.end(), some.patterns.begin(), some.patterns.end());
  same->keys.insert(same->keys.end(), some.keys.begin(), some.keys.end());
}

}  // namespace

std::optional<std::uint64_t> key_in_shape(std::span<const BaseSet> pattern,
                                          const SiteShape& shape) {
  if (pattern.size() != shape.length()) return {};
  const auto is_pam = [](BaseSet set, BaseSet of_pam) {
    return set == (of_pam | base_sets::must_match);
  };
  const auto pam = pattern.subspan(shape.pam_offset(false), shape.pam.size());
  if (!std::equal(pam.begin(), pam.end(), shape.pam.begin(), is_pam)) return {};
  const auto guide = pattern.subspan(shape.guide_offset(false), shape.guide);
  const auto may_change = [](BaseSet set) { return is_base(set); };
  if (!std::all_of(guide.begin(), guide.end(), may_change)) return {};
  return guide_key(pattern, shape);
}

std::optional<std::vector<SiteGroup>> group_by_site(const SetPatterns& patterns,
                                                    std::uint32_t mismatches, int threads,
                                                    std::size_t most_shapes) {
  const std::size_t tasks = (patterns.size() + patterns_per_task - 1) / patterns_per_task;
  std::vector<SomeGroups> some(tasks);
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    const std::size_t begin = task * patterns_per_task;
    const std::size_t end = std::min(patterns.size(), begin + patterns_per_task);
    SomeGroups& groups = some[task];
    for (std::size_t i = begin; i < end; ++i) {
      groups.add(patterns[i], static_cast<std::uint32_t>(i), mismatches);
      if (!groups.all_have_shapes || groups.groups.size() > most_shapes) return;
    }
  });
  std::vector<SiteGroup> groups;
  for (SomeGroups& task : some) {
    if (!task.all_have_shapes) return {};
    for (SiteGroup& group : task.groups)
      append(groups, std::move(group));
    if (groups.size() > most_shapes) return {};
  }
  return groups;
}

}  // namespace gsx

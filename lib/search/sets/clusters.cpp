#include "search/sets/clusters.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace gsx {
namespace {

Clusters walk(const SequenceSet& set, const NeighborChunk& edges) {
  std::vector<std::uint32_t> order(set.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return set.count(a) != set.count(b) ? set.count(a) > set.count(b) : a < b;
  };
  std::sort(order.begin(), order.end(), before);
  Clusters clusters;
  clusters.members.reserve(set.size());
  std::vector<bool> taken(set.size());
  std::vector<std::uint32_t>& members = clusters.members;
  for (const std::uint32_t centroid : order) {
    if (taken[centroid]) continue;
    taken[centroid] = true;
    const std::uint64_t begin = members.size();
    std::uint64_t count = set.count(centroid);
    const auto reach = [&](std::uint32_t from) {
      for (const std::uint32_t other : edges.of(from)) {
        if (taken[other]) continue;
        taken[other] = true;
        count += set.count(other);
        members.push_back(other);
      }
    };
    reach(centroid);
    for (std::uint64_t next = begin; next < members.size(); ++next)
      reach(members[next]);
    std::sort(members.begin() + static_cast<std::ptrdiff_t>(begin), members.end(), before);
    clusters.list.push_back({centroid, count, begin, members.size()});
  }
  std::sort(clusters.list.begin(), clusters.list.end(), [](const Cluster& a, const Cluster& b) {
    return a.count != b.count ? a.count > b.count : a.centroid < b.centroid;
  });
  return clusters;
}

}  // namespace

Clusters make_clusters(const SequenceSet& set, unsigned distance, const NeighborOptions& options) {
  Clusters clusters;
  NeighborOptions all_at_once = options;
  all_at_once.at_once = true;
  find_neighbors(set, {distance, NeighborKind::explained}, all_at_once,
                 [&](const NeighborChunk& chunk) {
                   if (chunk.begin != 0 || chunk.end != set.size()) {
                     throw ResourceError(
                         "too little memory for clusters, which take the neighbours of all "
                         "sequences at once; allow more");
                   }
                   clusters = walk(set, chunk);
                 });
  return clusters;
}

}  // namespace gsx

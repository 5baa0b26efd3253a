#include "device/backend.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/resources.hpp"
#include "device/cpu/cpu_mismatch_searcher.hpp"
#include "index/bwt/inverse.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "search/matches/cpu_pair_searcher.hpp"
#include "search/sets/cpu_finders.hpp"

namespace gsx {

std::vector<KmerFrequencies> Backend::count_kmers(const BothStrandsView&,
                                                  std::span<const std::uint64_t>,
                                                  const BuildOptions&) {
  return {};
}

std::optional<BuildPlan> Backend::plan_kmers(const BothStrandsView&, std::span<const std::uint64_t>,
                                             const BuildOptions&) {
  return std::nullopt;
}

std::optional<SharedLengths> Backend::share_lengths(const BothStrandsView&, const BuildOptions&) {
  return std::nullopt;
}

std::optional<BuildPlan> Backend::plan_shared_lengths(const BothStrandsView&, const BuildOptions&) {
  return std::nullopt;
}

std::optional<Buffer<std::uint16_t>> Backend::count_near_kmers(const BothStrandsView&,
                                                               const NearKmers&,
                                                               std::span<const std::uint16_t>,
                                                               const BuildOptions&) {
  return std::nullopt;
}

std::optional<BuildPlan> Backend::plan_near_kmers(const BothStrandsView&, const NearKmers&,
                                                  const BuildOptions&) {
  return std::nullopt;
}

void HostMemory::require(std::uint64_t bytes, const std::string& use) const {
  if (hard && !has_room(bytes)) throw ResourceError(shortage(bytes, use));
}

std::string HostMemory::shortage(std::uint64_t bytes, const std::string& use) const {
  return "too little memory: " + use + " takes at least " + std::to_string(total(bytes)) +
         " bytes of the host's in all, and " + limited_by + " allows " + std::to_string(limit);
}

HostMemory HostMemory::now() const {
  HostMemory now = *this;
  // In this order: what is written in between counts twice rather than not at all.
  now.used = coming == nullptr ? 0 : coming->load();
  now.used += resident_bytes();
  return now;
}

RequireMemory HostMemory::require_as_needed(std::string use) const {
  return [memory = *this, use = std::move(use)](std::uint64_t bytes) {
    memory.now().require(bytes, use);
  };
}

HostMemory HostMemory::below(std::uint64_t limit) {
  HostMemory memory;
  if (limit == unlimited) return memory;
  memory.limit = limit;
  memory.used = resident_bytes();
  memory.limited_by = "the memory limit";
  return memory;
}

Buffer<std::uint8_t> Backend::invert(const BwtBytes& bwt, const BuildOptions& options) {
  return invert_bwt(
      bwt, {options.threads, options.width, best_cpu_path(),
            [&](std::uint64_t bytes) { options.memory.require(bytes, "inverting the BWT"); }});
}

std::unique_ptr<MismatchSearcher> Backend::open_mismatches(const MismatchTarget& target,
                                                           int threads,
                                                           const SearchMemory& memory) {
  return make_cpu_mismatch_searcher(target, threads, memory, best_cpu_path());
}

std::unique_ptr<MatchSearcher> Backend::open_matches(const Index& index, int threads,
                                                     const SearchMemory& memory) {
  return std::make_unique<CpuMatchSearcher>(index, threads, memory);
}

std::unique_ptr<PairSearcher> Backend::open_pairs(const PairSetup& setup) {
  return std::make_unique<CpuPairSearcher>(setup);
}

std::unique_ptr<NeighborFinder> Backend::open_neighbors() {
  return std::make_unique<CpuNeighborFinder>();
}

std::unique_ptr<PrefixFinder> Backend::open_prefixes(const PrefixSet& set, int) {
  return std::make_unique<CpuPrefixFinder>(set);
}

}  // namespace gsx

#include "kernels/device/cuda_searches.hpp"

#include <utility>

#include "kernels/base/tuning.hpp"
#include "kernels/device/cuda_mismatch_searcher.hpp"
#include "kernels/search/exact/cuda_searcher.hpp"
#include "kernels/search/matches/cuda_match_searcher.hpp"
#include "kernels/search/matches/cuda_pair_searcher.hpp"
#include "kernels/search/sets/cuda_neighbor_finder.hpp"
#include "kernels/search/sets/cuda_prefix_finder.hpp"

namespace gsx::cuda {

CudaSearches::CudaSearches(std::shared_ptr<DeviceLink> link)
    : owner_(std::move(link)), name_(describe_device(link_.device())) {}

int CudaSearches::search_threads(int cores) const {
  return tuning::threads_per_core * cores;
}
std::unique_ptr<Searcher> CudaSearches::open(const Index& index, int threads,
                                             const SearchMemory& memory) {
  const CurrentDevice current = link_.make_current();
  return make_searcher(index, link_.pool(), link_.transfer(threads),
                       {.host_hits = memory.hits_at_once, .placement = &placement_});
}
std::unique_ptr<MatchSearcher> CudaSearches::open_matches(const Index& index, int threads,
                                                          const SearchMemory& memory) {
  const CurrentDevice current = link_.make_current();
  return make_match_searcher(index, link_.pool(), link_.transfer(threads),
                             {.host_hits = memory.hits_at_once, .placement = &placement_});
}
std::unique_ptr<PairSearcher> CudaSearches::open_pairs(const PairSetup& setup) {
  const CurrentDevice current = link_.make_current();
  return make_pair_searcher(setup, link_.pool(), link_.transfer(setup.threads));
}
std::unique_ptr<MismatchSearcher> CudaSearches::open_mismatches(const MismatchTarget& target,
                                                                int threads,
                                                                const SearchMemory& memory) {
  const CurrentDevice current = link_.make_current();
  return std::make_unique<CudaMismatchSearcher>(target, link_.pool(), link_.transfer(threads),
                                                threads, memory);
}
std::unique_ptr<NeighborFinder> CudaSearches::open_neighbors() {
  return std::make_unique<CudaNeighborFinder>(link_);
}
std::unique_ptr<PrefixFinder> CudaSearches::open_prefixes(const PrefixSet& set, int threads) {
  const CurrentDevice current = link_.make_current();
  return make_prefix_finder(set, link_.pool(), link_.transfer(threads));
}

}  // namespace gsx::cuda

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
    : owner_(std::move(link)), name_(describe_device(link_.device())) {
  searches().set<ExactSearch>([this](const ExactSearch::Setup& setup) {
    const CurrentDevice current = link_.make_current();
    return make_searcher(setup.index, link_.pool(), link_.transfer(setup.threads),
                         {.host_hits = setup.memory.hits_at_once, .placement = &placement_});
  });
  searches().set<MismatchSearch>([this](const MismatchSearch::Setup& setup) {
    const CurrentDevice current = link_.make_current();
    return std::make_unique<CudaMismatchSearcher>(
        setup.target, link_.pool(), link_.transfer(setup.threads), setup.threads, setup.memory);
  });
  searches().set<MatchSearch>([this](const MatchSearch::Setup& setup) {
    const CurrentDevice current = link_.make_current();
    return make_match_searcher(setup.index, link_.pool(), link_.transfer(setup.threads),
                               {.host_hits = setup.memory.hits_at_once, .placement = &placement_});
  });
  searches().set<PairSearch>([this](const PairSetup& setup) {
    const CurrentDevice current = link_.make_current();
    return make_pair_searcher(setup, link_.pool(), link_.transfer(setup.threads));
  });
  searches().set<NeighborSearch>(
      [this](const NeighborSearch::Setup&) { return std::make_unique<CudaNeighborFinder>(link_); });
  searches().set<PrefixSearch>([this](const PrefixSearch::Setup& setup) {
    const CurrentDevice current = link_.make_current();
    return make_prefix_finder(setup.set, link_.pool(), link_.transfer(setup.threads));
  });
}

int CudaSearches::search_threads(int cores) const {
  return tuning::threads_per_core * cores;
}

}  // namespace gsx::cuda

#include "device/backend.hpp"

#include "device/cpu/cpu_mismatch_searcher.hpp"
#include "index/bwt/inverse.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "search/matches/cpu_pair_searcher.hpp"
#include "search/sets/cpu_finders.hpp"

namespace gsx {

Backend::Backend(CpuPath path) : path_(path) {
  searches_.set<ExactSearch>([path](const ExactSearch::Setup& setup) {
    return std::make_unique<CpuSearcher>(setup.index, setup.memory, path);
  });
  searches_.set<MismatchSearch>([path](const MismatchSearch::Setup& setup) {
    return make_cpu_mismatch_searcher(setup.target, setup.threads, setup.memory, path);
  });
  searches_.set<MatchSearch>([path](const MatchSearch::Setup& setup) {
    return std::make_unique<CpuMatchSearcher>(setup.index, setup.threads, setup.memory,
                                              MatchTuning{}, path);
  });
  searches_.set<PairSearch>(
      [](const PairSetup& setup) { return std::make_unique<CpuPairSearcher>(setup); });
  searches_.set<NeighborSearch>(
      [](const NeighborSearch::Setup&) { return std::make_unique<CpuNeighborFinder>(); });
  searches_.set<PrefixSearch>([](const PrefixSearch::Setup& setup) {
    return std::make_unique<CpuPrefixFinder>(setup.set);
  });
}

Buffer<std::uint8_t> Backend::invert(const BwtBytes& bwt, const BuildOptions& options) {
  return invert_bwt(bwt, {options.threads, options.width, path_, [&](std::uint64_t bytes) {
                            options.memory.require(bytes, "inverting the BWT");
                          }});
}

}  // namespace gsx

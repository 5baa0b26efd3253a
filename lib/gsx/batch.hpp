// Searching many patterns at a time, on all cores or on a GPU.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "search/hits.hpp"

namespace gsx {

struct SearchOptions {
  std::string device = "auto";           ///< auto, cpu, cuda, cuda:N, cuda:N,M,..., cuda:all
  int threads = 0;                       ///< 0: as many as this process may run
  std::uint64_t gpu_memory = unlimited;  ///< bytes of a GPU's memory to use
  SearchMemory memory = {};              ///< for each thread
};

/// Searches an index, which must outlive it, for batches of patterns. Several threads may call.
class GSX_API BatchSearcher {
 public:
  /// Throws DeviceError where a GPU was demanded, ResourceError.
  explicit BatchSearcher(const Index& index, const SearchOptions& options = {});
  BatchSearcher(BatchSearcher&&) noexcept;
  BatchSearcher& operator=(BatchSearcher&&) noexcept;
  ~BatchSearcher();

  /// Occurrences of each pattern. Patterns on an alphabet without complement are searched as given.
  std::vector<StrandCounts> count(std::span<const std::string_view> patterns,
                                  Strands strands = Strands::both) const;

  /// Gives `sink` the hits of all patterns, chunk by chunk, in the order of the patterns, each
  /// pattern's in the order of the text. Each thread holds a bounded number of hits, however many
  /// there are. One call of the sink at a time, by any of the threads; what it throws ends the work
  /// and comes out here.
  void locate(std::span<const std::string_view> patterns, const LocateRequest& request,
              const HitSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

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
#include "run/search_options.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// Searches an index for batches of patterns. Owns the index together with the Index that it was
/// given. Several threads may call.
class GSX_API BatchSearcher {
 public:
  /// Throws DeviceError where a GPU was demanded, ResourceError.
  explicit BatchSearcher(const Index& index, const SearchOptions& options = {});
  BatchSearcher(BatchSearcher&&) noexcept;
  BatchSearcher& operator=(BatchSearcher&&) noexcept;
  ~BatchSearcher();

  /// What does the work: "cpu", or the GPUs by number and name. Once the CPU has taken over from a
  /// GPU, it names both.
  std::string device() const;

  /// Occurrences of each pattern. Patterns on an alphabet without complement are searched as given.
  /// Throws UsageError for the reverse strand alone of such an alphabet, ResourceError.
  std::vector<StrandCounts> count(std::span<const std::string_view> patterns,
                                  Strands strands = Strands::both) const;

  /// Gives `sink` the hits of all patterns, chunk by chunk, in the order of the patterns, each
  /// pattern's in the order of the text. Each thread holds a bounded number of hits, however many
  /// there are. One call of the sink at a time, by any of the threads; what it throws ends the work
  /// and comes out here. Throws what count() throws, and UsageError for an
  /// empty sink.
  void locate(std::span<const std::string_view> patterns, const LocateRequest& request,
              const HitSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

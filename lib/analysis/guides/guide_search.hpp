// Searches batches of guides, and tallies their sites.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/guides/bulge_search.hpp"
#include "analysis/guides/site_report.hpp"
#include "analysis/guides/stop_at.hpp"
#include "device/backend.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Which sites of guides to find, and to pass on.
struct GuideRequest {
  std::uint32_t mismatches = 0;
  std::uint64_t max_hits = unlimited;  ///< passed on per guide: those with the fewest mismatches
  std::optional<StopAt> stop_at = {};  ///< with fewer mismatches; counts sites without a bulge
  BulgeLimits bulges = {};             ///< needs a BulgeSearch
  Strands strands = Strands::both;     ///< those that have the guide as it is given
};

/// What was found of a batch. Of a guide that was dropped, only the classes of the StopAt are
/// known, and its sites are not passed on.
struct GuidesFound {
  SiteTally tally;
  std::vector<bool> dropped;
};

/// Takes the sites of guides, chunk by chunk. Adds them to the tally unless it is null.
using TakeSites = std::function<void(const SiteChunk& chunk, SiteTally* tally)>;

class GuideSearch {
 public:
  /// Refers to the searcher, and to the report, which scores sites. Holds at most about
  /// 2 * `joined_hits` hits to join those of several PAMs, however many a guide has, and passes
  /// them on in chunks of at most `at_once`. Has `bulges` find sites with bulges.
  GuideSearch(const MismatchSearcher& searcher, const SiteReport& report, std::uint64_t joined_hits,
              const BulgeSearch* bulges = nullptr,
              std::uint64_t at_once = SearchMemory().hits_at_once)
      : searcher_(searcher),
        report_(report),
        joined_hits_(joined_hits),
        bulges_(bulges),
        at_once_(at_once) {}

  /// Counts and scores all sites of the guides of a batch, and gives them to `take`, if there is
  /// one; else, equal guides are searched once. May replace the patterns of guides that are dropped
  /// by empty ones.
  GuidesFound search(GuideBatch& batch, const GuideRequest& request, const TakeSites& take) const;

 private:
  GuidesFound search_each(GuideBatch& batch, const GuideRequest& request,
                          const TakeSites& take) const;
  MismatchCounts count(const GuideBatch& batch, const GuideRequest& request,
                       std::uint32_t mismatches) const;
  void stream(const GuideBatch& batch, const GuideRequest& request, std::uint64_t most,
              const SiteSink& sink) const;
  void drop(GuideBatch& batch, const GuideRequest& request, GuidesFound& found) const;
  void tally(const GuideBatch& batch, const GuideRequest& request, const TakeSites& take,
             SiteTally& tally) const;

  const MismatchSearcher& searcher_;
  const SiteReport& report_;
  std::uint64_t joined_hits_;
  const BulgeSearch* bulges_;
  std::uint64_t at_once_;
};

/// So many guides are looked up in a table sooner than they are compared with every place.
std::size_t worth_a_table(const Backend& backend);

/// Opens what is searched for guides: by tables of PAM sites, which take at most `table_bytes` at a
/// time, where there are enough guides for a table to pay.
std::unique_ptr<MismatchSearcher> open_for_guides(Backend& backend, const MismatchTarget& target,
                                                  int threads, SearchMemory memory,
                                                  std::uint64_t table_bytes);

}  // namespace gsx

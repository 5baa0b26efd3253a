// Finds the sites of guides with and without bulges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/guides.hpp"
#include "analysis/guides/site_chunks.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Searches for a pattern of each place that a bulge may have, and reports a place that several of
/// them have once, with the fewest mismatches. A guide with more sites than may be held is compared
/// with every site of its PAM (BulgeScan).
class BulgeSearch {
 public:
  struct Request {
    BulgeLimits limits;
    std::uint32_t mismatches = 0;
    std::uint64_t max_hits = unlimited;
    Strands strands = Strands::both;
  };

  /// Holds at most about 2 * `most` hits, and patterns that take as many bytes as `most` hits. The
  /// searcher answers `worth_a_table` patterns or more of single bases faster than it does others
  /// (SiteSearcher). A chunk has at most `at_once` sites.
  BulgeSearch(const TextView& text, const MismatchSearcher& searcher, const std::vector<Pam>& pams,
              std::uint64_t most, std::size_t worth_a_table, int threads,
              std::uint64_t at_once = SearchMemory().hits_at_once)
      : text_(text),
        searcher_(searcher),
        pams_(pams),
        most_(most),
        worth_a_table_(worth_a_table),
        threads_(threads),
        at_once_(at_once) {}

  /// Gives `sink` the sites of each guide of the batch in output order. Guides whose patterns are
  /// empty have none.
  void stream(const GuideBatch& batch, const Request& request, const SiteSink& sink) const;

 private:
  class Gathering;
  void scan(const GuideBatch& batch, std::size_t guide, const Request& request,
            SiteChunks& chunks) const;

  TextView text_;
  const MismatchSearcher& searcher_;
  std::vector<Pam> pams_;
  std::uint64_t most_;
  std::size_t worth_a_table_;
  int threads_;
  std::uint64_t at_once_;
};

}  // namespace gsx

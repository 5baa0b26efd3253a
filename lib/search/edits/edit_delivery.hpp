// Delivers the hits of patterns in order, from ends that are found in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/edits/scan_ends.hpp"

namespace gsx {

/// Finds the ends of patterns for deliver_edits().
class EndSource {
 public:
  virtual ~EndSource() = default;
  /// How many threads to use now, and the number of collectors that find() takes.
  virtual int threads() const = 0;
  virtual int most_threads() const = 0;
  /// Gives the collectors, one per thread, the ends of the patterns, each once.
  virtual void find(const EditPatterns& patterns, const EditRequest& request,
                    std::span<EndCollector> collectors) = 0;
  /// Gives the collector the ends of the one pattern, part by part of the text.
  virtual void find_in_order(const EditPatterns& pattern, const EditRequest& request,
                             EndCollector& collector, const EndsFound& found) = 0;
};

/// Gives `sink` the hits of all patterns. Ends are collected while they are counted. Where they are
/// too many, the counts tell which patterns to collect again, and a pattern that alone has too many
/// is searched part by part of the text. Alignments are made for the ends that may be reported.
/// Holds hits_at_once * 8 bytes of ends and hits, or those of one part of the text.
void deliver_edits(EndSource& source, const EditTarget& target, const EditPatterns& patterns,
                   const EditRequest& request, const SearchMemory& memory, const EditSink& sink);

/// Of the patterns from `first` on, the end of those that are searched together: so few that their
/// counts and masks take some MB per thread.
std::size_t end_of_edit_group(const EditPatterns& patterns, std::size_t first,
                              const EditRequest& request);

}  // namespace gsx

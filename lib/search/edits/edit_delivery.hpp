// Delivers the hits of patterns in order, from ends that are found in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/edits/end_finder.hpp"

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
  /// Gives the collector the ends of a strand of a pattern that lie in a window, by a finder that
  /// has searched for no other pattern.
  virtual void find_within(const SoughtPattern& pattern, bool reverse, const EndWindow& window,
                           EndFinder& finder, EndCollector& collector) = 0;
};

/// Gives `sink` the hits of all patterns. Ends are collected while they are counted. Where they are
/// too many, the counts tell which patterns to collect again, and a pattern that alone has too many
/// is searched part by part of the text. Alignments are made for the ends that may be reported.
/// Holds hits_at_once * 8 bytes of ends and hits, or those of one part of the text, of at least
/// `part` symbols.
void deliver_edits(EndSource& source, const EditTarget& target, const EditPatterns& patterns,
                   const EditRequest& request, const SearchMemory& memory, std::uint64_t part,
                   const EditSink& sink);

/// Of the patterns from `first` on, the end of those that are searched together: so few that their
/// counts and masks take some MB per thread.
std::size_t end_of_edit_group(const EditPatterns& patterns, std::size_t first,
                              const EditRequest& request);

}  // namespace gsx

// Maximal repeats of a text or an index, and pairs of their places, delivered to a sink.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "analysis/repeats/repeat_values.hpp"
#include "base/export.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"

namespace gsx {

struct RepeatOptions {
  /// Whether a string and its reverse complement are one repeat; only DNA has reverse complements.
  bool both_strands = true;
  SortOptions sort = {};
};

/// A maximal repeat: a string of `length` symbols that occurs at least twice, and of which every
/// string that is one symbol longer, on either side, occurs less often. It lies in one record, and
/// holds only symbols of the alphabet. Valid during the call.
struct RepeatedString {
  std::uint64_t length;
  std::uint64_t count;                 ///< places in all
  std::span<const Occurrence> places;  ///< in the order of the text; at most request.max_places
};
/// Takes one repeat after another.
using RepeatSink = std::function<void(const RepeatedString& repeat)>;

/// Two places, of which `first` is not behind `second` and is on the forward strand, that have the
/// same symbols, or reverse complements of one another (second.reverse), and that cannot both be
/// made longer on either side. A string that is its own reverse complement makes a pair with
/// itself.
struct OccurrencePair {
  Occurrence first, second;

  friend auto operator<=>(const OccurrencePair&, const OccurrencePair&) = default;
};
using OccurrencePairSink = std::function<void(const OccurrencePair& pair)>;

/// Gives `sink` all maximal repeats, or all supermaximal ones, that a request asks for, each of
/// them once, in suffix order; one that begins with another comes before it. The first of all
/// places of a repeat is on the forward strand. A string that is its own reverse complement has
/// each place once. If a repeat has more than request.max_places, the places are the first in
/// suffix order. Calls come from the calling thread; what the sink throws ends the work and comes
/// out here. Throws UsageError for an empty sink, a min_length or max_places of 0 and a min_count
/// below 2; ResourceError; DeviceError where a GPU was demanded; CorruptIndexError if the index is
/// damaged or has changed. Cost: sorting the suffixes (of both strands), and O(1) for each suffix
/// that shares min_length symbols with another and each place that is given. Memory: 12 bytes per
/// such suffix beside the suffix array, 24 from 2^32 symbols on.
GSX_API void find_repeats(const Text& text, const RepeatRequest& request,
                          const RepeatOptions& options, const RepeatSink& sink);
GSX_API void find_repeats(const Index& index, const RepeatRequest& request,
                          const RepeatOptions& options, const RepeatSink& sink);

/// Gives `sink` all maximal pairs of at least min_length symbols, each of them once, in an order
/// that does not depend on threads or devices. Throws as find_repeats() does. Cost: the same, and
/// O(1) per pair, of which there may be many more than symbols.
GSX_API void find_repeat_pairs(const Text& text, std::uint64_t min_length,
                               const RepeatOptions& options, const OccurrencePairSink& sink);
GSX_API void find_repeat_pairs(const Index& index, std::uint64_t min_length,
                               const RepeatOptions& options, const OccurrencePairSink& sink);

/// A dot plot of a text with itself as an SVG image: it shows the strings of min_length symbols
/// that occur at two places. Throws as find_repeats() does.
GSX_API std::string dot_plot(const Text& text, std::uint64_t min_length,
                             const RepeatOptions& options = {});
GSX_API std::string dot_plot(const Index& index, std::uint64_t min_length,
                             const RepeatOptions& options = {});

}  // namespace gsx

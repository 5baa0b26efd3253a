// Which of several entries of a whitelist a sequence with errors came from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "search/sets/sequence_set.hpp"

namespace gsx {

/// The least posterior with which an entry is taken, in millionths.
struct Confidence {
  static constexpr std::uint32_t all = 1'000'000;
  std::uint32_t millionths = 975'000;
};

/// An entry that a sequence may have come from.
struct Candidate {
  std::uint32_t entry;
  std::uint64_t count;    ///< sequences that are the entry, without an error
  std::uint32_t quality;  ///< sum of the Phred qualities of the symbols that are wrong then
};

/// The entry with the highest posterior, if that is at least the confidence; none if no candidate
/// has a count, or if two are equally likely. The posterior of an entry is its share of the weights
/// of all, and its weight is count * 10^(-quality / 10). Only differences between qualities matter,
/// so 0 for all means that there are none. Sums are exact, so the order of candidates does not
/// matter; what is 120 or more above the lowest quality weighs next to nothing. Pre: the counts add
/// up to less than 2^64.
std::optional<std::uint32_t> likeliest(std::span<const Candidate> candidates,
                                       Confidence confidence);

/// The sequences of a set that have several nearest entries in a whitelist, and those entries.
struct NearestEntries {
  std::vector<std::uint32_t> sequences;  ///< ascending
  std::vector<std::uint64_t> ends;       ///< in `entries`, of each sequence
  std::vector<std::uint32_t> entries;    ///< ascending for each sequence

  std::uint64_t begin_of(std::uint64_t place) const { return place == 0 ? 0 : ends[place - 1]; }
  std::span<const std::uint32_t> of(std::uint64_t place) const {
    return {entries.data() + begin_of(place), entries.data() + ends[place]};
  }
  /// The place of a sequence in `sequences`, if it is there.
  std::optional<std::uint64_t> place_of(std::uint32_t sequence) const;
  /// Appends a sequence that follows all others.
  void add(std::uint32_t sequence, std::span<const std::uint32_t> nearest);
  /// Appends those of later sequences.
  void append(const NearestEntries& later);
};

/// The sum of the qualities of a sequence, one character per symbol, where it differs from an
/// entry. Pre: the sets have one shape.
std::uint32_t quality_of_errors(const SequenceSet& set, std::uint32_t i,
                                const SequenceSet& whitelist, std::uint32_t entry,
                                std::string_view qualities);

}  // namespace gsx

// What becomes of reads whose sequences have several nearest entries in a whitelist.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/barcodes/corrections.hpp"

namespace gsx {

/// What sequences become.
struct SetCorrections {
  const SequenceSet& set;
  const SequenceSet& targets;  ///< the set itself, or the whitelist
  const std::vector<Correction>& of_sequences;
  const NearestEntries& several;  ///< sequences that each read decides on by its qualities
  Confidence confidence = {};
};

/// How often reads of a sequence with several nearest entries became one of these, or none.
struct DecidedReads {
  std::vector<std::uint64_t> corrected;  ///< for each of NearestEntries::entries
  std::vector<std::uint64_t> ambiguous;  ///< for each of NearestEntries::sequences

  DecidedReads() = default;
  explicit DecidedReads(const NearestEntries& several)
      : corrected(several.entries.size()), ambiguous(several.sequences.size()) {}
  /// Adds reads of the sequence at `place`. `target` is none for those that stay.
  void add(const NearestEntries& several, std::uint64_t place, std::optional<std::uint32_t> target,
           std::uint64_t reads = 1);
};

/// Decides on reads, one after another.
class ReadDecision {
 public:
  explicit ReadDecision(const SetCorrections& all) : all_(all) {}

  /// The entry that a read becomes whose sequence is at `place` of NearestEntries, if any.
  /// `qualities` are those of its sequence, one character per symbol; empty if there are none.
  std::optional<std::uint32_t> of(std::uint64_t place, std::string_view qualities);

 private:
  const SetCorrections& all_;
  std::vector<Candidate> candidates_;
};

/// Numbers of sequences by what became of them, where `decided` has reads with several nearest
/// entries.
CorrectionFigures figures_of(const SetCorrections& all, const DecidedReads& decided);

}  // namespace gsx

// What the frequencies of k-mers say of each position of a record, as values of a track.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/mappability/frequency_codes.hpp"
#include "analysis/mappability/kmer_values.hpp"
#include "output/tracks/piece_runs.hpp"
#include "output/tracks/record_segments.hpp"
#include "text/text.hpp"

namespace gsx {

/// Gives the values of records, piece by piece. Frequencies above `cap` count as `cap`. Positions
/// at which no k-mer begins, or that no unique one covers, have no value.
class KmerTrack {
 public:
  /// Refers to all that it is given. Throws RuntimeError for a frequency that is asked for, and
  /// that has no room in 32 bits.
  KmerTrack(const RecordSegments& text, const FrequencyCodes& codes, std::uint64_t k,
            KmerValue value, std::uint64_t cap);

  TrackKind kind() const {
    return value_ == KmerValue::frequency ? TrackKind::count : TrackKind::real;
  }
  /// Adds the values of a range. Any thread may call it.
  void fill(const TrackRange& range, PieceRuns& runs) const;

 private:
  void add_values(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                  PieceRuns& runs) const;
  void add_umap(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                PieceRuns& runs) const;
  /// The value of a position that so many unique k-mers cover.
  float covered(std::uint64_t unique) const;
  std::uint64_t capped(std::uint64_t frequency) const {
    return frequency < cap_ ? frequency : cap_;
  }

  const RecordSegments& text_;
  const FrequencyCodes& codes_;
  std::uint64_t k_;
  KmerValue value_;
  std::uint64_t cap_;
  std::vector<float> table_;  ///< of codes of 16 bits
};

}  // namespace gsx

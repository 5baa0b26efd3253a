// Cuts the runs of a track into sections, which threads encode on their own.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "output/tracks/piece_runs.hpp"

namespace gsx {

/// The most runs of a section, and as many as it has unless its record ends.
inline constexpr std::uint32_t section_runs = 4096;

/// Runs of one record that lie one after another in memory. Run i is at
/// [base + runs[i].begin, base + runs[i].end + stretch); only a run that is alone is stretched.
struct RunSpan {
  std::uint64_t base;
  const TrackRun* runs;
  std::uint64_t count;
  std::uint64_t stretch = 0;
};

/// Runs of one record, none of which continues another. How the runs of a track are cut into
/// sections depends on nothing but these runs.
struct TrackSection {
  std::uint64_t record;
  std::uint32_t count;     ///< of its runs; not 0
  std::uint64_t span;      ///< they start in this span,
  std::uint64_t offset;    ///< at this of its runs
  std::uint64_t runs_yet;  ///< of the track, up to the end of the section
  std::uint64_t
      extent_yet;  ///< positions from the first run to the last one of each record, to there
};

/// Sections, and the spans that hold their runs.
struct SectionsView {
  const RunSpan* spans;
  std::span<const TrackSection> sections;

  /// Calls take(base, runs, stretch) for the parts of a section, as RunSpan has them.
  template <class Take>
  void for_each_part(const TrackSection& section, const Take& take) const {
    const RunSpan* span = spans + section.span;
    std::uint64_t at = section.offset;
    for (std::uint64_t left = section.count; left > 0; ++span, at = 0) {
      const std::uint64_t here = left < span->count - at ? left : span->count - at;
      take(span->base, std::span(span->runs + at, here), span->stretch);
      left -= here;
    }
  }
  /// Calls take(begin, end, bits) for each run of a section.
  template <class Take>
  void for_each_run(const TrackSection& section, const Take& take) const {
    for_each_part(section,
                  [&](std::uint64_t base, std::span<const TrackRun> runs, std::uint64_t stretch) {
                    for (const TrackRun& run : runs)
                      take(base + run.begin, base + run.end + stretch, run.bits);
                  });
  }
};

/// Joins runs across the borders of pieces, and counts off sections. Copies no runs but those left
/// over between rounds. A round: add() the pieces in order, use view(), next_round().
class SectionCutter {
 public:
  SectionCutter() = default;
  SectionCutter(const SectionCutter&) = delete;  // spans refer to members
  SectionCutter& operator=(const SectionCutter&) = delete;

  /// Takes the runs of a piece, which must stay until next_round().
  void add(const PieceRuns& piece);
  /// Ends the last record: no run is left out of the sections.
  void finish() { end_record(); }
  SectionsView view() const { return {spans_.data(), sections_}; }
  /// Forgets the sections, and keeps the runs that belong to later ones.
  void next_round();

 private:
  struct OpenRun {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t bits;
  };

  void add_part(const TrackRange& range, std::span<const TrackRun> runs);
  void close_open_run();
  void append(const RunSpan& span);
  void cut(std::uint32_t count);
  void end_record();
  std::uint64_t begin_of(std::uint64_t span, std::uint64_t offset) const;
  std::uint64_t end_before(std::uint64_t span, std::uint64_t offset) const;

  std::uint64_t record_ = 0;     ///< whose runs come
  std::optional<OpenRun> open_;  ///< its last run, which the next piece may continue
  std::vector<RunSpan> spans_;
  std::vector<TrackSection> sections_;
  std::uint64_t pending_ = 0;                  ///< runs in spans_ that are in no section yet:
  std::uint64_t pending_span_ = 0;             ///< from this span
  std::uint64_t pending_offset_ = 0;           ///< and this of its runs on
  std::deque<TrackRun> single_;                ///< runs that were open
  std::array<std::vector<TrackRun>, 2> kept_;  ///< of an earlier round, and of this one
  std::uint64_t runs_yet_ = 0;
  std::uint64_t extent_yet_ = 0;
  std::optional<std::uint64_t> section_end_;  ///< of the last section of the record
};

}  // namespace gsx

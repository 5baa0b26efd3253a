// Merging the suffixes at equal places of phrases by the ranks of the next phrases.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {

/// The suffixes at one place of equal phrases. These phrases are `count` rows from row `begin` on.
template <class Pos>
struct PhrasePlace {
  Pos begin;
  Pos count;
  Pos offset;  ///< of the suffix from the start of its phrase
};

/// Merges places of phrases. In row r of the order of all phrases, the phrase begins at position
/// starts[r], and the phrase after it has rank next[r]; next[] increases among equal phrases.
template <class Pos>
class PhraseMerger {
  struct Suffix {
    Pos rank;
    Pos position;
  };
  struct Run {
    Slice rows;
    std::uint64_t offset;
    std::uint64_t size() const { return rows.end - rows.begin; }
  };

 public:
  /// What merging needs meanwhile; the same object serves one call after another.
  struct Room {
    std::vector<Run> runs;
    std::vector<Suffix> merged, run, other;
  };

  PhraseMerger(const Pos* starts, const Pos* next) : starts_(starts), next_(next) {}

  /// Writes the suffixes of all places to `to`. Cost: 1 ns per suffix of a single place, 10 ns of
  /// several.
  void merge(std::span<const PhrasePlace<Pos>> places, Pos* to, Room& room) const {
    if (places.size() == 1) return copy(rows_of(places[0]), places[0].offset, to);
    room.runs.clear();
    for (const PhrasePlace<Pos>& place : places)
      room.runs.push_back({rows_of(place), place.offset});
    merge_runs(to, room);
  }

  /// Does so only for suffixes whose next phrases have ranks in [ranks.begin, ranks.end).
  void merge_part(std::span<const PhrasePlace<Pos>> places, Pos* to, Slice ranks,
                  Room& room) const {
    room.runs.clear();
    for (const PhrasePlace<Pos>& place : places) {
      const Pos* first = next_ + place.begin;
      const auto below = [&](std::uint64_t rank) {
        return static_cast<std::uint64_t>(
            std::lower_bound(first, first + place.count, static_cast<Pos>(rank)) - next_);
      };
      const Slice rows{below(ranks.begin), below(ranks.end)};
      to += rows.begin - place.begin;
      if (rows.begin != rows.end) room.runs.push_back({rows, place.offset});
    }
    if (!room.runs.empty()) merge_runs(to, room);
  }

 private:
  static Slice rows_of(const PhrasePlace<Pos>& place) {
    return {place.begin, std::uint64_t{place.begin} + place.count};
  }
  void copy(Slice rows, std::uint64_t offset, Pos* to) const {
    for (std::uint64_t row = rows.begin; row < rows.end; ++row)
      *to++ = static_cast<Pos>(starts_[row] + offset);
  }

  /// Merges short runs first, so that a run that is longer than all others is passed once.
  void merge_runs(Pos* to, Room& room) const {
    std::vector<Run>& runs = room.runs;
    if (runs.size() == 1) return copy(runs[0].rows, runs[0].offset, to);
    std::sort(runs.begin(), runs.end(),
              [](const Run& a, const Run& b) { return a.size() < b.size(); });
    room.merged.clear();
    // Many runs of one or two suffixes are best sorted together.
    std::size_t r = 0;
    for (; r + 1 < runs.size() && runs[r].size() <= 8; ++r)
      append(runs[r], room.merged);
    const auto by_rank = [](const Suffix& a, const Suffix& b) { return a.rank < b.rank; };
    std::sort(room.merged.begin(), room.merged.end(), by_rank);
    for (; r + 1 < runs.size(); ++r) {
      room.run.clear();
      append(runs[r], room.run);
      room.other.resize(room.merged.size() + room.run.size());
      std::merge(room.merged.begin(), room.merged.end(), room.run.begin(), room.run.end(),
                 room.other.begin(), by_rank);
      std::swap(room.merged, room.other);
    }
    const auto [rows, offset] = runs.back();
    std::uint64_t row = rows.begin;
    for (const Suffix& suffix : room.merged) {
      for (; row < rows.end && next_[row] < suffix.rank; ++row)
        *to++ = static_cast<Pos>(starts_[row] + offset);
      *to++ = suffix.position;
    }
    copy({row, rows.end}, offset, to);
  }
  void append(const Run& run, std::vector<Suffix>& to) const {
    for (std::uint64_t row = run.rows.begin; row < run.rows.end; ++row)
      to.push_back({next_[row], static_cast<Pos>(starts_[row] + run.offset)});
  }

  const Pos* starts_;
  const Pos* next_;
};

}  // namespace gsx

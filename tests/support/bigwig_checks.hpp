// Checks of whole bigWig files against the values of every position.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/bigwig_reader.hpp"
#include "support/track_cases.hpp"

namespace gsx::testing {

inline bool close_to(double found, double expected, double scale, double tolerance) {
  return std::abs(found - expected) <= tolerance * std::max(scale, 1e-300);
}

/// The same for a number that the file has as a float: near 0, floats are 2^-149 apart, and sums
/// that were added in another order may be rounded to either side.
inline bool stored_close_to(double found, double expected, double scale) {
  constexpr double between_floats = std::numeric_limits<float>::denorm_min();
  return std::abs(found - expected) <= 1e-6 * scale + between_floats;
}

/// The ids of records: their numbers without those of length 0.
inline std::vector<std::uint32_t> ids_of(const TrackCase& track) {
  std::vector<std::uint32_t> ids;
  std::uint32_t id = 0;
  for (const std::vector<float>& values : track.values)
    ids.push_back(values.empty() ? ~0U : id++);
  return ids;
}

/// Statistics of positions [begin, end) that have values, looked at one by one.
struct NaiveStatistics {
  std::uint32_t begin = 0, end = 0, covered = 0;
  float least = 0, most = 0;
  double sum = 0, squares = 0, sum_of_sizes = 0;

  NaiveStatistics(const std::vector<float>& values, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < std::min<std::uint64_t>(to, values.size()); ++i) {
      const float value = values[i];
      if (std::isnan(value)) continue;
      if (covered++ == 0) {
        begin = static_cast<std::uint32_t>(i);
        least = most = value;
      }
      end = static_cast<std::uint32_t>(i + 1);
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value;
      sum_of_sizes += std::abs(value);
      squares += static_cast<double>(value) * value;
    }
  }
};

inline float as_stored(double sum) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(sum, -most, most));
}

inline void check_level(const TrackCase& track, const BigWig::Level& level) {
  CAPTURE(level.reduction);
  std::size_t at = 0;
  const std::vector<std::uint32_t> ids = ids_of(track);
  for (std::size_t record = 0; record < ids.size(); ++record) {
    const std::vector<float>& values = track.values[record];
    for (std::uint64_t bin = 0; bin < values.size(); bin += level.reduction) {
      const NaiveStatistics expected(values, bin, bin + level.reduction);
      if (expected.covered == 0) continue;
      REQUIRE(at < level.zooms.size());
      const BigWig::Zoom& zoom = level.zooms[at++];
      REQUIRE(zoom.id == ids[record]);
      REQUIRE(zoom.begin == expected.begin);
      REQUIRE(zoom.end == expected.end);
      REQUIRE(zoom.covered == expected.covered);
      REQUIRE(zoom.least == expected.least);
      REQUIRE(zoom.most == expected.most);
      REQUIRE(stored_close_to(zoom.sum, as_stored(expected.sum), expected.sum_of_sizes));
      REQUIRE(stored_close_to(zoom.squares, as_stored(expected.squares), expected.squares));
    }
  }
  CHECK(at == level.zooms.size());
  CHECK(level.blocks == (at + 1023) / 1024);
}

inline void check_summary(const TrackCase& track, const BigWig& file) {
  std::uint64_t covered = 0;
  double least = 0, most = 0, sum = 0, squares = 0, sizes = 0;
  for (const std::vector<float>& values : track.values) {
    const NaiveStatistics record(values, 0, values.size());
    if (record.covered == 0) continue;
    least = covered == 0 ? record.least : std::min<double>(least, record.least);
    most = covered == 0 ? record.most : std::max<double>(most, record.most);
    covered += record.covered;
    sum += record.sum;
    squares += record.squares;
    sizes += record.sum_of_sizes;
  }
  CHECK(file.covered == covered);
  CHECK(file.least == least);
  CHECK(file.most == most);
  CHECK(close_to(file.sum, sum, sizes, 1e-11));
  CHECK(close_to(file.squares, squares, squares, 1e-11));
}

/// The bins of the first level: the shortest that are 10 times the mean distance of runs.
inline std::uint64_t naive_reduction(const std::vector<ValueRun>& runs) {
  std::uint64_t extent = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool first = i == 0 || runs[i - 1].record != runs[i].record;
    extent += runs[i].end - (first ? runs[i].begin : runs[i - 1].end);
  }
  std::uint64_t reduction = 64;
  while (reduction * std::max<std::uint64_t>(runs.size() / 10, 1) < extent)
    reduction *= 4;
  return reduction;
}

inline void check_levels(const TrackCase& track, const std::vector<ValueRun>& runs,
                         const BigWig& file) {
  REQUIRE(file.levels.empty() == runs.empty());
  if (runs.empty()) return;
  CHECK(file.levels.front().reduction == naive_reduction(runs));
  for (std::size_t i = 0; i < file.levels.size(); ++i) {
    check_level(track, file.levels[i]);
    if (i == 0) continue;
    CHECK(file.levels[i].reduction == 4 * file.levels[i - 1].reduction);
    CHECK(file.levels[i - 1].zooms.size() > 1024);
  }
  const bool more = file.levels.size() < 10 && file.levels.back().reduction < 1U << 30;
  if (more && file.levels.size() > 1 &&
      file.levels.back().zooms.size() < file.levels[file.levels.size() - 2].zooms.size())
    CHECK(file.levels.back().zooms.size() <= 1024);
}

/// Checks a file against all values of the track. Returns what was read.
inline BigWig check_file(const TrackCase& track, std::string_view bytes) {
  BigWig file = read_bigwig(bytes);
  const std::vector<std::uint32_t> ids = ids_of(track);
  std::size_t records = 0;
  for (std::size_t record = 0; record < ids.size(); ++record) {
    if (track.values[record].empty()) continue;
    ++records;
    const BigWig::Chromosome& chromosome = file.chromosomes.at(track.names[record]);
    CHECK(chromosome.id == ids[record]);
    CHECK(chromosome.length == track.values[record].size());
  }
  CHECK(file.chromosomes.size() == records);
  const std::vector<ValueRun> runs = naive_runs(track);
  std::vector<BigWig::Interval> expected;
  for (const ValueRun& run : runs)
    expected.push_back({ids[run.record], static_cast<std::uint32_t>(run.begin),
                        static_cast<std::uint32_t>(run.end), run.value});
  CHECK((file.intervals == expected));
  for (std::size_t i = 0, at = 0; i < file.section_sizes.size(); ++i) {
    at += file.section_sizes[i];
    const bool record_ends = at == expected.size() || expected[at].id != expected[at - 1].id;
    CHECK((file.section_sizes[i] == 4096 || (record_ends && file.section_sizes[i] < 4096)));
  }
  check_summary(track, file);
  check_levels(track, runs, file);
  return file;
}

inline BigWig check_track(const TrackCase& track) {
  return check_file(track, written(track, TrackFormat::bigwig));
}

}  // namespace gsx::testing

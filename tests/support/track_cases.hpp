// Tracks for tests: values per position, their runs found naively, and ways to write them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bytes/output.hpp"
#include "output/tracks/bigwig_writer.hpp"
#include "output/tracks/text_track.hpp"
#include "output/tracks/write_track.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

inline constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

/// Names of records, and the value of each of their positions, or NaN.
struct TrackCase {
  std::vector<std::string> names;
  std::vector<std::vector<float>> values;

  void add(std::string name, std::vector<float> of_record) {
    names.push_back(std::move(name));
    values.push_back(std::move(of_record));
  }
  std::vector<TrackRecord> records() const {
    std::vector<TrackRecord> all;
    for (std::size_t i = 0; i < names.size(); ++i)
      all.push_back({names[i], values[i].size()});
    return all;
  }
};

/// A run of equal values.
struct ValueRun {
  std::uint64_t record;
  std::uint64_t begin;
  std::uint64_t end;
  float value;
  bool operator==(const ValueRun&) const = default;
};

inline std::vector<ValueRun> naive_runs(const TrackCase& track) {
  std::vector<ValueRun> runs;
  for (std::uint64_t record = 0; record < track.values.size(); ++record) {
    const std::vector<float>& values = track.values[record];
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      if (i > 0 && values[i] == values[i - 1]) {
        runs.back().end = i + 1;
      } else {
        runs.push_back({record, i, i + 1, values[i]});
      }
    }
  }
  return runs;
}

/// How a producer gives its values.
enum class Giving : std::uint8_t { values, codes8, codes16, codes32, runs };

/// Gives the values of a track; the codes are of those in `table`.
inline void give(const TrackCase& track, const std::vector<float>& table, Giving giving,
                 const TrackRange& range, PieceRuns& runs) {
  const std::span<const float> values =
      std::span(track.values[range.record]).subspan(range.begin, range.end - range.begin);
  const auto codes = [&]<class Code>(Code) {
    std::vector<Code> made;
    for (const float value : values) {
      std::size_t code = 0;
      while (!(table[code] == value || (std::isnan(table[code]) && std::isnan(value))))
        ++code;
      made.push_back(static_cast<Code>(code));
    }
    // In two parts: a producer may add them as it has them.
    const std::size_t half = made.size() / 2;
    runs.add_codes(range.begin, std::span<const Code>(made).first(half), table);
    runs.add_codes(range.begin + half, std::span<const Code>(made).subspan(half), table);
  };
  switch (giving) {
    case Giving::values:
      return runs.add_values(range.begin, values);
    case Giving::codes8:
      return codes(std::uint8_t{});
    case Giving::codes16:
      return codes(std::uint16_t{});
    case Giving::codes32:
      return codes(std::uint32_t{});
    case Giving::runs:
      for (std::uint64_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i])) runs.add(range.begin + i, range.begin + i + 1, values[i]);
  }
}

enum class TrackFormat : std::uint8_t { bed_graph, tsv, bigwig };

struct TrackWay {
  int threads = 1;
  std::uint64_t piece = std::uint64_t{1} << 18;
  Giving giving = Giving::values;
};

inline std::unique_ptr<TrackWriter> writer_for(Output& output, TrackFormat format) {
  if (format == TrackFormat::bigwig) return std::make_unique<BigWigWriter>(output, ScratchPlace{});
  return std::make_unique<TextTrackWriter>(
      output, format == TrackFormat::tsv ? TrackText::tsv : TrackText::bed_graph);
}

/// The bytes that a track is written as.
inline std::string written(const TrackCase& track, TrackFormat format, const TrackWay& way = {},
                           const std::vector<float>& table = {}) {
  const TemporaryFolder folder;
  const std::vector<TrackRecord> records = track.records();
  Output output(folder / "track");
  const std::unique_ptr<TrackWriter> writer = writer_for(output, format);
  TrackWriter* const writers[] = {writer.get()};
  write_track(records,
              [&](const TrackRange& range, PieceRuns& runs) {
                give(track, table, way.giving, range, runs);
              },
              writers, {.threads = way.threads, .kind = TrackKind::real, .piece = way.piece});
  output.commit();
  return folder.read("track");
}

/// Values that tests draw from.
inline std::vector<float> drawn_table(Random& random, std::size_t size) {
  std::vector<float> table = {no_value};
  while (table.size() < size) {
    switch (below(random, 4)) {
      case 0:
        table.push_back(1.0F / static_cast<float>(1 + below(random, 300)));
        break;
      case 1:
        table.push_back(static_cast<float>(below(random, 1000)));
        break;
      case 2:
        table.push_back(
            -std::ldexp(static_cast<float>(random() % 65536), int(below(random, 40)) - 30));
        break;
      default:
        table.push_back(std::ldexp(1.0F, int(below(random, 200)) - 100));
    }
  }
  return table;
}

/// `length` values of the table in runs of that mean length; NaN, the first, where chance has it.
inline std::vector<float> drawn_values(Random& random, const std::vector<float>& table,
                                       std::uint64_t length, std::uint64_t mean) {
  std::vector<float> values;
  while (values.size() < length) {
    const float value = table[below(random, 5) == 0 ? 0 : below(random, table.size())];
    values.insert(values.end(), std::min(length - values.size(), 1 + below(random, 2 * mean)),
                  value);
  }
  return values;
}

inline TrackCase drawn_track(Random& random, const std::vector<float>& table, std::uint64_t records,
                             std::uint64_t most_length) {
  TrackCase track;
  for (std::uint64_t i = 0; i < records; ++i) {
    const std::uint64_t length = below(random, 5) == 0 ? 0 : below(random, most_length + 1);
    const std::uint64_t mean = std::uint64_t{1} << below(random, 10);
    track.add("r" + std::to_string(i * 7919 % records), drawn_values(random, table, length, mean));
  }
  return track;
}

}  // namespace gsx::testing

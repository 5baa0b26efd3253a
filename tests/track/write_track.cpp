// Writes tracks with lib/output/tracks: of a bedGraph file, or of made values, to see how fast that
// is.
//
//   gsx-write-track convert SIZES BEDGRAPH OUT THREADS PIECE
//   gsx-write-track make POSITIONS MEAN_RUN VALUES OUT THREADS PIECE
//
// OUT ends in .bw (bigWig), .tsv or .bedGraph. SIZES has lines of name, tab, length; BEDGRAPH is
// sorted, in the order of these records. `make` writes one record of runs whose lengths are drawn
// with that mean, and whose values are 1 / n for n drawn below VALUES; it prints what that took.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bytes/output.hpp"
#include "output/tracks/bigwig_writer.hpp"
#include "output/tracks/text_track.hpp"
#include "output/tracks/write_track.hpp"

using namespace gsx;

namespace {

struct Line {
  std::uint64_t begin;
  std::uint64_t end;
  float value;
};

/// Records, and the lines of each.
struct Lines {
  std::vector<std::string> names;
  std::vector<TrackRecord> records;
  std::vector<std::vector<Line>> lines;
};

Lines read_lines(const char* sizes_path, const char* path) {
  Lines all;
  std::map<std::string, std::size_t> record_of;
  std::vector<std::uint64_t> lengths;
  std::string name, value;
  std::uint64_t begin = 0, end = 0;
  for (std::ifstream sizes(sizes_path); std::getline(sizes, name, '\t') && sizes >> end;
       sizes.ignore()) {
    record_of.emplace(name, all.names.size());
    all.names.push_back(name);
    lengths.push_back(end);
  }
  for (std::size_t i = 0; i < all.names.size(); ++i)
    all.records.push_back({all.names[i], lengths[i]});
  all.lines.resize(all.names.size());
  for (std::ifstream file(path); file >> name >> begin >> end >> value;) {
    float number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    all.lines[record_of.at(name)].push_back({begin, end, number});
  }
  return all;
}

void fill_lines(const std::vector<Line>& lines, const TrackRange& range, PieceRuns& runs) {
  auto line = std::upper_bound(lines.begin(), lines.end(), range.begin,
                               [](std::uint64_t at, const Line& some) { return at < some.end; });
  for (; line != lines.end() && line->begin < range.end; ++line)
    runs.add(std::max(line->begin, range.begin), std::min(line->end, range.end), line->value);
}

std::unique_ptr<TrackWriter> writer_for(Output& output, const std::string& path) {
  if (path.ends_with(".bw")) return std::make_unique<BigWigWriter>(output, ScratchPlace{});
  return std::make_unique<TextTrackWriter>(
      output, path.ends_with(".tsv") ? TrackText::tsv : TrackText::bed_graph);
}

void write(const std::vector<TrackRecord>& records, const TrackFill& fill, const std::string& path,
           int threads, std::uint64_t piece) {
  Output output(path);
  const std::unique_ptr<TrackWriter> writer = writer_for(output, path);
  TrackWriter* const writers[] = {writer.get()};
  write_track(records, fill, writers,
              {.threads = threads, .kind = TrackKind::real, .piece = piece});
  output.commit();
}

void convert(char** arguments) {
  const Lines all = read_lines(arguments[0], arguments[1]);
  write(
      all.records,
      [&](const TrackRange& range, PieceRuns& runs) {
        fill_lines(all.lines[range.record], range, runs);
      },
      arguments[2], std::atoi(arguments[3]), std::strtoull(arguments[4], nullptr, 10));
}

void make(char** arguments) {
  const std::uint64_t positions = std::strtoull(arguments[0], nullptr, 10);
  const std::uint64_t mean = std::strtoull(arguments[1], nullptr, 10);
  const std::uint64_t values = std::strtoull(arguments[2], nullptr, 10);
  std::vector<std::uint16_t> codes(positions);
  std::mt19937_64 random(1);
  std::uint64_t runs = 0;
  for (std::uint64_t at = 0; at < positions; ++runs) {
    const std::uint64_t end = std::min(positions, at + 1 + random() % (2 * mean - 1));
    const auto code = static_cast<std::uint16_t>(random() % values);
    for (; at < end; ++at)
      codes[at] = code;
  }
  std::vector<float> table(values);
  for (std::uint64_t i = 0; i < values; ++i)
    table[i] = 1.0F / static_cast<float>(i + 1);
  const auto start = std::chrono::steady_clock::now();
  write(
      {{"chr21", positions}},
      [&](const TrackRange& range, PieceRuns& to) {
        to.add_codes(
            range.begin,
            std::span<const std::uint16_t>(codes).subspan(range.begin, range.end - range.begin),
            table);
      },
      arguments[3], std::atoi(arguments[4]), std::strtoull(arguments[5], nullptr, 10));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::ifstream file(arguments[3], std::ios::ate | std::ios::binary);
  const auto bytes = static_cast<double>(file.tellg());
  std::printf("%.3f s, %.0f M positions/s, %.1f M runs/s, %.1f MB, %.0f MB/s\n", seconds,
              static_cast<double>(positions) / seconds / 1e6,
              static_cast<double>(runs) / seconds / 1e6, bytes / 1e6, bytes / seconds / 1e6);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const std::string task = count > 1 ? arguments[1] : "";
    if (task == "convert" && count == 7) {
      convert(arguments + 2);
    } else if (task == "make" && count == 8) {
      make(arguments + 2);
    } else {
      std::cerr << "see the head of write_track.cpp for the arguments\n";
      return 2;
    }
  } catch (const Error& error) {
    std::cerr << "error: " << error.what() << '\n';
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}

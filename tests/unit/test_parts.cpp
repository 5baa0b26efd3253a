// The file of a partial result: what goes in comes out, and no damage passes.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/little_endian.hpp"
#include "output/parts/part_reader.hpp"
#include "output/parts/part_writer.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

RunSummary run_of(const char* command, std::uint64_t queries) {
  return {.version = "1",
          .command = command,
          .figures = {{"queries", queries}},
          .index = SummaryIndex{"g.gsx", 7},
          .options = {{"max_hits", std::uint64_t{3}}, {"mismatches", std::uint64_t{2}}}};
}

/// Two records, of which the second is circular, in two segments each.
PartTargets two_records() {
  PartTargets targets;
  targets.begin_shard();
  for (const bool circular : {false, true}) {
    targets.add_record(circular ? "b b" : "", 40, circular);
    targets.add_segment(2, 10);
    targets.add_segment(15, 25);
  }
  targets.finish();
  return targets;
}

RecordBatch queries_of(const std::vector<std::string>& sequences) {
  RecordBatch queries;
  for (const std::string& sequence : sequences) {
    queries.begin_record("q" + std::to_string(queries.size()), "");
    queries.append(sequence);
  }
  return queries;
}

/// The file whose stream is this.
std::string framed(std::string stream) {
  PartFrames frames;
  // In pieces, as threads give them.
  std::string file, piece;
  for (std::size_t at = 0; at < stream.size(); at += 70'000) {
    piece = stream.substr(at, 70'000);
    frames.seal(piece);
    file += piece;
  }
  return file + frames.finish();
}

std::string part_of_hits(const std::vector<std::string>& sequences,
                         const std::vector<StrandCounts>& counts,
                         const std::vector<std::uint64_t>& ends, const std::vector<Hit>& hits,
                         const MismatchPlaces& mismatches) {
  const PartTargets targets = two_records();
  const RecordBatch queries = queries_of(sequences);
  TextPieces stream;
  stream.text() = part_head(run_of("locate", 0), PartContent::mismatched_hits,
                            {targets.records(), targets.segments(), targets.circular()});
  PartHits(stream, queries).add({0, 0, 3, counts, ends, hits}, &mismatches);
  return framed(stream.text() + part_end(run_of("locate", queries.size())));
}

/// Three queries: with two hits of which one spans the origin, without hits, and with four.
std::string usual_part() {
  MismatchPlaces mismatches;
  mismatches.places = {0, 4, 2};
  mismatches.ends = {0, 2, 2, 3, 3};
  return part_of_hits({"ACGTACGTA", "", "ACG"}, {{1, 1}, {0, 0}, {3, 1}}, {2, 2, 5},
                      {{11, false}, {66, true, 2}, {0, false}, {0, true, 1}, {70, false}},
                      mismatches);
}

/// Reads all of a file, and says what it holds.
std::string read_part(const TemporaryFolder& folder, const std::string& bytes) {
  folder.write("x.part", bytes);
  PartSource source = open_part(folder / "x.part");
  source.require_whole_start(true, false);
  PartTargets targets;
  PartReader part(std::move(source), targets);
  targets.finish();
  std::string found = part.run().command;
  PartQuery query;
  while (part.next(query)) {
    found += " | " + query.name + ' ' + std::to_string(query.length);
    found += ' ' + std::to_string(query.total.forward) + '+' + std::to_string(query.total.reverse);
    while (holds_hits(part.content()) && part.hits_left() != 0) {
      const Hit hit = part.next_hit();
      found += ' ' + std::to_string(hit.position()) + (hit.is_reverse() ? '-' : '+');
      for (const std::uint64_t place : part.mismatches())
        found += 'x' + std::to_string(place);
      if (part.spans_origin()) found += 'o';
    }
    PlaceCount count;
    while (!holds_hits(part.content()) && part.next_count(count))
      found += ' ' + std::to_string(count.place) + ':' + std::to_string(count.counts.forward) +
               '+' + std::to_string(count.counts.reverse);
  }
  return found + " | " + std::to_string(part.summary().number("queries"));
}

}  // namespace

TEST_CASE("a part holds what was found") {
  const TemporaryFolder folder;
  CHECK(read_part(folder, usual_part()) ==
        "locate | q0 9 1+1 11+ 66-x0x4o | q1 0 0+0 | q2 3 3+1 0+ 0-x2 70+ | 3");

  const PartTargets targets = two_records();
  const RecordBatch queries = queries_of({"A", "C", "G", "T"});
  TextPieces stream;
  stream.text() = part_head(run_of("count", 0), PartContent::record_counts,
                            {targets.records(), targets.segments(), targets.circular()});
  PartCounts counts(stream, queries);
  counts.add(1, 0, {1, 2});
  counts.add(1, 1, {300, 0});
  counts.add(2, 1, {0, 5});
  counts.finish();
  CHECK(read_part(folder, framed(stream.text() + part_end(run_of("count", 4)))) ==
        "count | q0 1 0+0 | q1 1 0+0 0:1+2 1:300+0 | q2 1 0+0 1:0+5 | q3 1 0+0 | 4");
}

TEST_CASE("no part that is cut or has a byte of its own is read") {
  const TemporaryFolder folder;
  const std::string part = usual_part();
  REQUIRE_NOTHROW(read_part(folder, part));
  for (std::size_t size = 0; size < part.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(read_part(folder, part.substr(0, size)), InputError);
  }
  for (std::size_t at = 0; at < part.size(); ++at) {
    CAPTURE(at);
    std::string other = part;
    other[at] = static_cast<char>(other[at] ^ (1 << at % 8));
    CHECK_THROWS_AS(read_part(folder, other), InputError);
  }
  CHECK_THROWS_AS(read_part(folder, part + '\0'), InputError);
  std::string newer = part;
  newer[part_magic.size()] = static_cast<char>(part_version + 1);
  CHECK_THROWS_WITH_AS(read_part(folder, newer), doctest::Contains("format version 2"), InputError);
}

TEST_CASE("frames hold streams of any size, and come in their order only") {
  const TemporaryFolder folder;
  const auto with_name_of = [&](std::size_t bytes) {
    std::string head = part_head(run_of("count", 0), PartContent::counts, {});
    append_varint(head, bytes + 1);
    head += std::string(bytes, 'n') + std::string(6, '\0');  // length, symbols, no count
    return head + part_end(run_of("count", 1));
  };
  const std::size_t others = with_name_of(part_frame_bytes).size() - part_frame_bytes;
  for (std::size_t frames = 1; frames <= 3; ++frames) {
    for (std::size_t more = 0; more <= 2; ++more) {
      const std::string stream = with_name_of(frames * part_frame_bytes - others + 1 - more);
      const std::string file = framed(stream);
      CHECK(read_part(folder, file).ends_with(" 0 0+0 | 1"));
      if (frames < 3) continue;
      const std::size_t frame = part_frame_bytes + 4 + part_sum_bytes, start = 12;
      const std::string begin = file.substr(0, start), first = file.substr(start, frame);
      const std::string second = file.substr(start + frame, frame);
      const std::string rest = file.substr(start + 2 * frame);
      CHECK_THROWS_AS(read_part(folder, begin + second + first + rest), InputError);
      CHECK_THROWS_AS(read_part(folder, begin + second + rest), InputError);
      CHECK_THROWS_AS(read_part(folder, begin + first + second), InputError);
    }
  }
}

TEST_CASE("a part with right checksums that says what cannot be is refused") {
  const TemporaryFolder folder;
  const MismatchPlaces none{{0}, {}};
  const auto refuses = [&](const Hit& hit, const MismatchPlaces& mismatches,
                           const char* what = "damaged") {
    const std::string part = part_of_hits({"ACGTACGTA"}, {{1, 0}}, {1}, {hit}, mismatches);
    CHECK_THROWS_WITH_AS(read_part(folder, part), doctest::Contains(what), InputError);
  };
  refuses({5, false}, none, "does not lie in its record");  // the segment ends before it
  refuses({74, false}, none, "behind the end");
  refuses({10, false}, none, "no symbols");  // a separator
  refuses({11, false, 1}, {{1}, {9}}, "does not lie in its hit");
  refuses({11, false, 3}, {{3}, {0, 1, 2}}, "too many mismatches");
  refuses({11, true}, none, "more hits on a strand");

  const MismatchPlaces all{{0, 0}, {}};
  const auto twice = [&](const Hit& first, const Hit& second) {
    return part_of_hits({"ACGTACGTA"}, {{2, 1}}, {2}, {first, second}, all);
  };
  CHECK_THROWS_WITH_AS(read_part(folder, twice({11, false}, {11, false})),
                       doctest::Contains("comes twice"), InputError);
  CHECK_THROWS_WITH_AS(read_part(folder, twice({11, true}, {11, false})),
                       doctest::Contains("comes twice"), InputError);

  const auto refuses_run = [&](const RunSummary& head, const RunSummary& end, const char* what) {
    const PartTargets targets = two_records();
    const std::string stream =
        part_head(head, PartContent::hits, {targets.records(), targets.segments(), {}}) +
        part_end(end);
    CHECK_THROWS_WITH_AS(read_part(folder, framed(stream)), doctest::Contains(what), InputError);
  };
  const RunSummary run = run_of("locate", 0);
  RunSummary other = run;
  other.options[1].value = std::uint64_t{1} << 32;
  refuses_run(other, other, "too many mismatches");
  refuses_run(run, other, "another run");
  other = run;
  other.options.push_back({"by_file", true});
  refuses_run(other, other, "option by_file");
}

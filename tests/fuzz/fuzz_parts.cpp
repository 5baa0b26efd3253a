// Merging partial results: any stream with right checksums is either refused, or gives hits in the
// records that it names, and figures that fit one another.
//
// Input: the stream of a part, which is joined with itself.
#include <deque>
#include <memory>

#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "output/lines/query_report.hpp"
#include "output/merge/part_join.hpp"
#include "output/parts/part_writer.hpp"

namespace gsx::fuzzing {
namespace {

RunSummary run_of(const char* command) {
  return {.version = "1",
          .command = command,
          .index = SummaryIndex{"g.gsx", 7},
          .options = {
              {"max_hits", std::uint64_t{3}}, {"mismatches", std::uint64_t{2}}, {"by_file", true}}};
}

}  // namespace

std::vector<std::string> seeds() {
  PartTargets targets;
  targets.begin_shard();
  targets.add_file("f", 2);
  for (const bool circular : {false, true}) {
    targets.add_record(circular ? "b" : "a", 40, circular);
    targets.add_segment(2, 10);
    targets.add_segment(15, 25);
  }
  targets.finish();
  RecordBatch queries;
  for (const char* symbols : {"ACGTACGTA", "", "ACG"}) {
    queries.begin_record(symbols, "");
    queries.append(symbols);
  }
  const PartIndex index{targets.records(), targets.segments(), targets.circular(), true};
  std::vector<std::string> made;
  for (std::uint8_t content = 0; content < part_contents; ++content) {
    const auto kind = static_cast<PartContent>(content);
    const RunSummary run = run_of(holds_hits(kind) ? "locate" : "count");
    TextPieces stream;
    stream.text() = part_head(run, kind, index);
    if (holds_hits(kind)) {
      const std::vector<StrandCounts> counts = {{1, 1}, {0, 0}, {3, 1}};
      const std::vector<std::uint64_t> ends = {2, 2, 5};
      const std::vector<Hit> hits = {
          {11, false}, {66, true, 2}, {0, false}, {0, true}, {70, false}};
      const MismatchPlaces mismatches{{0, 2, 2, 2, 2}, {0, 4}};
      PartHits(stream, queries)
          .add({0, 0, 3, counts, ends, hits},
               kind == PartContent::mismatched_hits ? &mismatches : nullptr);
    } else {
      PartCounts counts(stream, queries);
      counts.add(1, 0, {1, 2});
      counts.finish();
    }
    made.push_back(stream.text() + part_end(run));
  }
  return made;
}

std::vector<std::string> tokens() {
  return {std::string("\0\0", 2), "\x01\x01",          "\xFF\xFF\xFF\x01",
          "\"max_hits\":0",       "\"by_file\":false", "\"mismatches\":4294967296"};
}

}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  PartFrames frames;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  frames.seal(bytes);
  const MemoryFile file(bytes + frames.finish());
  try {
    PartTargets targets;
    std::deque<PartReader> parts;
    for (int part = 0; part < 2; ++part)
      parts.emplace_back(open_part(file.path()), targets);
    targets.finish();
    PartJoin join(parts);
    MergeFigures figures;
    if (holds_hits(parts.front().content())) {
      TextPieces text;
      figures = join.hits(
          [&](const RecordBatch& queries, const HitChunk& chunk, const MismatchPlaces& mismatches) {
            append_hits(text, queries, chunk, targets.records(), targets.segments(),
                        ResultFormat::paf, &mismatches, parts.front().run().has_option("by_file"));
          });
      require(figures.in_parts >= figures.reported, "no hit is written twice");
    } else {
      figures = join.counts([&](const RecordBatch& queries, std::span<const std::uint64_t> ends,
                                std::span<const PlaceCount> counts) {
        require(ends.size() == queries.size() && ends.back() == counts.size(),
                "counts have queries");
        if (parts.front().content() != PartContent::mismatch_counts) return;
        MismatchCounts sums;
        sums.reset(queries.size(),
                   static_cast<std::uint32_t>(parts.front().run().number_option("mismatches")));
        for (const PlaceCount& count : counts)
          sums.of(0, false)[count.place] += count.counts.forward;
      });
    }
    require(figures.with_hits <= figures.queries, "a part is at most its whole");
  } catch (const InputError&) {
  }
  return 0;
}

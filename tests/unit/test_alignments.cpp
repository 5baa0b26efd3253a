// Alignments of hits that come in many chunks.
#include <doctest/doctest.h>

#include <string>

#include "output/lines/alignments.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string alignments_of(const Text& text, const MismatchSearcher& searcher) {
  RecordBatch queries;
  SetPatternBuffer patterns;
  for (const char* query : {"CCGTACC", "TTTTTTTTT", "ACGTTGG", "CCNTACN"}) {
    queries.begin_record(query, "");
    queries.append(query);
    patterns.add(query, false);
  }
  const MismatchText symbols{text.view(), false};
  const AlignmentHeader header(text.records_view(), {}, false);
  const RecordsView records = text.records_view();
  Alignments alignments(header, records, text.view().segments, symbols);
  TextPieces pieces;
  searcher.stream(patterns.patterns(), {Strands::both, 3},
                  [&](const HitChunk& chunk) { alignments.append(pieces, queries, chunk); });
  return pieces.text();
}

}  // namespace

TEST_CASE("one hit is primary, however the hits are spread over chunks") {
  const Text text = text_of_records({"ACGTACGTACCTTACGTCCATT", "GGTACGGTACCGTACGTTGGCA"});
  const std::string whole = alignments_of(text, PlainMismatchSearcher(text.view()));
  // Of CCGTACC, the best is the third or later, and so is that of ACGTTGG.
  CHECK(whole.find("CCGTACC\t0\t") != whole.find("CCGTACC\t"));
  // N is a mismatch everywhere: the best place has some, too.
  CHECK((whole.find("CCNTACN\t0\t") != std::string::npos ||
         whole.find("CCNTACN\t16\t") != std::string::npos));
  for (const std::uint64_t at_once : {1, 2, 3, 7}) {
    const SearchMemory memory{.hits_at_once = at_once};
    CHECK(alignments_of(text, PlainMismatchSearcher(text.view(), memory)) == whole);
    CHECK(alignments_of(text, ScanSearcher(text.view(), 2, memory, CpuPath::baseline)) == whole);
  }
}

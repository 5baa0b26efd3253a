// Random inputs through the whole library: text, suffix array, index file, searches. Everything is
// compared with its definition: a sort of all suffixes, a scan for each pattern. Each run draws new
// cases. A failure names the seed of its case: GSX_SEED=SEED GSX_CASES=1 repeats it, and as a line
// of regressions.txt, every run repeats it.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/sa/checker.hpp"
#include "index/store/verify.hpp"
#include "index/store/writer.hpp"
#include "run/patterns.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"
#include "text/extract.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Case {
  SymbolPolicy policy;
  std::vector<std::string> sequences;
  BuildOptions build;
};

std::string random_sequence(Random& random, SymbolPolicy policy) {
  const std::string_view symbols = policy == SymbolPolicy::dna       ? "ACGT"
                                   : policy == SymbolPolicy::protein ? "ACDEFGHIKLMNPQRSTVWY"
                                                                     : "abcdefABCDEF!#%&";
  const std::string_view some = symbols.substr(0, 1 + below(random, symbols.size()));
  const std::uint64_t length = below(random, below(random, 4) == 0 ? 3000 : 60);
  switch (below(random, 5)) {
    case 0:
      return mutated_copies(random, 1 + below(random, 50), 1 + length / 40, 30, some);
    case 1:
      return std::string(length, some[0]);
    case 2:
      return fibonacci_word(length + 1, symbols[0], symbols[1]);
    default:
      return random_string(random, length, some);
  }
}

Case draw(std::uint64_t seed) {
  Random random(seed);
  Case drawn;
  const SymbolPolicy policies[] = {SymbolPolicy::dna, SymbolPolicy::dna, SymbolPolicy::protein,
                                   SymbolPolicy::bytes};
  drawn.policy = policies[below(random, 4)];
  const std::uint64_t records = 1 + below(random, below(random, 5) == 0 ? 300 : 6);
  for (std::uint64_t r = 0; r < records; ++r) {
    drawn.sequences.push_back(random_sequence(random, drawn.policy));
    if (drawn.policy == SymbolPolicy::dna && below(random, 3) == 0) {
      drawn.sequences.back() += random_string(random, below(random, 9), "NNNRYacg");
    }
  }
  drawn.sequences.push_back("ACG");
  drawn.build.threads = static_cast<int>(1 + below(random, 3));
  drawn.build.sample_rate = static_cast<std::uint32_t>(1 + below(random, 40));
  drawn.build.width = below(random, 2) == 0 ? PositionWidth::automatic : PositionWidth::wide;
  if (below(random, 5) != 0) {  // otherwise the default for the text: mostly none
    drawn.build.kmer_length =
        static_cast<std::uint32_t>(below(random, drawn.policy == SymbolPolicy::dna ? 9 : 4));
  }
  return drawn;
}

/// Removes the index file of this name.
struct TemporaryIndex {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("gsx-property-" + std::to_string(getpid()) + ".gsx"))
                         .string();
  ~TemporaryIndex() { std::filesystem::remove(path); }
};

std::string reverse_complement(std::string pattern) {
  std::reverse(pattern.begin(), pattern.end());
  for (char& c : pattern)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : c == 'T' ? 'A' : c;
  return pattern;
}

/// Hits of a pattern, by scanning the records as extract gives them.
std::vector<std::array<std::uint64_t, 3>> scan(const std::vector<std::string>& records,
                                               const std::string& pattern, bool complements) {
  std::vector<std::array<std::uint64_t, 3>> hits;
  for (std::uint64_t strand = 0; strand < (complements ? 2 : 1); ++strand) {
    const std::string wanted = strand == 0 ? pattern : reverse_complement(pattern);
    for (std::uint64_t r = 0; r < records.size(); ++r) {
      for (auto p = records[r].find(wanted); p != std::string::npos;
           p = records[r].find(wanted, p + 1)) {
        hits.push_back({r, p, strand});
      }
    }
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

std::vector<std::string> draw_patterns(Random& random, const std::vector<std::string>& records) {
  std::vector<std::string> patterns = {"A", "T", "N", "ACGTACGTACGT"};
  for (int i = 0; i < 30; ++i) {
    const std::string& record = records[below(random, records.size())];
    if (record.empty()) continue;
    const std::uint64_t begin = below(random, record.size());
    std::string pattern = record.substr(begin, 1 + below(random, 50));
    if (below(random, 2) == 0) pattern = reverse_complement(pattern);
    patterns.push_back(pattern);
  }
  return patterns;
}

void check_searches(Random& random, const Index& index, const Case& drawn,
                    const std::vector<std::string>& records) {
  const auto searcher = make_cpu_backend()->open<ExactSearch>({index, 1});
  const bool complements = drawn.policy == SymbolPolicy::dna;
  const auto patterns = draw_patterns(random, records);
  RecordBatch batch;
  for (const std::string& pattern : patterns) {
    batch.begin_record("q", "");
    batch.append(pattern);
  }
  PatternBuffer buffer;
  buffer.encode(batch, index.alphabet());
  std::vector<StrandCounts> counts;
  searcher->count(buffer.patterns(), Strands::both, counts);
  const std::uint64_t max_hits = below(random, 2) == 0 ? unlimited : below(random, 5);
  Hits hits;
  searcher->locate(buffer.patterns(), Strands::both, max_hits, hits);
  const SegmentsView segments = index.text().segments;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(patterns[i]);
    auto expected = scan(records, patterns[i], complements);
    // A pattern with other symbols than A C G T matches nothing, not even itself.
    if (complements && patterns[i].find_first_not_of("ACGT") != std::string::npos) expected = {};
    REQUIRE(counts[i].total() == expected.size());
    REQUIRE(hits.counts[i].total() == expected.size());
    const std::uint64_t end = hits.hit_ends[i];
    REQUIRE(end - begin == std::min<std::uint64_t>(max_hits, expected.size()));
    for (std::uint64_t k = begin; k < end; ++k) {
      const Hit hit = hits.hits[k];
      const std::uint64_t segment = segments.segment_at(hit.position());
      const std::array<std::uint64_t, 3> place = {
          index.records().segment_records[segment],
          index.records().segment_offsets[segment] + hit.position() - segments.starts[segment],
          hit.is_reverse() ? std::uint64_t{1} : std::uint64_t{0}};
      if (max_hits == unlimited) {
        REQUIRE(place == expected[k - begin]);
      } else {
        REQUIRE(std::binary_search(expected.begin(), expected.end(), place));
      }
    }
    begin = end;
  }
}

void check_case(std::uint64_t seed) {
  CAPTURE(seed);
  const Case drawn = draw(seed);
  const Text text = make_text(drawn.sequences, drawn.policy);
  const auto backend = make_cpu_backend();

  const auto naive = naive_suffix_array(text.view());
  const SuffixArray rows = build_suffix_array(*backend, text.view(), drawn.build);
  std::uint64_t wrong_rows = 0;  // one assertion: millions of them would take longer than the work
  for (std::uint64_t i = 0; i < naive.size(); ++i)
    wrong_rows += rows[i] != naive[i];
  REQUIRE(wrong_rows == 0);
  REQUIRE_FALSE(find_wrong_row(text.view(), rows, drawn.build.threads).has_value());

  const TemporaryIndex file;
  {
    Output out(file.path);
    write_index(out, text, backend->build_index(text.view(), drawn.build), drawn.build.threads);
    out.commit();
  }
  const Index index = Index::open(file.path, Load::map, drawn.build.threads);
  verify_records(index, drawn.build.threads, {});
  verify_bwt(index, drawn.build.threads, {});
  verify_kmers(index, drawn.build.threads, {});
  std::vector<std::string> records(index.records().size());
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    extract(index.text(), index.records(), index.alphabet(), r, 0, index.records().infos[r].length,
            records[r]);
    std::string expected = drawn.sequences[r];
    if (drawn.policy != SymbolPolicy::bytes) {
      for (char& c : expected)
        c = to_upper(c);
    }
    REQUIRE(records[r] == expected);
  }
  Random random(seed ^ 0x5bd1e995);
  check_searches(random, index, drawn, records);
}

}  // namespace

TEST_CASE("seeds that failed once") {
  std::ifstream file(GSX_SOURCE_DIR "/tests/property/regressions.txt");
  REQUIRE(file.good());
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') check_case(std::stoull(line));
  }
}

TEST_CASE("random inputs") {
  const std::uint64_t cases = random_cases(80);
  for (std::uint64_t i = 0; i < cases; ++i)
    check_case(run_seed() + i);
}

// Any patterns against fixed indexes: counts and hits are those of a scan of the whole text, and no
// name breaks a line of any output.
//
// Input: two bytes of flags, then lines NAME TAB PATTERN. The flags choose the index, the strands
// and the limit of hits, then the format.
#include <algorithm>
#include <memory>
#include <sstream>

#include "fuzz/fuzz.hpp"
#include "output/lines/query_report.hpp"
#include "run/patterns.hpp"
#include "support/json.hpp"

namespace gsx::fuzzing {
namespace {

constexpr std::size_t most_patterns = 40;

/// An open index, and its text for the naive scan.
struct World {
  explicit World(const std::string& bytes)
      : file(bytes),
        index(Index::open(file.path(), Load::map, 1)),
        backend(make_cpu_backend()),
        searcher(backend->open<ExactSearch>({index, 1})),
        segments(segments_of(index)) {}
  MemoryFile file;
  Index index;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Searcher> searcher;
  std::vector<std::string> segments;
};

std::vector<std::unique_ptr<World>> make_worlds() {
  const TextOptions masked{SymbolPolicy::dna, AmbiguousPolicy::split, SoftMaskPolicy::split};
  const std::string genome = fixed_symbols(5000, 3, "ACGT");
  const std::string protein = fixed_symbols(900, 5, "ACDEFGHIKLMNPQRSTVWY*");
  std::vector<std::unique_ptr<World>> worlds;
  BuildOptions build;
  build.kmer_length = 5;
  worlds.push_back(std::make_unique<World>(
      index_of({{"chr1", "", genome.substr(0, 3000)},
                {"tab\tand\x1b[2J", "", genome.substr(100, 900) + "NNNN" + genome.substr(50, 400)},
                {"\xff\"\\", "", std::string(200, 'A') + "acgtacgt" + genome.substr(3000)},
                {"", "", "ACGT"}},
               masked, build)));
  build.kmer_length.reset();
  build.sample_rate = 1;
  worlds.push_back(std::make_unique<World>(index_of(
      {{"p", "", protein}, {"q", "", protein.substr(300, 200)}}, {SymbolPolicy::protein}, build)));
  worlds.push_back(std::make_unique<World>(index_of(
      {{"b", "", "to_be,or_not_to_be:that_is_the_question"}}, {SymbolPolicy::bytes}, build)));
  return worlds;
}

/// The symbols that a query means in the text, or "" if it cannot match.
std::string normal_pattern(const Alphabet& alphabet, std::string pattern) {
  for (char& c : pattern) {
    if (alphabet.policy() != SymbolPolicy::bytes) c = to_upper(c);
    if (alphabet.policy() == SymbolPolicy::dna && c == 'U') c = 'T';
    if (alphabet.symbols().find(c) == std::string_view::npos) return "";
  }
  return pattern;
}

RecordBatch queries_of(std::string_view lines) {
  RecordBatch queries;
  while (!lines.empty() && queries.size() < most_patterns) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t tab = std::min(line.find('\t'), line.size());
    queries.begin_record(line.substr(0, tab), "");
    queries.append(line.substr(std::min(line.size(), tab + 1)));
  }
  return queries;
}

void check_hits(const World& world, const RecordBatch& queries, Strands strands, std::uint64_t most,
                const std::vector<StrandCounts>& counts, const Hits& hits) {
  const SegmentsView table = world.index.text().segments;
  const bool both = world.index.alphabet().has_reverse_complement();
  std::uint64_t begin = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const std::string pattern =
        normal_pattern(world.index.alphabet(), std::string(queries.sequence(q)));
    std::vector<Hit> expected, reverse;
    if (strands != Strands::reverse) expected = occurrences(world.segments, table, pattern, false);
    if (strands != Strands::forward && both)
      reverse = occurrences(world.segments, table, reverse_complement(pattern), true);
    require(counts[q].forward == expected.size(), "count of the forward strand");
    require(counts[q].reverse == reverse.size(), "count of the reverse strand");
    require(hits.counts[q].total() == counts[q].total(), "locate counts as count does");
    expected.insert(expected.end(), reverse.begin(), reverse.end());
    std::sort(expected.begin(), expected.end());
    const std::vector<Hit> found(hits.hits.begin() + static_cast<long>(begin),
                                 hits.hits.begin() + static_cast<long>(hits.hit_ends[q]));
    begin = hits.hit_ends[q];
    require(found.size() == std::min<std::uint64_t>(most, expected.size()), "number of hits");
    require(std::is_sorted(found.begin(), found.end()), "hits are sorted");
    require(std::includes(expected.begin(), expected.end(), found.begin(), found.end()), "hits");
  }
}

void check_lines(const std::string& text, std::ptrdiff_t tabs, std::uint64_t lines) {
  require(text.empty() || text.back() == '\n', "the last line ends");
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); --lines) {
    require(std::count(line.begin(), line.end(), '\t') == tabs, "number of columns");
    require(std::none_of(line.begin(), line.end(),
                         [](char c) {
                           const auto byte = static_cast<unsigned char>(c);
                           return (byte < 0x20 && c != '\t') || byte == 0x7f;
                         }),
            "no control bytes");
    if (tabs == 0) require(testing::is_json(line), "JSON");
  }
  require(lines == 0, "number of lines");
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string genome = fixed_symbols(5000, 3, "ACGT");
  std::vector<std::string> made;
  for (const char format : {'\0', '\1', '\2', '\3'}) {
    made.push_back(std::string("\0", 1) + format + "q1\tACGT\nq2\tGATTACA\n\tA\nr\tNACGT\n");
    made.push_back(std::string("\4", 1) + format + "x\t" + genome.substr(1000, 60) + "\ny\t" +
                   reverse_complement(genome.substr(2000, 150)) + "\nz\tAAAAAAAA\n");
    made.push_back(std::string("\1", 1) + format + "p\tACD\nq\tKL\ns\t*\n");
    made.push_back(std::string("\2", 1) + format + "b\tto_be\nc\t_\nd\tnot_to\n");
  }
  return made;
}

std::vector<std::string> tokens() {
  return {"\n", "\t", "ACGT", "acgu", "N", "\x1b[31m", "\xc2\x9b", "\xff", "\"", "\\", "\r"};
}

}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  if (size < 2) return 0;
  static const auto worlds = make_worlds();
  const World& world = *worlds[(data[0] & 3u) % worlds.size()];
  const auto strands = static_cast<Strands>((data[0] >> 2 & 3u) % 3);
  const std::uint64_t most = (data[0] >> 4) == 0 ? unlimited : data[0] >> 4;
  const auto format = static_cast<ResultFormat>(data[1] % 5);
  const RecordBatch queries = queries_of({reinterpret_cast<const char*>(data) + 2, size - 2});
  if (queries.size() == 0) return 0;

  PatternBuffer patterns;
  patterns.encode(queries, world.index.alphabet());
  std::vector<StrandCounts> counts;
  world.searcher->count(patterns.patterns(), strands, counts);
  Hits hits;
  world.searcher->locate(patterns.patterns(), strands, most, hits);
  check_hits(world, queries, strands, most, counts, hits);

  TextPieces lines;
  append_counts(lines, queries, counts);
  check_lines(lines.text(), 4, queries.size());
  lines.text().clear();
  append_hits(lines, queries, hits.chunk(most), world.index.records(), world.index.text().segments,
              format);
  constexpr std::ptrdiff_t tabs[] = {8, 5, 14, 0, 8};
  check_lines(lines.text(), tabs[static_cast<int>(format)],
              format == ResultFormat::jsonl ? queries.size() : hits.hits.size());
  return 0;
}

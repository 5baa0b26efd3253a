// The index reader, and all code that trusts what it lets through. Whatever the file holds, it is
// refused, or searched without harm; and if verify --full approves it, its answers are right.
//
// Input: a byte of flags, then the file. Flag 1 makes all checksums right, flag 2 the length of the
// file and the offsets of the sections. With flag 4, the rest is the number of a seed and edits of
// its sections, 12 bytes each, after which the checksums are made right.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "index/lookup/index_lookup.hpp"
#include "index/store/verify.hpp"
#include "index/store/verify_lookup.hpp"
#include "run/patterns.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "support/index_file.hpp"
#include "support/plain_matches.hpp"

namespace gsx::fuzzing {
namespace {

const std::vector<std::string> searched = {"A",     "C",   "GT",      "ACG", "GATTACA",
                                           "TTTTT", "NNN", "ACGTACG", "K",   "MKV"};
constexpr std::uint64_t most_hits = 300;
/// A gap is a symbol and a length, so a few bytes may honestly stand for far too many symbols.
constexpr std::uint64_t most_symbols = 1 << 16;

/// How far the inputs got.
struct Statistics {
  std::uint64_t opened = 0;
  std::uint64_t approved = 0;
  ~Statistics() {
    std::printf("%llu files were opened, %llu approved by verify --full and searched\n",
                static_cast<unsigned long long>(opened), static_cast<unsigned long long>(approved));
  }
} statistics;

void repair_table(testing::IndexFile& file) {
  file.change_header([&](IndexHeader& header) { header.file_bytes = file.bytes.size(); });
  std::uint64_t offset = file.header().header_bytes;
  for (std::size_t s = 0; s < file.header().sections; ++s) {
    if (file.entry_at(s + 1) > file.bytes.size()) return;
    file.change_entry(s, [&](SectionEntry& entry) {
      entry.offset = offset;
      offset += entry.padded_bytes();
    });
  }
}

/// Whether verify --full approves the index.
bool is_approved(const Index& index) {
  try {
    verify_page_sums(index, 1);
    verify_name_table(index, 1);
    verify_records(index, 1, {});
    verify_bwt(index, 1, {});
    verify_kmers(index, 1, {});
    return true;
  } catch (const CorruptIndexError&) {
    return false;
  }
}

PatternBuffer encoded(const Index& index) {
  RecordBatch queries;
  for (const std::string& query : searched) {
    queries.begin_record(query, "");
    queries.append(query);
  }
  PatternBuffer patterns;
  patterns.encode(queries, index.alphabet());
  return patterns;
}

void find_matches(const Index& index, bool approved) {
  const PatternBuffer patterns = encoded(index);
  const MatchRequest request{Strands::both, 2};
  std::vector<std::vector<MaximalMatch>> found(searched.size());
  CpuMatchSearcher(index, 1).stream(patterns.patterns(), request, [&](const MatchChunk& chunk) {
    for (std::size_t i = 0; i < chunk.queries(); ++i)
      found[chunk.first + i].assign(chunk.of(i).begin(), chunk.of(i).end());
  });
  if (!approved) return;
  const testing::PlainMatches plain(index.text(), index.alphabet().has_reverse_complement());
  for (std::size_t q = 0; q < searched.size(); ++q)
    require(found[q] == plain.maximal_matches(patterns.patterns()[q], request), "the matches");
}

void search(const Index& index, bool approved) {
  const PatternBuffer patterns = encoded(index);
  const auto backend = make_cpu_backend();
  const auto searcher = backend->open<ExactSearch>({index, 1});
  std::vector<StrandCounts> counts;
  searcher->count(patterns.patterns(), Strands::both, counts);
  Hits found;
  searcher->locate(patterns.patterns(), Strands::both, most_hits, found);
  if (!approved) return;

  const std::vector<std::string> segments = segments_of(index);
  const bool both = index.alphabet().has_reverse_complement();
  std::uint64_t begin = 0;
  for (std::size_t q = 0; q < searched.size(); ++q) {
    const auto ends = found.hit_ends[q];
    std::vector<Hit> hits = occurrences(segments, index.text().segments, searched[q], false);
    require(counts[q].forward == hits.size(), "count of the forward strand");
    if (both) {
      const auto more =
          occurrences(segments, index.text().segments, reverse_complement(searched[q]), true);
      require(counts[q].reverse == more.size(), "count of the reverse strand");
      hits.insert(hits.end(), more.begin(), more.end());
    }
    std::sort(hits.begin(), hits.end());
    if (hits.size() <= most_hits) {
      require(std::equal(hits.begin(), hits.end(), found.hits.begin() + static_cast<long>(begin),
                         found.hits.begin() + static_cast<long>(ends)),
              "the hits");
    }
    begin = ends;
  }
}

void examine(const Index& index) {
  std::uint64_t symbols = 0;
  for (const RecordInfo& info : index.records().infos)
    symbols += info.length;
  const bool approved = symbols <= most_symbols && is_approved(index);
  ++statistics.opened;
  statistics.approved += approved;
  try {
    search(index, approved);
  } catch (const CorruptIndexError&) {
    require(!approved, "an index that verify approves can be searched");
  }
  try {
    find_matches(index, approved);
  } catch (const CorruptIndexError&) {
    require(!approved, "matches can be found in an index that verify approves");
  }
}

/// Looks up some of every record.
void look_up(const std::string& path) {
  constexpr std::uint64_t most = 1000;
  const IndexLookup index = IndexLookup::open(path, 1);
  for (std::uint64_t r = 0; r < std::min(index.size(), most); ++r) {
    const std::uint64_t length = index.length(r), begin = length / 3;
    std::string symbols(index.comment(r));
    index.read(r, begin, std::min(length, begin + most), true, symbols);
    std::vector<std::uint64_t> found;
    const FileLookup& file = *index.files()[0];
    if (file.has_name_table()) file.find(index.name(r), 0, found);
    for (const std::uint64_t record : found)
      require(index.name(record) == index.name(r), "the name of a record that was found");
  }
}

std::vector<std::string> make_indexes() {
  const TextOptions dna, masked{SymbolPolicy::dna, AmbiguousPolicy::split, SoftMaskPolicy::split};
  const TextOptions protein{SymbolPolicy::protein}, bytes{SymbolPolicy::bytes};
  BuildOptions dense, sparse;
  dense.sample_rate = 1;
  sparse.sample_rate = 5;
  const std::string genome = fixed_symbols(700, 7, "ACGT");
  return {
      index_of(
          {{"chr1", "first", "ACGTACGTNNACGTTTGGGArYacgt"}, {"", "", ""}, {"x", "", "GATTACA"}},
          masked, {}),
      index_of({{"r", "", genome}}, dna, {}),
      index_of({{"r", "", genome}, {"s", "", genome.substr(100, 300)}}, dna, sparse),
      index_of({{"a", "", "A"}, {"a", "", "A"}, {"c", "", "C"}}, dna, dense),
      index_of({{"p", "", "MKVLAAGIVGMKVMKWVTF"}, {"q", "x y", "KKKMKV"}}, protein, {}),
      index_of({{"b", "", "What a day this is,and so on"}, {"c", "", "ACG"}}, bytes, sparse),
  };
}

/// One change of the content of a section.
struct Edit {
  std::uint8_t section;
  std::uint8_t kind;  ///< bits 0-1: width; 2-3: set, add, exclusive or
  std::uint16_t place;
  std::array<std::uint8_t, 8> value;
};
static_assert(sizeof(Edit) == 12);

void apply(const Edit& edit, testing::IndexFile& file) {
  const SectionEntry entry = file.entry(edit.section % file.header().sections);
  const std::size_t width = std::size_t{1} << (edit.kind & 3);
  if (entry.bytes < width) return;
  // Most numbers are aligned. The tail of a long section is as likely as the rest.
  const std::size_t places = entry.bytes / width;
  const std::size_t at = entry.offset + edit.place % places * width;
  std::uint64_t old = 0, value = 0;
  std::memcpy(&old, file.bytes.data() + at, width);
  std::memcpy(&value, edit.value.data(), sizeof value);
  const int operation = edit.kind >> 2 & 3;
  value = operation == 1 ? old + value : operation == 2 ? old ^ value : value;
  std::memcpy(file.bytes.data() + at, &value, width);
}

std::string edited_index(std::string_view input) {
  static const std::vector<std::string> indexes = make_indexes();
  if (input.empty()) return indexes[0];
  testing::IndexFile file(indexes[static_cast<unsigned char>(input[0]) % indexes.size()]);
  input.remove_prefix(1);
  for (; input.size() >= sizeof(Edit); input.remove_prefix(sizeof(Edit))) {
    Edit edit;
    std::memcpy(&edit, input.data(), sizeof edit);
    apply(edit, file);
  }
  file.seal();
  return std::move(file.bytes);
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> made;
  const std::vector<std::string> indexes = make_indexes();
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    for (const char flags : {'\0', '\1', '\3'})
      made.push_back(flags + indexes[i]);
    for (char section = 0; section < 26; ++section) {
      made.push_back(std::string("\4") + static_cast<char>(i) + section +
                     std::string(sizeof(Edit) - 1, '\2'));
    }
  }
  return made;
}

std::vector<std::string> tokens() {
  return {std::string(64, '\0'), std::string(8, '\0'), std::string(8, '\xFF'), "GSXINDEX"};
}

}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool edits = (data[0] & 4) != 0;
  testing::IndexFile file(edits ? fuzzing::edited_index(input) : std::string(input));
  if (!edits && file.bytes.size() >= sizeof(IndexHeader)) {
    if ((data[0] & 2) != 0) fuzzing::repair_table(file);
    if ((data[0] & 1) != 0) file.seal();
  }
  const fuzzing::MemoryFile on_disk(file.bytes);
  try {
    fuzzing::look_up(on_disk.path());
  } catch (const ForeignIndexError&) {
  } catch (const CorruptIndexError&) {
  }
  try {
    fuzzing::examine(Index::open(on_disk.path(), Load::map, 1));
  } catch (const ForeignIndexError&) {
  } catch (const CorruptIndexError&) {
  }
  return 0;
}

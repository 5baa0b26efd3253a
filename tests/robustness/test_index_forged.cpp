// Index files that were changed and then given right checksums, as no accident does. Opening
// refuses them, or all that trusts them comes to no harm; and if verify --full approves one, its
// answers are those of the original.
#include <sys/resource.h>

#include "device/registry.hpp"
#include "index/store/verify.hpp"
#include "index/store/verify_lookup.hpp"
#include "run/patterns.hpp"
#include "support/index_file.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"
#include "text/record_checksum.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string build(const std::string& fasta, Arguments more = {}) {
  static const TemporaryFolder folder;
  more.insert(more.begin(), {"index", "-q", "-", "-o", folder / "built.gsx"});
  CHECK(run(more, {.input = fasta}).exit_code == 0);
  return folder.read("built.gsx");
}

std::string dna_index() {
  Random random(4);
  return build(">chr1 first\nACGTACGTNNACGTTTGGGArYacgt\n>empty\n>chr2\n" +
                   random_string(random, 300, "ACGT") + "\n",
               {"--soft-mask", "split"});
}
std::string protein_index() {
  return build(">p1\nMKVLAAGIVGMKV\n>p2 x\nMKWVTFKKKK\n", {"--sa-rate", "3"});
}

/// The results of a search for some patterns, in a form that can be compared.
std::vector<Hit> search(const Index& index) {
  RecordBatch queries;
  for (const char* query : {"A", "K", "AC", "GT", "MKV", "TTT", "ACGTACG", "NN"}) {
    queries.begin_record(query, "");
    queries.append(query);
  }
  PatternBuffer patterns;
  patterns.encode(queries, index.alphabet());
  const auto backend = make_cpu_backend();
  Hits hits;
  backend->open<ExactSearch>({index, 1})->locate(patterns.patterns(), Strands::both, 1000, hits);
  return hits.hits;
}

struct Tally {
  int refused = 0;   ///< when opened
  int noticed = 0;   ///< by verify --full
  int searched = 0;  ///< without harm
  int approved = 0;  ///< and answered correctly
};

/// Opens the file, verifies it, searches it.
void judge(const std::string& bytes, const std::vector<Hit>& truth, Tally& tally) {
  static const TemporaryFolder folder;
  std::filesystem::remove(folder / "forged.gsx");
  const std::string path = folder.write("forged.gsx", bytes);
  try {
    const Index index = Index::open(path, Load::map, 1);
    bool approved = true;
    try {
      verify_page_sums(index, 1);
      verify_name_table(index, 1);
      verify_records(index, 1, {});
      verify_bwt(index, 1, {});
      verify_kmers(index, 1, {});
    } catch (const CorruptIndexError&) {
      approved = false;
      ++tally.noticed;
    }
    try {
      const std::vector<Hit> hits = search(index);
      ++tally.searched;
      if (approved && hits != truth) FAIL_CHECK("verify approves of a lie");
      tally.approved += approved;
    } catch (const CorruptIndexError&) {
      if (approved) FAIL_CHECK("verify approves of what cannot be searched");
    }
  } catch (const CorruptIndexError&) {
    ++tally.refused;
  } catch (const ForeignIndexError&) {
    ++tally.refused;
  }
}

std::vector<Hit> truth_of(const std::string& bytes) {
  const TemporaryFolder folder;
  return search(Index::open(folder.write("true.gsx", bytes), Load::map, 1));
}

void show(const std::string& what, const Tally& tally) {
  MESSAGE(what << ": " << tally.refused << " refused, " << tally.noticed
               << " noticed by verify --full, " << tally.searched << " searched without harm, "
               << tally.approved << " right");
}

}  // namespace

TEST_CASE("any byte changed under right checksums") {
  Tally tally;
  for (const std::string& whole : {dna_index(), protein_index()}) {
    const std::vector<Hit> truth = truth_of(whole);
    Random random(9);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      CAPTURE(at);
      for (const int mask : {0xFF, 1 << below(random, 8)}) {
        IndexFile file(whole);
        file.set(at, static_cast<std::uint8_t>(file.get<std::uint8_t>(at) ^ mask));
        file.seal();
        judge(file.bytes, truth, tally);
      }
    }
  }
  CHECK(tally.refused > 1000);
  CHECK(tally.noticed > 100);
  show("bytes changed", tally);
}

TEST_CASE("truncated, with a header that says so") {
  Tally tally;
  for (const std::string& whole : {dna_index(), protein_index()}) {
    for (std::size_t length = sizeof(IndexHeader); length < whole.size(); ++length) {
      IndexFile file(whole.substr(0, length));
      file.change_header([&](IndexHeader& header) { header.file_bytes = length; });
      file.seal();
      judge(file.bytes, {}, tally);
    }
  }
  CHECK(tally.searched == 0);
  CHECK(tally.noticed == 0);
  show("truncations", tally);
}

TEST_CASE("sections of two indexes put together, table and checksums made right") {
  Random random(11);
  const std::string one = build(">a x\n" + random_string(random, 400, "ACGT") + "\n");
  const std::string two = build(">b y\n" + random_string(random, 400, "ACGT") + "\n");
  const std::string three =
      build(">c\n" + random_string(random, 390, "ACGT") + "NNNNN\n>d\nACGTA\n");
  const std::vector<Hit> truth = truth_of(one);
  Tally tally;
  for (const std::string& other : {two, three}) {
    const IndexFile from(other);
    const std::size_t sections = IndexFile(one).header().sections;
    const auto join = [&](const std::function<bool(std::size_t)>& is_other) {
      IndexFile file(one.substr(0, IndexFile(one).header().header_bytes));
      for (std::size_t s = 0; s < sections; ++s) {
        const IndexFile& source = is_other(s) ? from : IndexFile(one);
        SectionEntry entry = source.entry(s);
        const std::string content = source.bytes.substr(entry.offset, entry.padded_bytes());
        entry.offset = file.bytes.size();
        file.set(file.entry_at(s), entry);
        file.bytes += content;
      }
      file.change_header([&](IndexHeader& header) { header.file_bytes = file.bytes.size(); });
      file.seal();
      return file.bytes;
    };
    REQUIRE(join([](std::size_t) { return false; }) == one);
    for (std::size_t s = 0; s < sections; ++s) {
      CAPTURE(IndexFile(one).entry(s).name);
      // Only the records know the headers, and where segments lie in a record.
      judge(join([s](std::size_t i) { return i == s; }), truth, tally);
      // Behind the samples, no section changes what a search finds.
      judge(join([s](std::size_t i) { return i < s; }),
            truth_of(s > IndexFile(one).find("samples") ? other : one), tally);
    }
    for (int i = 0; i < 200; ++i) {
      // Section 'meta' is that of the other index, and so is the truth.
      const std::uint64_t from_other = random() | 1;
      judge(join([&](std::size_t s) { return (from_other >> s & 1) != 0; }), truth_of(other),
            tally);
    }
  }
  CHECK(tally.refused > 50);
  CHECK(tally.noticed > 50);
  show("joined", tally);
}

TEST_CASE("sections that occur twice, are reordered, overlap, or leave gaps") {
  Tally tally;
  const std::string whole = dna_index();
  const IndexFile original(whole);
  const std::size_t sections = original.header().sections;
  const auto change = [&](std::size_t s, const std::function<void(SectionEntry&)>& edit) {
    IndexFile file(whole);
    file.change_entry(s, edit);
    file.seal();
    if (file.bytes == whole) return;
    judge(file.bytes, {}, tally);
  };
  for (std::size_t s = 0; s < sections; ++s) {
    for (std::size_t t = 0; t < sections; ++t) {
      if (s == t) continue;
      const SectionEntry other = original.entry(t);
      change(s, [&](SectionEntry& entry) { entry = other; });  // two sections with the same bytes
      change(s,
             [&](SectionEntry& entry) { std::memcpy(entry.name, other.name, sizeof entry.name); });
      change(s, [&](SectionEntry& entry) { entry.offset = other.offset; });
      change(s, [&](SectionEntry& entry) { entry.bytes = other.bytes; });
      change(s,
             [&](SectionEntry& entry) { entry.bytes = other.offset + other.bytes - entry.offset; });
    }
  }
  for (std::size_t s = 0; s < sections; ++s) {  // a gap that belongs to no section
    IndexFile file(whole);
    const std::size_t at = original.entry(s).offset;
    file.bytes.insert(at, 64, '\0');
    for (std::size_t t = s; t < sections; ++t)
      file.change_entry(t, [](SectionEntry& entry) { entry.offset += 64; });
    file.change_header([](IndexHeader& header) { header.file_bytes += 64; });
    file.seal();
    judge(file.bytes, {}, tally);
  }
  CHECK(tally.searched == 0);
  show("tables", tally);
}

TEST_CASE("names, symbols and runs that could harm an output are refused") {
  const std::string whole = dna_index();
  Tally tally;
  const auto refuse = [&](const std::function<void(IndexFile&)>& edit) {
    IndexFile file(whole);
    edit(file);
    file.seal();
    const int before = tally.refused;
    judge(file.bytes, {}, tally);
    CHECK(tally.refused == before + 1);
  };
  for (const char harmful : {'\n', '\r', '\0'}) {
    refuse([&](IndexFile& file) { file.bytes[file.at("names")] = harmful; });
    refuse([&](IndexFile& file) { file.bytes[file.at("comments")] = harmful; });
  }
  for (const std::uint64_t symbol : {0, 10, 13, 27, 32, 62, 127}) {
    refuse([&](IndexFile& file) {
      const std::size_t at = file.at("gaps");
      Gap gap = file.get<Gap>(at);
      gap.source = symbol;
      file.set(at, gap);
    });
  }
  // Runs that claim more symbols than could exist, or leave some out.
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 47,
        std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    refuse([&](IndexFile& file) {
      const std::size_t at = file.at("gaps");
      Gap gap = file.get<Gap>(at);
      if (gap.length == length) return file.bytes.resize(1);
      gap.length = length;
      file.set(at, gap);
    });
    refuse([&](IndexFile& file) { file.set(file.at("records"), length); });
  }
  refuse([](IndexFile& file) { file.set(file.at("segment_offsets") + 8, std::uint64_t{1}); });
  refuse([](IndexFile& file) { file.set(file.at("gaps") + 8, ~std::uint64_t{0}); });
}

TEST_CASE("impossible sizes are refused in little memory, by every command") {
  const TemporaryFolder folder;
  const std::string whole = dna_index();
  const std::vector<std::uint64_t Meta::*> fields = {&Meta::length, &Meta::segments, &Meta::records,
                                                     &Meta::gaps, &Meta::literals};
  int runs = 0;
  for (const auto field : fields) {
    for (const int power : {20, 31, 32, 40, 47, 58, 61, 63}) {
      IndexFile file(whole);
      file.change_meta([&](Meta& meta) { meta.*field = std::uint64_t{1} << power; });
      file.seal();
      folder.write("huge.gsx", file.bytes);
      for (const char* command : {"count -p A -x", "locate -p A -x", "extract", "info", "verify"}) {
        const std::string limit = sanitized ? "" : "ulimit -v 150000; ";
        const Outcome outcome = run_shell(limit + "exec \"$gsx\" " + command + " huge.gsx -t 1",
                                          {.folder = folder.path(), .timeout_seconds = 20});
        check_failure(outcome, 5, {"huge.gsx", "corrupt"});
        ++runs;
      }
    }
  }
  MESSAGE(runs << " runs");
}

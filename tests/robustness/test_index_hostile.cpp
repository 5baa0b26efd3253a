// Index files with right checksums and wrong numbers, written to do harm.
#include <sys/resource.h>

#include "base/bits.hpp"
#include "base/packed.hpp"
#include "device/registry.hpp"
#include "index/store/verify.hpp"
#include "run/patterns.hpp"
#include "support/index_file.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string build(const TemporaryFolder& folder) {
  const std::string fasta = ">chr1 first\nACGTACGTNNACGTTTGGGArYacgt\n>empty\n>chr2\nGATTACA\n";
  CHECK(run({"index", "-q", "--soft-mask", "split", "-", "-o", folder / "built.gsx"},
            {.input = fasta})
            .exit_code == 0);
  return folder.read("built.gsx");
}

/// Peak memory of this process so far, in bytes.
std::uint64_t peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

using Change = std::function<void(IndexFile&)>;

/// The file with this change, sealed again, is refused without large allocations.
void check_refused(const std::string& whole, const std::string& what, const Change& change) {
  static const TemporaryFolder folder;
  CAPTURE(what);
  IndexFile file(whole);
  change(file);
  file.seal();
  const std::uint64_t before = peak_memory();
  CHECK(verdict_on(folder, file.bytes) == Verdict::corrupt);
  CHECK(peak_memory() - before < std::uint64_t{64} << 20);
}

constexpr std::uint64_t all_ones = ~std::uint64_t{0};
const std::vector<std::uint64_t> hostile_counts = {0,
                                                   1,
                                                   std::uint64_t{1} << 20,
                                                   std::uint64_t{1} << 31,
                                                   std::uint64_t{1} << 32,
                                                   (std::uint64_t{1} << 32) - 1,
                                                   std::uint64_t{1} << 47,
                                                   (std::uint64_t{1} << 48) + 1,
                                                   std::uint64_t{1} << 58,  // times 64 overflows
                                                   std::uint64_t{1} << 59,  // times 32 overflows
                                                   std::uint64_t{1} << 60,
                                                   std::uint64_t{1} << 61,  // times 8 overflows
                                                   std::uint64_t{1} << 62,
                                                   std::uint64_t{1} << 63,
                                                   all_ones - 63,
                                                   all_ones - 1,
                                                   all_ones};

/// An index with a table of 2-mers: 20 bounds of 10 bits.
std::string build_with_kmers(const TemporaryFolder& folder) {
  std::string fasta = ">r\n";
  for (std::uint64_t i = 0, state = 1; i < 900; ++i, state = state * 48271 % 2147483647)
    fasta += "ACGT"[state >> 7 & 3];
  CHECK(run({"index", "-q", "-", "-o", folder / "kmers.gsx"}, {.input = fasta}).exit_code == 0);
  std::string whole = folder.read("kmers.gsx");
  REQUIRE(IndexFile(whole).meta().kmer_length == 2);
  return whole;
}

}  // namespace

TEST_CASE("counts that contradict the size of the file are refused before anything is allocated") {
  const TemporaryFolder folder;
  const std::string whole = build(folder);
  const Meta meta = IndexFile(whole).meta();
  const std::vector<std::pair<std::string, std::uint64_t Meta::*>> fields = {
      {"length", &Meta::length},
      {"segments", &Meta::segments},
      {"records", &Meta::records},
      {"gaps", &Meta::gaps},
      {"literals", &Meta::literals}};
  for (const auto& [name, field] : fields) {
    for (const std::uint64_t value : hostile_counts) {
      if (value == meta.*field) continue;
      check_refused(whole, name + " = " + std::to_string(value), [&](IndexFile& file) {
        file.change_meta([&](Meta& changed) { changed.*field = value; });
      });
    }
  }
  check_refused(whole, "all counts at once", [&](IndexFile& file) {
    file.change_meta([&](Meta& changed) {
      changed.length = changed.segments = changed.records = std::uint64_t{1} << 48;
    });
  });
}

TEST_CASE("an impossible policy, alphabet or sampling rate is refused") {
  const TemporaryFolder folder;
  const std::string whole = build(folder);
  for (const std::uint32_t value : {0u, 2u, 3u, 4u, 255u, 256u, 0xFFFFFFFFu}) {
    check_refused(whole, "policy " + std::to_string(value), [&](IndexFile& file) {
      file.change_meta([&](Meta& meta) { meta.policy = value; });
      // Protein and bytes may have these symbols, but only in order.
      if (value == 2 || value == 3) file.bytes[file.at("symbols")] = 'T';
    });
  }
  for (const std::uint32_t value : {0u, 1u, 3u, 5u, 255u, 256u, 0xFFFFFFFFu}) {
    check_refused(whole, "sigma " + std::to_string(value), [&](IndexFile& file) {
      file.change_meta([&](Meta& meta) { meta.sigma = value; });
    });
  }
  for (const std::uint32_t value : {0u, 1u, 2u}) {
    check_refused(whole, "rate " + std::to_string(value), [&](IndexFile& file) {
      file.change_meta([&](Meta& meta) { meta.sample_rate = value; });
    });
  }
}

TEST_CASE("a k-mer table whose size does not fit the file is refused") {
  const TemporaryFolder folder;
  for (const std::string& whole : {build(folder), build_with_kmers(folder)}) {
    const std::uint32_t k = IndexFile(whole).meta().kmer_length;
    for (const std::uint32_t value : {0u, 1u, 2u, 3u, 12u, 13u, 24u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
      if (value == k) continue;
      check_refused(whole, "k " + std::to_string(value), [&](IndexFile& file) {
        file.change_meta([&](Meta& meta) { meta.kmer_length = value; });
      });
    }
    check_refused(whole, "no table", [](IndexFile& file) {
      file.change_entry(file.find("kmers"), [](SectionEntry& entry) { entry.name[0] = 'x'; });
    });
  }
}

TEST_CASE("a header that lies about the file is refused") {
  const TemporaryFolder folder;
  const std::string whole = build(folder);
  const auto with_header = [&](const std::string& what,
                               const std::function<void(IndexHeader&)>& change) {
    check_refused(whole, what, [&](IndexFile& file) { file.change_header(change); });
  };
  for (const std::uint64_t value : hostile_counts) {
    with_header("file_bytes", [&](IndexHeader& header) { header.file_bytes = value; });
    with_header("sections",
                [&](IndexHeader& header) { header.sections = static_cast<std::uint32_t>(value); });
    if (value > 1) {  // below 64 there is nothing for the tests to seal
      with_header("header_bytes", [&](IndexHeader& header) { header.header_bytes = value; });
    }
  }
  with_header("one section less", [](IndexHeader& header) { --header.sections; });
  with_header("one section more", [](IndexHeader& header) { ++header.sections; });
  check_refused(whole, "no sections at all", [](IndexFile& file) {
    file.bytes.resize(sizeof(IndexHeader));
    file.change_header([](IndexHeader& header) {
      header.sections = 0;
      header.header_bytes = header.file_bytes = sizeof(IndexHeader);
    });
  });
  check_refused(whole, "a table and nothing else", [](IndexFile& file) {
    file.bytes.resize(file.header().header_bytes);
    file.change_header([](IndexHeader& header) { header.file_bytes = header.header_bytes; });
  });
}

TEST_CASE("sections that overlap, leave the file, or have wrong names are refused") {
  const TemporaryFolder folder;
  const std::string whole = build(folder);
  const std::size_t sections = IndexFile(whole).header().sections;
  for (std::size_t s = 0; s < sections; ++s) {
    const auto with_entry = [&](const std::string& what,
                                const std::function<void(SectionEntry&)>& change) {
      check_refused(whole, what + " of section " + std::to_string(s),
                    [&](IndexFile& file) { file.change_entry(s, change); });
    };
    const SectionEntry entry = IndexFile(whole).entry(s);
    for (const std::uint64_t value : hostile_counts) {
      if (value != entry.offset) {
        with_entry("offset", [&](SectionEntry& changed) { changed.offset = value; });
      }
      if (value != entry.bytes) {
        with_entry("bytes", [&](SectionEntry& changed) { changed.bytes = value; });
      }
    }
    with_entry("offset, one early", [](SectionEntry& changed) { --changed.offset; });
    with_entry("offset, one block late", [](SectionEntry& changed) { changed.offset += 64; });
    with_entry("empty name", [](SectionEntry& changed) { changed.name[0] = 0; });
    with_entry("endless name",
               [](SectionEntry& changed) { std::memset(changed.name, 'x', sizeof changed.name); });
    if (s > 0) {
      with_entry("overlap with the one before", [&](SectionEntry& changed) {
        changed.offset = IndexFile(whole).entry(s - 1).offset;
      });
      check_refused(whole, "swapped entries at " + std::to_string(s), [&](IndexFile& file) {
        const SectionEntry before = file.entry(s - 1);
        file.set(file.entry_at(s - 1), file.entry(s));
        file.set(file.entry_at(s), before);
      });
    }
  }
}

TEST_CASE("tables out of order or out of range are refused") {
  const TemporaryFolder folder;
  const std::string whole = build(folder);
  const Meta meta = IndexFile(whole).meta();
  for (const char* name : {"name_ends", "comment_ends", "segment_starts", "segment_records"}) {
    const SectionEntry entry = IndexFile(whole).entry(IndexFile(whole).find(name));
    for (std::size_t at = 0; at < entry.bytes; at += 8) {
      for (const std::uint64_t value :
           {all_ones, std::uint64_t{1} << 63, std::uint64_t{1} << 40, meta.length + 1}) {
        check_refused(whole, std::string(name) + " at " + std::to_string(at),
                      [&](IndexFile& file) { file.set(entry.offset + at, value); });
      }
    }
  }
  check_refused(whole, "segment_starts not at 0",
                [](IndexFile& file) { file.set(file.at("segment_starts"), std::uint64_t{1}); });
  check_refused(whole, "an empty segment",
                [](IndexFile& file) { file.set(file.at("segment_starts") + 8, std::uint64_t{0}); });
  for (std::size_t record = 0; record < meta.records; ++record) {
    const auto with_info = [&](const std::string& what,
                               const std::function<void(RecordInfo&)>& change) {
      check_refused(whole, what, [&](IndexFile& file) {
        const std::size_t at = file.at("records") + record * sizeof(RecordInfo);
        RecordInfo info = file.get<RecordInfo>(at);
        change(info);
        file.set(at, info);
      });
    };
    with_info("first_segment", [&](RecordInfo& info) { info.first_segment = meta.segments + 1; });
    with_info("first_segment", [](RecordInfo& info) { info.first_segment = all_ones; });
    with_info("first_gap", [&](RecordInfo& info) { info.first_gap = meta.gaps + 1; });
    with_info("first_gap", [](RecordInfo& info) { info.first_gap = all_ones; });
  }
  for (std::size_t gap = 0; gap < meta.gaps; ++gap) {
    check_refused(whole, "literals out of range", [&](IndexFile& file) {
      const std::size_t at = file.at("gaps") + gap * sizeof(Gap);
      Gap changed = file.get<Gap>(at);
      changed.source = Gap::literal_base + meta.literals;
      file.set(at, changed);
    });
  }
}

TEST_CASE("contents that mislead searches end as a corrupt index, never in a crash or a hang") {
  const TemporaryFolder folder;
  const std::string whole = build(folder);
  const auto locate = [&](const std::string& bytes) {
    folder.write("astray.gsx", bytes);
    return run({"locate", "-q", "-x", folder / "astray.gsx", "-p", "A", "-p", "GATT", "-p", "CG"},
               {.timeout_seconds = 20});
  };
  std::uint64_t refused = 0;
  for (const char* name :
       {"samples", "level0_blocks", "level0_superblocks", "separator_segments"}) {
    const SectionEntry entry = IndexFile(whole).entry(IndexFile(whole).find(name));
    for (std::size_t at = 0; at < entry.bytes; at += 3) {
      CAPTURE(name);
      CAPTURE(at);
      IndexFile file(whole);
      file.set(entry.offset + at, static_cast<std::uint8_t>(0xFF));
      file.seal();
      const Outcome outcome = locate(file.bytes);
      CHECK_FALSE(outcome.timed_out);
      CHECK((outcome.exit_code == 0 || outcome.exit_code == 5));
      refused += outcome.exit_code == 5;
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("samples that put long hits beyond the end of the text harm no coverage") {
  const TemporaryFolder folder;
  Random random(5);
  const std::string word = random_string(random, 2000, "ACGT");
  std::string fasta;
  for (int copy = 0; copy < 300; ++copy)
    fasta += ">c" + std::to_string(copy) + "\n" + word + "\n";
  folder.write("c.fa", fasta);
  folder.write("q.fa", ">q\n" + word.substr(100) + "\n");
  const RunOptions here{.folder = folder.path()};
  REQUIRE(run({"index", "-q", "c.fa"}, here).exit_code == 0);
  IndexFile file(folder.read("c.gsx"));
  const SectionEntry samples = file.entry(file.find("samples"));
  // Every sample is near the end, but further from it than any walk to a sample takes.
  const std::uint32_t bits = bits_for(300 * 2001);
  const std::uint64_t position = 300 * 2001 - 500;
  PackedArray forged(samples.bytes * 8 / bits, bits, "samples");
  PackedWriter writer = forged.writer(0);
  for (std::uint64_t i = 0; i < forged.size(); ++i)
    writer.push(position);
  writer.finish();
  for (std::size_t at = 0; at < forged.bytes().size() && at < samples.bytes; ++at)
    file.set(samples.offset + at, forged.bytes()[at]);
  file.seal();
  folder.write("f.gsx", file.bytes);
  for (const Arguments& coverage :
       {Arguments{"--bedgraph", "-o", "out"}, Arguments{"--bigwig", "out"}}) {
    CAPTURE(coverage[0]);
    Arguments locate = {"locate", "-q", "-t", "1", "-x", "f.gsx", "q.fa"};
    locate.insert(locate.end(), coverage.begin(), coverage.end());
    const Outcome outcome = run(locate, here);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 5);
    CHECK_FALSE(folder.has("out"));
  }
}

TEST_CASE("the same for several superblocks and levels, whatever they hold") {
  const TemporaryFolder folder;
  Random random(77);
  const auto backend = make_cpu_backend();
  RecordBatch queries;
  for (const char* query : {"A", "K", "AC", "CA", "TTT"}) {
    queries.begin_record(query, "");
    queries.append(query);
  }
  for (const std::string& symbols : {std::string("ACGT"), std::string("ACDEFGHIKLMNPQRSTVWY")}) {
    std::string fasta;
    for (int r = 0; r < 700; ++r)  // separators in most rank blocks
      fasta += ">r\n" + random_string(random, 80, symbols) + '\n';
    REQUIRE(run({"index", "-q", "-", "-o", folder / "built.gsx"}, {.input = fasta}).exit_code == 0);
    const IndexFile whole(folder.read("built.gsx"));
    std::uint64_t refused = 0, found = 0;
    for (int i = 0; i < 120; ++i) {
      IndexFile file = whole;
      const std::size_t section = 3 + below(random, file.header().sections - 3);
      const SectionEntry entry = file.entry(section);
      if (entry.bytes < 8) continue;
      const std::uint64_t at = below(random, entry.bytes / 8) * 8;
      file.set(entry.offset + at, i % 2 == 0 ? random() : random() % 100000);
      file.seal();
      CAPTURE(entry.name);
      CAPTURE(at);
      try {
        const Index index = Index::open(folder.write("astray.gsx", file.bytes), Load::map, 2);
        try {
          verify_bwt(index, 2, {});
        } catch (const CorruptIndexError&) {
          ++found;
        }
        PatternBuffer patterns;
        patterns.encode(queries, index.alphabet());
        Hits hits;
        backend->open<ExactSearch>({index, 1})
            ->locate(patterns.patterns(), Strands::both, 500, hits);
      } catch (const CorruptIndexError&) {
        ++refused;
      }
    }
    CHECK(refused > 0);
    CHECK(found > 0);
  }
}

TEST_CASE("a wrong k-mer table misleads no search beyond the index, and verify --full finds it") {
  const TemporaryFolder folder;
  const std::string whole = build_with_kmers(folder);
  const SectionEntry entry = IndexFile(whole).entry(IndexFile(whole).find("kmers"));
  std::uint64_t refused = 0;
  for (std::size_t at = 0; at + PackedView::slack < entry.bytes; ++at) {
    for (const int value : {0x00, 0x2A, 0xFF}) {
      CAPTURE(at);
      CAPTURE(value);
      IndexFile file(whole);
      file.set(entry.offset + at, static_cast<std::uint8_t>(value));
      if (file.bytes == whole) continue;
      file.seal();
      const std::string path = folder.write("lies.gsx", file.bytes);
      for (const char* command : {"count", "locate"}) {
        Arguments arguments = {command, "-q", "-x", path};
        for (const char first : std::string("ACGT")) {  // all 2-mers, and longer patterns
          for (const char second : std::string("ACGT")) {
            const std::string word = {first, second};
            arguments.insert(arguments.end(), {"-p", word, "-p", "GC" + word});
          }
        }
        const Outcome outcome = run(arguments, {.timeout_seconds = 20});
        CHECK_FALSE(outcome.timed_out);
        CHECK((outcome.exit_code == 0 || outcome.exit_code == 5));
        refused += outcome.exit_code == 5;
      }
      check_failure(run({"verify", "--full", path}), 5, {"lies.gsx", "corrupt", "k-mer table"});
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("a k-mer table of zeros or ones does no harm") {
  const TemporaryFolder folder;
  const std::string whole = build_with_kmers(folder);
  const SectionEntry entry = IndexFile(whole).entry(IndexFile(whole).find("kmers"));
  for (const char value : {'\0', '\xFF'}) {
    IndexFile file(whole);
    // Zeros must follow the bounds.
    const std::uint64_t bounds = entry.bytes - PackedView::slack - 1;
    file.bytes.replace(entry.offset, bounds, bounds, value);
    file.seal();
    const std::string path = folder.write("all.gsx", file.bytes);
    const Outcome outcome = run({"locate", "-q", "-x", path, "-p", "ACGT", "-p", "CA"});
    // An interval from 0 to 0 has no hits; one beyond the rows is empty or noticed.
    CHECK((outcome.exit_code == 0 || outcome.exit_code == 5));
    check_failure(run({"verify", "--full", path}), 5, {"all.gsx", "k-mer table"});
  }
}

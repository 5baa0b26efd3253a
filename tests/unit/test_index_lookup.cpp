// Look-ups in an index: what they give, what they read for it, and what they refuse.
#include "index/lookup/index_lookup.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <map>
#include <thread>

#include "gsx/index.hpp"
#include "index/store/index_changed.hpp"
#include "index/store/name_table.hpp"
#include "index/store/shard_manifest.hpp"
#include "support/index_file.hpp"
#include "support/texts.hpp"
#include "text/extract.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Named {
  std::string name, symbols;
};

Text text_of(const std::vector<Named>& records, SymbolPolicy policy, SoftMaskPolicy soft_mask) {
  std::vector<Sequence> sequences;
  for (const Named& record : records)
    sequences.push_back({record.name, record.symbols, record.name.size() % 3 == 0 ? "" : "so on"});
  ReadTextOptions options;
  options.text.alphabet = policy;
  options.text.soft_mask = soft_mask;
  return gsx::make_text(sequences, options);
}

std::string index_of(const TemporaryFolder& folder, const std::vector<Named>& records,
                     SymbolPolicy policy = SymbolPolicy::dna,
                     SoftMaskPolicy soft_mask = SoftMaskPolicy::fold, bool md5 = false) {
  const std::string path = folder / "g.gsx";
  std::filesystem::remove(path);
  build_index(text_of(records, policy, soft_mask), {.device = "cpu", .md5 = md5}).save(path);
  return path;
}

/// Records of runs of symbols of several kinds; some names twice, one record empty.
std::vector<Named> random_records(Random& random, int count, std::uint64_t most,
                                  const std::vector<std::string>& kinds) {
  std::vector<Named> records;
  for (int r = 0; r < count; ++r) {
    Named record{"r" + std::to_string(r % 7 == 3 ? r - 1 : r), ""};
    while (r != 2 && record.symbols.size() < most)
      record.symbols +=
          random_string(random, 1 + below(random, most / 3), kinds[below(random, kinds.size())]);
    records.push_back(record);
  }
  return records;
}

/// Symbols of a record as the whole index gives them.
std::string symbols_of(const Index& index, std::uint64_t record, std::uint64_t begin,
                       std::uint64_t end, bool keep_case) {
  std::string symbols;
  extract(index.text(), index.records(), index.alphabet(), record, begin, end, symbols);
  if (keep_case && index.letter_case().kept)
    restore_case(index.letter_case(), record, begin, symbols.data(), symbols.size());
  else if (keep_case)
    lower_masked_bases(index.records(), record, begin, symbols.data(), symbols.size());
  return symbols;
}

std::vector<std::uint64_t> records_named(const IndexLookup& lookup, std::string_view name) {
  std::vector<std::uint64_t> found;
  std::uint64_t before = 0;
  for (const auto& file : lookup.files()) {
    file->find(name, before, found);
    before += file->size();
  }
  return found;
}

/// Compares look-ups with the whole index, before or after all of it is checked.
void check_same(const IndexLookup& lookup, const Index& index, Random& random) {
  const RecordsView& records = index.records();
  REQUIRE(lookup.size() == records.size());
  CHECK(lookup.file_bytes() == index.file_bytes());
  CHECK(lookup.meta().length == index.meta().length);
  CHECK(lookup.meta().counts.total() == index.meta().counts.total());
  CHECK(lookup.alphabet().symbols() == index.alphabet().symbols());
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    CHECK(lookup.name(r) == records.name(r));
    CHECK(lookup.comment(r) == records.comment(r));
    const std::uint64_t length = records.infos[r].length;
    REQUIRE(lookup.length(r) == length);
    for (int i = 0; i < 12; ++i) {
      const std::uint64_t begin = i == 0 ? 0 : below(random, length + 1);
      const std::uint64_t end = i == 0 ? length : begin + below(random, length - begin + 1);
      const bool keep_case = i % 2 == 0;
      std::string symbols = "before";
      lookup.read(r, begin, end, keep_case, symbols);
      CHECK(symbols == "before" + symbols_of(index, r, begin, end, keep_case));
    }
  }
}

/// What a look-up of everything gives of an index.
std::string all_of(const std::string& path) {
  const IndexLookup lookup = IndexLookup::open(path, 1);
  std::string all = std::to_string(lookup.meta().length);
  for (std::uint64_t r = 0; r < lookup.size(); ++r) {
    all += lookup.name(r);
    all += lookup.comment(r);
    lookup.read(r, 0, lookup.length(r), true, all);
    for (const std::uint64_t same : records_named(lookup, lookup.name(r)))
      all += std::to_string(same);
  }
  return all;
}

/// Changes a byte of a file, and changes it back.
class Flip {
 public:
  Flip(const std::string& path, const std::string& bytes, std::size_t at)
      : file_(path, std::ios::in | std::ios::out | std::ios::binary), at_(at), byte_(bytes[at]) {
    put(static_cast<char>(byte_ ^ 0x10));
  }
  ~Flip() { put(byte_); }

 private:
  void put(char byte) { file_.seekp(static_cast<std::streamoff>(at_)).write(&byte, 1).flush(); }

  std::fstream file_;
  std::size_t at_;
  char byte_;
};

}  // namespace

TEST_CASE("look-ups give what the whole index gives, for every kind of text") {
  const TemporaryFolder folder;
  Random random(101);
  const std::vector<std::string> dna = {"ACGT", "acgt", "N", "RYK", "ACGTacgtNn", "-"};
  const std::vector<std::string> letters = {"MKVLAAG", "mkvw", "ACDEFGHIKLMNPQRSTVWY*"};
  for (const SymbolPolicy policy :
       {SymbolPolicy::dna, SymbolPolicy::protein, SymbolPolicy::bytes}) {
    for (const SoftMaskPolicy soft_mask :
         {SoftMaskPolicy::fold, SoftMaskPolicy::keep, SoftMaskPolicy::split}) {
      if (soft_mask == SoftMaskPolicy::split && policy != SymbolPolicy::dna) continue;
      if (soft_mask == SoftMaskPolicy::keep && policy == SymbolPolicy::bytes) continue;
      const auto records =
          random_records(random, 20, 90, policy == SymbolPolicy::dna ? dna : letters);
      const std::string path = index_of(folder, records, policy, soft_mask, true);
      const Index index = Index::open(path);
      IndexLookup lookup = IndexLookup::open(path, 2);
      check_same(lookup, index, random);
      for (std::uint64_t r = 0; r < lookup.size(); ++r)
        CHECK(lookup.files()[0]->md5(r) == index.md5s()[r]);
      lookup.check_all();
      check_same(lookup, index, random);
      CHECK_NOTHROW(lookup.require_unchanged());
    }
  }
}

TEST_CASE("the table of names finds all records of a name, and none of an absent one") {
  const TemporaryFolder folder;
  std::map<std::uint32_t, std::string> by_hash;
  std::vector<Named> records;
  for (int i = 0; records.size() < 4; ++i) {  // names of one hash
    const std::string name = "c" + std::to_string(i);
    const auto [other, is_new] = by_hash.emplace(name_hash(name), name);
    if (is_new) continue;
    records.push_back({name, "ACGT"});
    records.push_back({other->second, "ACGT"});
  }
  const Named absent = records[1];  // has the hash of one that is there
  records.erase(records.begin() + 1);
  for (const char* name : {"a", "b", "a", "", "a"})
    records.push_back({name, "AC"});
  const IndexLookup lookup = IndexLookup::open(index_of(folder, records), 1);
  REQUIRE(lookup.files()[0]->has_name_table());
  for (const Named& record : records) {
    std::vector<std::uint64_t> expected;
    for (std::uint64_t r = 0; r < records.size(); ++r)
      if (records[r].name == record.name) expected.push_back(r);
    CHECK(records_named(lookup, record.name) == expected);
  }
  for (const std::string& name : {absent.name, std::string("A"), std::string("aa")})
    CHECK(records_named(lookup, name).empty());
}

TEST_CASE("no flipped byte of an index is answered from") {
  const TemporaryFolder folder;
  Random random(7);
  const auto records = random_records(random, 4, 30, {"ACGT", "acgt", "N"});
  const std::string path = index_of(folder, records, SymbolPolicy::dna, SoftMaskPolicy::keep);
  const std::string bytes = read_file(path), right = all_of(path);
  const IndexFile file(bytes);
  const auto is_padding = [&](std::size_t at) {
    return at >= file.at("page_sums") &&
           !(at < file.at("page_sums") + 8 ||
             (at >= file.at("page_sum_sums") && at < file.at("page_sum_sums") + 8));
  };
  REQUIRE(file.entry(file.find("page_sums")).bytes == 8);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const Flip flip(path, bytes, at);
    std::string found;
    try {
      found = all_of(path);
    } catch (const ForeignIndexError&) {
      if (at < index_magic.size()) continue;
    } catch (const CorruptIndexError&) {
      if (at >= index_magic.size()) continue;
    }
    if (is_padding(at) && found == right) continue;
    FAIL_CHECK("a wrong byte at " << at << " passes");
  }
  for (std::size_t length = 0; length < bytes.size(); length += 13) {
    std::filesystem::remove(path);
    write_file(path, bytes.substr(0, length));
    if (length < index_magic.size()) continue;
    CHECK_THROWS_AS(all_of(path), CorruptIndexError);
  }
}

TEST_CASE("a look-up reads the pages that it needs, refuses those that are wrong, and no others") {
  const TemporaryFolder folder;
  Random random(8);
  std::vector<Named> records;
  for (int r = 0; r < 3000; ++r)
    records.push_back({"name" + std::to_string(r), random_string(random, 200, "ACGT")});
  const std::string path = index_of(folder, records), bytes = read_file(path);
  const IndexFile file(bytes);
  const auto answer = [&] {
    const IndexLookup lookup = IndexLookup::open(path, 1);
    const auto found = records_named(lookup, "name1234");
    if (found != std::vector<std::uint64_t>{1234}) return std::string("another record");
    std::string symbols(lookup.comment(1234));
    lookup.read(1234, 50, 150, true, symbols);
    return symbols;
  };
  const std::string right = answer();
  CHECK(right == "so on" + records[1234].symbols.substr(50, 100));
  std::map<std::string, int> refused, answered;
  for (std::size_t at = 64; at < bytes.size(); at += 997) {
    std::string section;
    for (std::size_t s = 0; s < file.header().sections; ++s)
      if (file.entry(s).offset <= at) section = file.entry(s).name;
    const Flip flip(path, bytes, at);
    try {
      if (answer() != right) FAIL_CHECK("a wrong answer with a wrong byte in " << section);
      ++answered[section];
    } catch (const CorruptIndexError& error) {
      ++refused[section];
    }
  }
  for (const std::string section : {"records", "names", "name_ends", "text", "name_hashes"}) {
    CAPTURE(section);
    CHECK(refused[section] > 0);
  }
  for (const std::string section : {"text", "samples", "level0_blocks"}) {
    CAPTURE(section);
    CHECK(answered[section] > 0);
  }
  CHECK(refused["level0_blocks"] == 0);
  CHECK(answered["page_sums"] == 0);

  // The section that is wrong is named, of those in the page.
  const Flip flip(path, bytes, file.at("text") + 1234 * 201 / 4 + 20);
  CHECK_THROWS_WITH_AS(answer(), doctest::Contains("section 'text' does not match its checksum"),
                       CorruptIndexError);
}

TEST_CASE("a wrong sum of a page under right checksums is refused by what reads the page") {
  const TemporaryFolder folder;
  const std::string path = index_of(folder, {{"a", "ACGTACGT"}});
  IndexFile file(read_file(path));
  const std::size_t at = file.at("page_sums");
  file.set(at, file.get<std::uint64_t>(at) ^ 1);
  file.seal_but_pages();
  write_file(path, file.bytes);
  CHECK_THROWS_WITH_AS(all_of(path), doctest::Contains("section 'page_sums'"), CorruptIndexError);
  file.set(file.at("page_sum_sums"), page_sums_of(file.span(at, 8)).front());
  file.seal_but_pages();
  write_file(path, file.bytes);
  CHECK_THROWS_WITH_AS(all_of(path), doctest::Contains("wrong sum of page 0"), CorruptIndexError);
}

TEST_CASE("tables that are wrong under right sums do no harm") {
  const TemporaryFolder folder;
  Random random(9);
  const auto records = random_records(random, 6, 40, {"ACGT", "acgt", "N", "RY"});
  for (const SoftMaskPolicy soft_mask : {SoftMaskPolicy::keep, SoftMaskPolicy::split}) {
    const std::string path = index_of(folder, records, SymbolPolicy::dna, soft_mask);
    const IndexFile whole(read_file(path));
    int refused = 0, passed = 0;
    for (const char* name :
         {"records", "name_ends", "comment_ends", "segment_starts", "segment_offsets", "gaps",
          "case_runs", "case_ends", "name_hashes", "name_records", "names"}) {
      if (soft_mask == SoftMaskPolicy::split && std::string(name).starts_with("case")) continue;
      const SectionEntry entry = whole.entry(whole.find(name));
      for (std::size_t at = 0; at < entry.bytes; at += 3) {
        for (const int value : {0x00, 0xFF, 0x0A}) {
          IndexFile file = whole;
          file.set(entry.offset + at, static_cast<std::uint8_t>(value));
          file.seal();
          std::filesystem::remove(path);
          write_file(path, file.bytes);
          try {
            const std::string all = all_of(path);
            ++passed;
            if (all.size() > 100'000) FAIL_CHECK("more symbols than there are");
          } catch (const CorruptIndexError&) {
            ++refused;
          }
        }
      }
    }
    CHECK(refused > 100);
    CHECK(passed > 100);
  }
}

TEST_CASE("an index without sums of pages and names is looked up section by section") {
  Random random(10);
  for (const char* name : {"dna", "masked", "protein"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    const std::string bytes =
        read_file(GSX_SOURCE_DIR "/tests/golden/" + std::string(name) + ".v4.gsx");
    const std::string path = folder.write("g.gsx", bytes);
    const Index index = Index::open(path);
    IndexLookup lookup = IndexLookup::open(path, 2);
    CHECK_FALSE(lookup.files()[0]->has_name_table());
    check_same(lookup, index, random);
    CHECK(lookup.files()[0]->names().names == index.records().names);
    lookup.check_all();
    check_same(lookup, index, random);

    const IndexFile file(bytes);
    const auto symbols = [&] {
      const IndexLookup damaged = IndexLookup::open(path, 1);
      std::string all(damaged.name(0));
      damaged.read(0, 0, damaged.length(0), true, all);
      return all;
    };
    const std::string right = symbols();
    for (const char* section : {"meta", "records", "names", "text", "samples"}) {
      CAPTURE(section);
      const Flip flip(path, bytes, file.at(section));
      if (std::string(section) == "samples") {
        CHECK(symbols() == right);
      } else {
        CHECK_THROWS_AS(symbols(), CorruptIndexError);
      }
    }
  }
}

TEST_CASE("records of shards are looked up in their files") {
  const TemporaryFolder folder;
  Random random(11);
  ShardManifest manifest;
  for (int s = 0; s < 3; ++s) {
    const std::string name = "s" + std::to_string(s) + ".gsx";
    std::filesystem::rename(index_of(folder, random_records(random, 5 + s, 60, {"ACGT", "N"})),
                            folder / name);
    const Index shard = Index::open(folder / name);
    manifest.shards.push_back({name, shard.file_bytes(), shard.checksum_of_header()});
  }
  const std::string path = folder.write("many.gsx", manifest.to_text());
  const Index index = Index::open_shards(path);
  IndexLookup lookup = IndexLookup::open(path, 2);
  CHECK(lookup.is_in_shards());
  check_same(lookup, index, random);
  CHECK(records_named(lookup, "r1") == std::vector<std::uint64_t>{1, 6, 12});
  CHECK(records_named(lookup, "r2") == std::vector<std::uint64_t>{2, 3, 7, 8, 13, 14});
  CHECK(records_named(lookup, "r99").empty());
  lookup.check_all();
  check_same(lookup, index, random);

  ++manifest.shards[1].checksum;
  folder.write("many.gsx", manifest.to_text());
  CHECK_THROWS_WITH_AS(IndexLookup::open(path, 1), doctest::Contains("is not the shard"),
                       CorruptIndexError);
}

TEST_CASE("threads look up records at once") {
  const TemporaryFolder folder;
  Random random(12);
  const auto records = random_records(random, 400, 900, {"ACGT", "N"});
  const IndexLookup lookup = IndexLookup::open(index_of(folder, records), 1);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < records.size(); ++i) {
        const std::uint64_t r = t % 2 == 0 ? i : records.size() - 1 - i;
        std::string symbols;
        lookup.read(r, 0, lookup.length(r), false, symbols);
        wrong += symbols != records[r].symbols || records_named(lookup, lookup.name(r)).empty();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a file that is written to while it is looked up is said to have changed") {
  const TemporaryFolder folder;
  const std::string path = index_of(folder, {{"a", "ACGTACGTTGCA"}});
  const std::string bytes = read_file(path);
  const IndexLookup lookup = IndexLookup::open(path, 1);
  std::string symbols;
  lookup.read(0, 0, 12, false, symbols);
  CHECK(chmod(path.c_str(), 0600) == 0);
  CHECK_NOTHROW(lookup.require_unchanged());
  struct stat before {};
  REQUIRE(stat(path.c_str(), &before) == 0);
  const Flip flip(path, bytes, IndexFile(bytes).at("text"));
  const timespec times[2] = {before.st_atim, before.st_mtim};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  CHECK_THROWS_AS(lookup.require_unchanged(), IndexChangedError);
}

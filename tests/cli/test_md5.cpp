// index --md5 and info --md5: SAM's M5 of each record, stored or computed.
#include "support/index_file.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

// The MD5 sums of the upper-case sequences, by md5sum.
constexpr const char* genome = ">chr1 first\nACGTNNRacgt-\n>empty\n>chr2\nGATTACA\n";
constexpr const char* genome_md5s =
    "target_id\tlength\tmd5\n"
    "chr1\t12\tb468eeaba6f0f638f10a4ee9885ca2c9\n"
    "empty\t0\td41d8cd98f00b204e9800998ecf8427e\n"
    "chr2\t7\t61966c86d7c3bb28fff946c52eefff0b\n";

/// A folder with an index, g.gsx.
struct Indexed {
  TemporaryFolder folder;

  explicit Indexed(const std::string& content, Arguments more = {}) {
    more.insert(more.begin(), {"index", "-q", folder.write("g.fa", content)});
    REQUIRE(run(more).exit_code == 0);
  }
  Outcome operator()(const Arguments& arguments) const {
    return run(arguments, {.folder = folder.path()});
  }
  IndexFile file() const { return IndexFile(folder.read("g.gsx")); }
  /// Checks that verify refuses this file, and why.
  void check_refused(IndexFile forged, const std::vector<std::string>& words) const {
    forged.seal();
    folder.write("forged.gsx", forged.bytes);
    check_failure((*this)({"verify", "-q", "forged.gsx"}), 5, words);
  }
};

}  // namespace

TEST_CASE("info --md5 gives the same stored as computed") {
  for (const Arguments& how :
       {Arguments{}, Arguments{"--md5"}, Arguments{"--soft-mask", "keep"},
        Arguments{"--md5", "--soft-mask", "keep"}, Arguments{"--md5", "--soft-mask", "split"},
        Arguments{"--md5", "--device", "cpu", "-t", "1"}}) {
    const Indexed index(genome, how);
    check_output(index({"info", "--md5", "g.gsx"}), genome_md5s);
    check_output(index({"info", "--md5", "--records", "-t", "1", "g.gsx"}), genome_md5s);
    const bool stored = !how.empty() && how[0] == "--md5";
    CHECK(output_of(index({"info", "g.gsx"}))
              .find(stored ? "\nmd5_stored\tyes\n" : "\nmd5_stored\tno\n") != std::string::npos);
    const std::string json = output_of(index({"info", "--json", "--md5", "g.gsx"}));
    CHECK(json.find(R"({"name":"chr2","length":7,"md5":"61966c86d7c3bb28fff946c52eefff0b"}]})") !=
          std::string::npos);
  }
}

TEST_CASE("MD5s are of upper case, except of bytes") {
  const std::string proteins = ">p\nmkvLAW*\n";
  const Indexed protein(proteins, {"--md5", "--alphabet", "protein"});
  const Indexed bytes(proteins, {"--md5", "--alphabet", "bytes"});
  const std::string head = "target_id\tlength\tmd5\n";
  check_output(protein({"info", "--md5", "g.gsx"}),
               head + "p\t7\t39a74ec64103617ce8dbda2f0b1b1b2c\n");
  check_output(bytes({"info", "--md5", "g.gsx"}),
               head + "p\t7\t6e37acf0ed346b509482b57a7a606031\n");
}

TEST_CASE("U counts as T in the MD5 of DNA, and help says so") {
  for (const Arguments& how : {Arguments{}, Arguments{"--md5"}}) {
    const Indexed index(">r\nACGU\n", how);
    check_output(index({"extract", "-q", "g.gsx"}), ">r\nACGT\n");
    check_output(index({"info", "--md5", "g.gsx"}),
                 "target_id\tlength\tmd5\nr\t4\tf1f8f4bf413b16ad135722aa4591043e\n");
  }
  const Indexed protein(">r\nACGU\n", {"--alphabet", "protein"});  // keeps U
  check_output(protein({"info", "--md5", "g.gsx"}),
               "target_id\tlength\tmd5\nr\t4\tf525fc213c7ed45916b00811165dc3b3\n");
  for (const char* command : {"info", "index"}) {
    CAPTURE(command);
    std::istringstream help(run({"help", "--man", command}).out);
    std::string words;
    for (std::string word; help >> word;)
      words += word + ' ';
    CHECK(words.find("MD5 of a record that held U is not its M5") != std::string::npos);
  }
}

TEST_CASE("index --md5 adds one section and changes no other") {
  const Indexed without(genome), with(genome, {"--md5"});
  const IndexFile plain = without.file(), more = with.file();
  REQUIRE(more.header().sections == plain.header().sections + 1);
  CHECK(more.entry(more.find("md5")).bytes == 3 * 16);
  for (std::size_t s = 0; s < plain.header().sections; ++s) {
    const SectionEntry one = plain.entry(s), two = more.entry(more.find(one.name));
    CAPTURE(one.name);
    if (std::string(one.name).starts_with("page_sum")) continue;  // of all that is before
    CHECK(plain.bytes.substr(one.offset, one.bytes) == more.bytes.substr(two.offset, two.bytes));
  }
  // Both may replace the other: they index the same sequences.
  CHECK(without({"index", "-q", "--md5", "g.fa"}).exit_code == 0);
  CHECK(without.folder.read("g.gsx") == with.folder.read("g.gsx"));
}

TEST_CASE("index --plan counts the MD5s") {
  for (const Arguments& how : {Arguments{}, Arguments{"--md5"}}) {
    const Indexed index(genome, how);
    Arguments plan = {"index", "-q", "--plan", "g.fa"};
    plan.insert(plan.end(), how.begin(), how.end());
    CHECK(output_of(index(plan))
              .find("\ndisk_bytes\t" + std::to_string(index.file().bytes.size()) + "\n") !=
          std::string::npos);
  }
}

TEST_CASE("verify checks the MD5s, and names the first record that differs") {
  const Indexed index(genome, {"--md5"});
  check_output(index({"verify", "-q", "g.gsx"}), "g.gsx\tok\tchecksums,records,md5\n");
  for (int r = 2; r >= 0; --r) {
    IndexFile forged = index.file();
    for (int wrong = 2; wrong >= r; --wrong) {
      const std::size_t at = forged.at("md5") + 16 * wrong + 5;
      forged.bytes[at] = static_cast<char>(forged.bytes[at] ^ 1);
    }
    index.check_refused(forged, {"record " + std::to_string(r + 1), "does not match its MD5"});
  }
  IndexFile shorter = index.file();
  shorter.bytes[shorter.at("md5") + 47] = 0;  // padding now
  shorter.change_entry(shorter.find("md5"), [](SectionEntry& entry) { entry.bytes = 47; });
  index.check_refused(shorter, {"section 'md5' has the wrong size"});
}

TEST_CASE("verify compares every record with its checksum, and names the first that differs") {
  Random random(11);
  const std::uint64_t piece = std::uint64_t{1} << 20;
  const std::string content = ">a\n" + random_string(random, 100, "ACGT") + "\n>long\n" +
                              random_string(random, 2 * piece + 10, "ACGT") + "\n>c\nACGT\n";
  const Indexed index(content, {"--alphabet", "bytes", "--sa-rate", "64"});
  check_output(index({"verify", "-q", "g.gsx"}), "g.gsx\tok\tchecksums,records\n");
  const std::uint64_t symbols[] = {0, 101 + piece, 101 + 2 * piece + 9, 101 + 2 * piece + 11};
  const char* names[] = {"record 1 ('a')", "record 2 ('long')", "record 2 ('long')",
                         "record 3 ('c')"};
  for (std::size_t i = 0; i < std::size(symbols); ++i) {
    CAPTURE(i);
    IndexFile forged = index.file();
    const std::size_t at = forged.at("text") + symbols[i] / 4;  // two bits per symbol
    forged.bytes[at] = static_cast<char>(forged.bytes[at] ^ (0x40 >> 2 * (symbols[i] % 4)));
    for (const char* threads : {"1", "3"}) {
      forged.seal();
      index.folder.write("forged.gsx", forged.bytes);
      check_failure(index({"verify", "-q", "-t", threads, "forged.gsx"}), 5,
                    {names[i], "does not match its checksum"});
    }
  }
  for (std::uint64_t r = 0; r < 3; ++r) {
    IndexFile forged = index.file();
    for (std::uint64_t wrong = r; wrong < 3; ++wrong) {
      const std::size_t at =
          forged.at("records") + wrong * sizeof(RecordInfo) + offsetof(RecordInfo, checksum) + 15;
      forged.bytes[at] = static_cast<char>(forged.bytes[at] ^ 0x80);
    }
    index.check_refused(forged, {"record " + std::to_string(r + 1), "does not match its checksum"});
  }
  // A name has no checksum of its own, but that of its section, and its hash in the table of names;
  // --against compares it.
  const Indexed other(">b" + content.substr(2), {"--alphabet", "bytes", "--sa-rate", "64"});
  index.folder.write("other.gsx", other.file().bytes);
  check_failure(index({"verify", "-q", "--against", "g.fa", "other.gsx"}), 5,
                {"record 1 is 'b' of 100 symbols in the index and 'a' of 100 symbols"});
  IndexFile renamed = index.file();
  renamed.bytes[renamed.at("names")] = 'b';
  renamed.seal();
  index.folder.write("renamed.gsx", renamed.bytes);
  check_failure(index({"verify", "-q", "renamed.gsx"}), 5, {"section 'name_hashes'"});
  renamed.bytes[renamed.at("names")] = 'c';
  index.folder.write("renamed.gsx", renamed.bytes);
  check_failure(index({"verify", "-q", "renamed.gsx"}), 5, {"section 'names'"});
}

// extract and info check what they read of an index, and no more; verify checks all of it.
#include "support/index_file.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// An index of many pages, of 4000 records of 200 bases.
struct Place {
  TemporaryFolder folder;
  std::vector<std::string> symbols;
  IndexFile file{""};

  Place() {
    Random random(61);
    std::string fasta;
    for (int r = 0; r < 4000; ++r) {
      symbols.push_back(random_string(random, 200, "ACGT"));
      fasta += ">r" + std::to_string(r) + "\n" + symbols.back() + '\n';
    }
    folder.write("g.fa", fasta);
    REQUIRE(gsx({"index", "-q", "g.fa"}).exit_code == 0);
    file.bytes = folder.read("g.gsx");
  }
  Outcome gsx(const Arguments& arguments) const {
    return run(arguments, {.folder = folder.path()});
  }
  /// Writes bad.gsx, with a wrong byte in the middle of a section.
  void damage(const std::string& section, std::size_t at) const {
    IndexFile bad = file;
    bad.bytes[bad.at(section) + at] ^= 0x10;
    folder.write("bad.gsx", bad.bytes);
  }
  std::size_t bytes_of(const std::string& section) const {
    return file.entry(file.find(section)).bytes;
  }
};

}  // namespace

TEST_CASE("extract and info answer from an index that is damaged where they do not read") {
  const Place all;
  const std::string record = ">r7:11-20\n" + all.symbols[7].substr(10, 10) + '\n';
  const std::string facts = output_of(all.gsx({"info", "-q", "g.gsx"}));
  for (const std::string section : {"samples", "level0_blocks"}) {
    CAPTURE(section);
    all.damage(section, all.bytes_of(section) / 2);
    check_output(all.gsx({"extract", "-q", "bad.gsx", "r7:11-20"}), record);
    CHECK(output_of(all.gsx({"info", "-q", "bad.gsx"})).substr(4) ==
          "\tbad.gsx" + facts.substr(facts.find('\n')));
    for (const Arguments& command :
         {Arguments{"count", "-p", "ACGT", "-x", "bad.gsx"}, Arguments{"verify", "bad.gsx"}})
      check_failure(all.gsx(command), 5, {"section '" + section + "' does not match its checksum"});
  }
  all.damage("text", all.bytes_of("text") / 2);
  check_output(all.gsx({"extract", "-q", "bad.gsx", "r7:11-20"}), record);
}

TEST_CASE("extract and info refuse an index that is damaged where they read") {
  const Place all;
  const auto refused = [&](const Arguments& command, const std::string& section) {
    CAPTURE(command[0]);
    check_failure(all.gsx(command), 5,
                  {"'bad.gsx' is corrupt", "section '" + section + "' does not match"});
  };
  all.damage("meta", 40);
  refused({"info", "bad.gsx"}, "meta");
  refused({"extract", "bad.gsx", "r7"}, "meta");
  all.damage("text", 7 * 201 / 4 + 10);
  refused({"extract", "bad.gsx", "r7"}, "text");
  refused({"extract", "bad.gsx"}, "text");
  check_output(all.gsx({"extract", "-q", "bad.gsx", "r3999:1-3"}),
               ">r3999:1-3\n" + all.symbols[3999].substr(0, 3) + '\n');
  for (const std::string section : {"names", "records"}) {
    all.damage(section, all.bytes_of(section) - 3);
    refused({"extract", "bad.gsx", "r3999"}, section);
    refused({"extract", "bad.gsx"}, section);
    refused({"info", "--records", "bad.gsx"}, section);
    refused({"info", "--json", "bad.gsx"}, section);
  }
  all.damage("name_hashes", 0);
  CHECK(all.gsx({"extract", "-q", "bad.gsx"}).exit_code == 0);
  all.damage("page_sums", 0);
  refused({"info", "bad.gsx"}, "page_sums");
}

TEST_CASE("verify compares the sums of pages and the table of names with the rest") {
  const Place all;
  check_output(all.gsx({"verify", "-q", "g.gsx"}), "g.gsx\tok\tchecksums,records\n");
  IndexFile bad = all.file;
  const std::size_t at = bad.at("page_sums") + sizeof(std::uint64_t);
  bad.set(at, bad.get<std::uint64_t>(at) + 1);
  bad.set(bad.at("page_sum_sums"),
          page_sums_of(bad.span(bad.at("page_sums"), all.bytes_of("page_sums"))).front());
  bad.seal_but_pages();
  all.folder.write("bad.gsx", bad.bytes);
  check_failure(all.gsx({"verify", "bad.gsx"}), 5,
                {"section 'page_sums' has a wrong sum of page 1, which begins in section '"});
  bad = all.file;
  bad.set(bad.at("name_hashes"), std::uint32_t{0});
  bad.seal();
  all.folder.write("bad.gsx", bad.bytes);
  check_failure(all.gsx({"verify", "bad.gsx"}), 5, {"section 'name_hashes'"});
}

TEST_CASE("names and regions are found, or not, as in an index without a table of names") {
  const TemporaryFolder folder;
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  folder.write("g.fa", ">a x\nACGTNNGTA\n>b\nGGATTACA\n>a y\nTTT\n>a:1-2\nCCC\n>.\nAC\n");
  REQUIRE(gsx({"index", "-q", "g.fa"}).exit_code == 0);
  // An index of an earlier gsx, to which the sections that it lacks are unknown here.
  IndexFile older(folder.read("g.gsx"));
  for (const char* name : {"name_hashes", "name_records", "page_sums", "page_sum_sums"})
    older.change_entry(older.find(name), [](SectionEntry& entry) { entry.name[0] = 'x'; });
  older.seal();
  folder.write("older.gsx", older.bytes);
  for (const Arguments& regions :
       {Arguments{"b"}, Arguments{"b:2-3", "b:-2", "b:7"}, Arguments{"{a:1-2}"}, Arguments{"."},
        Arguments{"a"}, Arguments{"a:1-2"}, Arguments{"c"}, Arguments{"B"}, Arguments{"b:9-10"},
        Arguments{"b", "c"}}) {
    CAPTURE(regions.front());
    Arguments command = {"extract", "-q", "g.gsx"};
    command.insert(command.end(), regions.begin(), regions.end());
    const Outcome today = gsx(command);
    command[2] = "older.gsx";
    const Outcome before = gsx(command);
    CHECK(today.exit_code == before.exit_code);
    CHECK(today.out == before.out);
    CHECK(today.err == before.err);
  }
  check_failure(gsx({"extract", "-q", "g.gsx", "B"}), 3, {"no record 'B'", "'b'"});
}

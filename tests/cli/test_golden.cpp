// Index files that were written once: read as long as their format is, and still written the same.
#include "support/index_file.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const std::string folder = GSX_SOURCE_DIR "/tests/golden/";

struct Golden {
  std::string name;
  std::string input;
  std::string queries;
  Arguments options = {};

  /// As today's program writes it.
  std::string index() const { return folder + name + ".v4.sums.gsx"; }
  /// As it was written before it had sums of pages and a table of names.
  std::string older() const { return folder + name + ".v4.gsx"; }
};

const std::vector<Golden> golden = {
    {"dna", "dna.fa", "queries.fa"},
    {"masked", "dna.fa", "queries.fa", {"--sa-rate", "4", "--soft-mask", "split"}},
    {"protein", "protein.fa", "peptides.fa", {"--md5"}},
};

/// Every command that reads an index refuses this one; the message names both versions and the
/// remedy.
void check_version_refused(const std::string& path, const std::string& version) {
  for (const Arguments& command :
       {Arguments{"count", "-p", "ACGT", "-x"}, Arguments{"locate", "-p", "ACGT", "-x"},
        Arguments{"extract"}, Arguments{"info"}, Arguments{"verify"}}) {
    CAPTURE(command[0]);
    Arguments arguments = command;
    arguments.push_back(path);
    check_failure(run(arguments), 4,
                  {"has format version " + version, "reads version 4", "rebuild the index"});
  }
}

}  // namespace

TEST_CASE("index files of format version 4 are read, and give the same answers") {
  static_assert(format_version == 4, "a new format needs golden files of its own");
  for (const Golden& file : golden) {
    for (const std::string& index : {file.index(), file.older()}) {
      CAPTURE(index);
      CHECK(output_of(run({"info", index})).find("\nformat_version\t4\n") != std::string::npos);
      const std::string verdict = output_of(run({"verify", "--full", "--device", "cpu", index}));
      CHECK(verdict.starts_with(index + "\tok\tfull" + (file.name == "protein" ? ",md5" : "") +
                                "\tlongest_walk="));
      const std::string hits = read_file(folder + file.name + ".locate.tsv");
      check_output(run({"locate", "--device", "cpu", "-x", index, folder + file.queries}), hits);
      check_output(run({"locate", "-x", index, folder + file.queries}), hits);
    }
    check_output(run({"extract", "-q", file.index()}),
                 output_of(run({"extract", "-q", file.older()})));
  }
}

TEST_CASE("today's program writes the same index files") {
  const TemporaryFolder work;
  for (const Golden& file : golden) {
    CAPTURE(file.name);
    for (const Arguments& how : {Arguments{"-t", "1"}, Arguments{"-t", "3", "--batch", "100"}}) {
      Arguments command = {"index", folder + file.input, "-o", work / "again.gsx"};
      command.insert(command.end(), file.options.begin(), file.options.end());
      command.insert(command.end(), how.begin(), how.end());
      REQUIRE(run(command).exit_code == 0);
      IndexFile again(work.read("again.gsx"));
      const IndexFile written(read_file(file.index()));
      // They may differ only in the version of gsx that wrote them.
      again.change_meta([&](Meta& meta) {
        std::copy_n(written.meta().gsx_version, sizeof meta.gsx_version, meta.gsx_version);
      });
      again.seal();
      CHECK((again.bytes == written.bytes));
    }
  }
}

TEST_CASE("an index of an older format is refused, and the message names both versions") {
  check_version_refused(folder + "dna.v1.gsx", "1");
  check_version_refused(folder + "dna.v2.gsx", "2");
  check_version_refused(folder + "dna.v3.gsx", "3");
}

TEST_CASE("an index of a newer format is refused, and the message names both versions") {
  const TemporaryFolder work;
  IndexFile newer(read_file(golden[0].index()));
  newer.change_header([](IndexHeader& header) { header.version = 5; });
  newer.seal_header();
  check_version_refused(work.write("newer.gsx", newer.bytes), "5");
}

// What gsx says where a command line names no index: it looks at what was given.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// genome.gsx lies beside the folder "work", which has sequences and reads but no index.
struct Surroundings {
  TemporaryFolder folder;

  Surroundings() {
    std::filesystem::create_directory(folder / "work");
    folder.write("work/genome.fa", ">r\nACGACG\n");
    folder.write("work/reads.fq", "@q\nACG\n+\nIII\n");
    write_gzip(folder / "work/packed.gz", ">r\nACG\n");
    folder.write("work/table.txt", "1\t2\n");
    REQUIRE(gsx({"index", "-q", "genome.fa", "-o", "../genome.gsx"}).exit_code == 0);
  }
  Outcome gsx(const Arguments& arguments, std::vector<std::string> environment = {}) const {
    return run(arguments, {.folder = folder / "work", .environment = std::move(environment)});
  }
  /// Checks that a usage error says this, and that the index is missing.
  void check_advice(const Arguments& arguments, const std::string& advice) const {
    check_failure(gsx(arguments), 2, {"no index: name one with -x or $GSX_INDEX", advice});
  }
};

}  // namespace

TEST_CASE("FASTA in the place of the index is to be searched in memory, or indexed") {
  const Surroundings here;
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    here.check_advice({command, "genome.fa", "reads.fq"},
                      "to search 'genome.fa', give -r 'genome.fa', or index it: "
                      "gsx index 'genome.fa'");
    here.check_advice({command, "packed.gz", "-p", "ACG"}, "give -r 'packed.gz'");
  }
  here.check_advice({"extract", "genome.fa", "r:1-3"},
                    "to extract from 'genome.fa', give -r 'genome.fa', or index it: gsx index "
                    "'genome.fa'");
  for (const char* other : {"reads.fq", "table.txt"}) {
    CAPTURE(other);
    const Outcome outcome = here.gsx({"count", other});
    check_failure(outcome, 2, {"no index"});
    CHECK(outcome.err.find("-r") == std::string::npos);
  }
}

TEST_CASE("the name of an index without .gsx is completed") {
  const Surroundings here;
  const std::string meant = "did you mean '../genome.gsx'?";
  here.check_advice({"count", "../genome", "reads.fq"}, meant);
  here.check_advice({"extract", "../genome"}, meant);
  for (const char* command : {"count", "locate"})
    check_failure(here.gsx({command, "-x", "../genome", "reads.fq"}), 4, {meant});
  check_failure(here.gsx({"count", "reads.fq"}, {"GSX_INDEX=../genome"}), 4, {meant});
  for (const char* command : {"info", "verify"})
    check_failure(here.gsx({command, "../genome"}), 4, {meant});
  // A file that has the name itself, or no index of that name.
  here.folder.write("genome", "1");
  check_failure(here.gsx({"count", "-x", "../genome", "reads.fq"}), 4, {"not a gsx index"});
  here.folder.write("none.gsx", "1");
  const Outcome none = here.gsx({"count", "-x", "../none", "reads.fq"});
  check_failure(none, 4, {"../none"});
  CHECK(none.err.find("did you mean") == std::string::npos);
}

TEST_CASE("an index behind the queries must come first") {
  const Surroundings here;
  const std::string why = "'../genome.gsx' is an index: it must come first, or be given by -x";
  for (const char* command : {"count", "locate"})
    check_failure(here.gsx({command, "reads.fq", "../genome.gsx"}), 2, {why});
  check_failure(here.gsx({"extract", "r:1-3", "../genome.gsx"}), 2, {why});
  std::filesystem::copy(here.folder / "genome.gsx", here.folder / "work/only.gsx");
  check_failure(here.gsx({"count", "reads.fq", "../genome.gsx"}), 2, {why});
  // Sequences in place of an index go with none.
  for (const Arguments& command :
       {Arguments{"extract", "-r", "genome.fa", "only.gsx"},
        Arguments{"sa", "genome.fa", "only.gsx"}, Arguments{"sa", "-r", "genome.fa", "only.gsx"}})
    check_failure(here.gsx(command), 2, {"the index 'only.gsx' and 'genome.fa'", "not both"});
  // With an index in the folder, the sequences are taken for a region.
  check_failure(here.gsx({"extract", "genome.fa"}), 3,
                {"no record 'genome.fa'", "to extract from 'genome.fa', give -r 'genome.fa'"});
}

TEST_CASE("a query file that does not exist is named where there is no index either") {
  const Surroundings here;
  here.check_advice({"count", "none.fq"}, "there is no file 'none.fq' either");
  here.check_advice({"locate", "reads.fq", "none.fq"}, "there is no file 'none.fq' either");
  const Outcome region = here.gsx({"extract", "r:1-3"});
  check_failure(region, 2, {"no index"});
  CHECK(region.err.find("no file") == std::string::npos);
  std::filesystem::copy(here.folder / "genome.gsx", here.folder / "work/one.gsx");
  std::filesystem::copy(here.folder / "genome.gsx", here.folder / "work/two.gsx");
  check_failure(here.gsx({"count", "none.fq"}), 2,
                {"2 *.gsx", "there is no file 'none.fq' either"});
}

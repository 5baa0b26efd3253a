// Which index a command takes: -x, an argument that is an index, a folder with one.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// A folder with queries and two indexes whose names do not show that they are indexes.
struct TwoIndexes {
  TemporaryFolder folder;

  TwoIndexes() {
    for (const char* name : {"one", "two"}) {
      folder.write("genome.fa", name == std::string("one") ? ">r\nACG\n" : ">r\nACGACG\n");
      REQUIRE(gsx({"index", "-q", "genome.fa", "-o", name}).exit_code == 0);
    }
    folder.write("reads.fa", ">q\nACG\n");
  }
  Outcome gsx(const Arguments& arguments, std::vector<std::string> environment = {}) const {
    return run(arguments, {.folder = folder.path(), .environment = std::move(environment)});
  }
};

constexpr const char* counted_once = "q\t3\t1\t1\t0\n";
constexpr const char* counted_twice = "q\t3\t2\t2\t0\n";

}  // namespace

TEST_CASE("a first argument that is an index is the index of every command") {
  const TwoIndexes files;
  check_output(files.gsx({"count", "--no-header", "one", "reads.fa"}), counted_once);
  check_output(files.gsx({"count", "--no-header", "two", "reads.fa"}), counted_twice);
  check_output(files.gsx({"count", "--no-header", "two", "-p", "ACG"}), "ACG\t3\t2\t2\t0\n");
  check_output(files.gsx({"locate", "--bed", "one", "reads.fa"}), "r\t0\t3\tq\t0\t+\n");
  check_output(files.gsx({"extract", "one"}), ">r\nACG\n");
  check_output(files.gsx({"verify", "one"}), "one\tok\tchecksums,records\n");
  CHECK(output_of(files.gsx({"info", "two"})).starts_with("path\ttwo\n"));
  // It wins over the variable, as -x does.
  check_output(files.gsx({"count", "--no-header", "two", "reads.fa"}, {"GSX_INDEX=one"}),
               counted_twice);
  check_failure(files.gsx({"count", "one"}), 2, {"no queries"});
  check_failure(files.gsx({"count", "none.gsx", "reads.fa"}), 4, {"none.gsx"});
}

TEST_CASE("two indexes are a usage error") {
  const TwoIndexes files;
  for (const char* command : {"count", "locate", "extract", "info", "verify"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "-x", "one", "two"}), 2, {"two indexes", "'one'", "'two'"});
  }
  for (const char* command : {"info", "verify"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "-x", "one", "none.gsx"}), 2, {"two indexes"});
    check_failure(files.gsx({command, "none.gsx", "-x", "one"}), 2, {"two indexes"});
  }
}

TEST_CASE("an index in place of queries is refused by name") {
  const TwoIndexes files;
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "one", "reads.fa", "two"}), 2,
                  {"'two' is an index, not queries"});
    check_failure(files.gsx({command, "-x", "one", "reads.fa", "two"}), 2,
                  {"'two' is an index, not queries"});
  }
}

TEST_CASE("a folder stands for the only index in it") {
  const TwoIndexes files;
  const TemporaryFolder& folder = files.folder;
  std::filesystem::create_directory(folder / "db");
  const auto of_folder = [&](const std::string& name) {
    return std::vector<Outcome>{
        files.gsx({"count", "-p", "ACG", "--no-header", "-x", name}),
        files.gsx({"count", "-p", "ACG", "--no-header"}, {"GSX_INDEX=" + name})};
  };
  for (const Outcome& none : of_folder("db"))
    check_failure(none, 4, {"'db' has no *.gsx"});
  std::filesystem::copy(folder / "two", folder / "db/genome.gsx");
  std::filesystem::create_directory(folder / "db/folder.gsx");
  for (const char* name : {"db", "db/", "./db//"}) {
    CAPTURE(name);
    for (const Outcome& only : of_folder(name)) {
      check_output(only, "ACG\t3\t2\t2\t0\n");
      CHECK(only.err.find("genome.gsx (the only *.gsx in that folder)") != std::string::npos);
    }
  }
  CHECK(output_of(files.gsx({"info", "db"})).starts_with("path\tdb/genome.gsx\n"));
  check_output(files.gsx({"verify", "db/"}), "db/genome.gsx\tok\tchecksums,records\n");
  std::filesystem::copy(folder / "one", folder / "db/another.gsx");
  for (const Outcome& several : of_folder("db"))
    check_failure(several, 2, {"'db' has 2 *.gsx", "'db/another.gsx'"});
}

TEST_CASE("a command without queries takes its text from -r, an index or the surroundings") {
  const TwoIndexes files;
  std::filesystem::create_directory(files.folder / "db");
  std::filesystem::copy(files.folder / "two", files.folder / "db/only.gsx");
  const auto in_db = [&](Arguments arguments) {
    return run(std::move(arguments), {.folder = files.folder / "db"});
  };
  for (const Arguments& command :
       {Arguments{"sa"}, Arguments{"bwt"}, Arguments{"lz77", "--tsv"},
        Arguments{"mappability", "-K", "2"}, Arguments{"repeats", "-L", "2"}}) {
    CAPTURE(command[0]);
    const auto with = [&](const Arguments& more) {
      Arguments all = command;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    const std::string truth = output_of(files.gsx(with({"genome.fa"})));
    check_output(files.gsx(with({"-r", "genome.fa"})), truth);
    check_output(files.gsx(command, {"GSX_INDEX=two"}), truth);
    for (const Arguments& none : {Arguments{}, Arguments{"."}, Arguments{"-x", "."}})
      check_output(in_db(with(none)), truth);
    check_failure(files.gsx(with({"-r", "genome.fa", "genome.fa"})), 2, {"all by -r"});
    check_failure(files.gsx(with({"-r", "genome.fa", "-x", "two"})), 2, {"-x and -r"});
    check_failure(files.gsx(with({"-r", "two"})), 2, {"'two' is an index", "-x"});
    check_failure(files.gsx(command), 2, {"FILE is required"});
    check_failure(files.gsx(with({"genome.fa", "two"})), 2,
                  {"the index 'two' and 'genome.fa'", "not both"});
    check_failure(files.gsx(with({"-r", "genome.fa", "two"})), 2, {"not both"});
  }
  std::filesystem::copy(files.folder / "one", files.folder / "db/other.gsx");
  check_failure(in_db({"sa"}), 2, {"FILE is required", "2 *.gsx"});
}

TEST_CASE("records and regions are extracted from sequences without an index") {
  const TwoIndexes files;
  files.folder.write("g.fa", ">chr1 x\nacgtNNRyUU\n>chr2\nGATTACA\n");
  check_output(files.gsx({"extract", "-r", "g.fa"}), ">chr1 x\nacgtNNRyTT\n>chr2\nGATTACA\n");
  check_output(files.gsx({"extract", "-r", "g.fa", "chr1:3-6", "chr2"}),
               ">chr1:3-6\ngtNN\n>chr2\nGATTACA\n");
  check_output(files.gsx({"extract", "-r", "g.fa", "--case", "upper", "chr1:1-4"}),
               ">chr1:1-4\nACGT\n");
  check_output(files.gsx({"extract", "-r", "g.fa", "--reverse-complement", "chr1:1-3"}),
               ">chr1:1-3/rc\ncgt\n");
  check_output(files.gsx({"extract", "-r", "g.fa", "--whole-header", "chr1 x:1-2"}),
               ">chr1 x:1-2\nac\n");
  files.folder.write("g.bed", "chr2\t0\t3\n");
  check_output(files.gsx({"extract", "-r", "g.fa", "-R", "g.bed"}), ">chr2:0-3\nGAT\n");
  check_failure(files.gsx({"extract", "-r", "g.fa", "chr3"}), 3, {"no record 'chr3'"});
  check_failure(files.gsx({"extract", "-r", "none.fa", "chr3"}), 3, {"none.fa"});
  check_failure(files.gsx({"extract", "-r", "-", "-R", "-"}), 2, {"standard input"});
  check_failure(files.gsx({"extract", "--whole-header", "one"}), 2, {"requires --reference"});
  files.folder.write("p.fa", ">p\nMKVlaa*\n");
  check_output(files.gsx({"extract", "-r", "p.fa"}), ">p\nMKVlaa*\n");
}

TEST_CASE("an index or output whose name is empty is refused") {
  const TwoIndexes files;
  std::filesystem::copy(files.folder / "one", files.folder / "only.gsx");
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "-x", "", "reads.fa"}), 2, {"--index", "empty"});
    check_failure(files.gsx({command, "-o", "", "reads.fa"}), 2, {"--output", "empty"});
  }
  for (const char* command : {"info", "verify", "extract"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "-x", ""}), 2, {"--index", "empty"});
  }
  check_failure(files.gsx({"info", ""}), 2, {"INDEX", "empty"});
  check_failure(files.gsx({"verify", ""}), 2, {"INDEX", "empty"});
  for (const char* command : {"index", "sa", "bwt"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "reads.fa", "-o", ""}), 2, {"--output", "empty"});
  }
  for (const char* command : {"info", "extract", "doctor", "bench"}) {
    CAPTURE(command);
    check_failure(files.gsx({command, "-o", ""}), 2, {"--output", "empty"});
  }
}

TEST_CASE("if a derived index name cannot be written, the message gives the option for another") {
  const TwoIndexes files;
  std::filesystem::create_directory(files.folder / "reads.gsx");
  check_failure(files.gsx({"index", "reads.fa"}), 1, {"reads.gsx", "name another place with -o"});
  const Outcome named = files.gsx({"index", "reads.fa", "-o", "reads.gsx"});
  check_failure(named, 1, {"reads.gsx"});
  CHECK(named.err.find("another place") == std::string::npos);
}

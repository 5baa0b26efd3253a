// How the index file is named, and how a command finds it.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTACGTAAC\n";

Outcome run_in(const TemporaryFolder& folder, const Arguments& arguments,
               std::vector<std::string> environment = {}, std::string input = "") {
  return run(
      arguments,
      {.input = std::move(input), .folder = folder.path(), .environment = std::move(environment)});
}

}  // namespace

TEST_CASE("the index of a file is named after it, beside it") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a.fa", "a.gsx"},       {"a.fasta", "a.gsx"},
      {"a.fna", "a.gsx"},      {"a.ffn", "a.gsx"},
      {"a.faa", "a.gsx"},      {"a.fas", "a.gsx"},
      {"a.fq", "a.gsx"},       {"a.fastq", "a.gsx"},
      {"a.fa.gz", "a.gsx"},    {"a.fq.bgz", "a.gsx"},
      {"a.fa.bgzf", "a.gsx"},  {"a.gz", "a.gsx"},
      {"a.b.fa", "a.b.gsx"},   {"a.txt", "a.txt.gsx"},
      {"a", "a.gsx"},          {"a.fa.txt", "a.fa.txt.gsx"},
      {"a.fa.fa", "a.fa.gsx"}, {"with space.fa", "with space.gsx"},
  };
  for (const auto& [input, index] : cases) {
    CAPTURE(input);
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "sub");
    folder.write("sub/" + input, genome);  // the name says gzip, but the content need not be
    check_output(run_in(folder, {"index", "sub/" + input}), "");
    CHECK(folder.names() == std::vector<std::string>{"sub"});
    CHECK(folder.has("sub/" + index));
  }
}

TEST_CASE("several files, and input from a pipe, need -o") {
  const TemporaryFolder folder;
  folder.write("a.fa", genome);
  folder.write("b.fa", genome);
  check_failure(run_in(folder, {"index", "a.fa", "b.fa"}), 2, {"-o"});
  check_failure(run_in(folder, {"index", "-"}, {}, genome), 2, {"pipe", "-o"});
  check_failure(run_shell("\"$gsx\" index <(cat " + folder / "a.fa" + ")"), 2, {"pipe", "-o"});
  REQUIRE(run_shell("mkfifo " + folder / "fifo").exit_code == 0);
  check_failure(run_in(folder, {"index", "fifo"}), 2, {"pipe", "-o"});
  CHECK(folder.names() == std::vector<std::string>{"a.fa", "b.fa", "fifo"});
  check_output(run_in(folder, {"index", "a.fa", "b.fa", "-o", "ab.gsx"}), "");
  check_output(run_in(folder, {"index", "-", "-o", "pipe.gsx"}, {}, genome), "");
  check_output(run_in(folder, {"index", "a.fa"}), "");
  CHECK(folder.read("pipe.gsx") == folder.read("a.gsx"));
}

TEST_CASE("an output that would replace the input is refused") {
  const TemporaryFolder folder;
  folder.write("a.fa", genome);
  std::filesystem::create_symlink("a.fa", folder / "link");
  std::filesystem::create_hard_link(folder / "a.fa", folder / "twin");
  for (const char* output : {"a.fa", "./a.fa", "link", "twin"}) {
    CAPTURE(output);
    check_failure(run_in(folder, {"index", "a.fa", "-o", output}), 2, {"replace the input"});
    CHECK(folder.read("a.fa") == genome);
  }
  folder.write("x.gsx", genome);  // a FASTA file with that name
  check_output(run_in(folder, {"index", "x.gsx"}), "");
  CHECK(folder.read("x.gsx") == genome);
  CHECK(folder.has("x.gsx.gsx"));
}

TEST_CASE("no command overwrites its input") {
  const TemporaryFolder folder;
  folder.write("a.fa", genome);
  check_output(run_in(folder, {"index", "-q", "a.fa"}), "");
  const std::string index = folder.read("a.gsx");
  const std::vector<std::vector<std::string>> requests = {
      {"sa", "a.fa", "-o", "a.fa"},
      {"bwt", "a.fa", "-o", "a.fa"},
      {"bwt", "--inverse", "a.fa", "-o", "a.fa"},
      {"count", "-x", "a.gsx", "a.fa", "-o", "a.fa"},
      {"locate", "-x", "a.gsx", "a.fa", "-o", "a.gsx"},
      {"extract", "a.gsx", "-o", "a.gsx"},
      {"info", "a.gsx", "-o", "a.gsx"}};
  for (const auto& request : requests) {
    CAPTURE(request[0]);
    check_failure(run_in(folder, request), 2, {"replace the input"});
    CHECK(folder.read("a.fa") == genome);
    CHECK(folder.read("a.gsx") == index);
  }
}

TEST_CASE("an existing index is replaced, and the file behind a link rather than the link") {
  const TemporaryFolder folder;
  folder.write("a.fa", genome);
  folder.write("a.gsx", "old");
  check_output(run_in(folder, {"index", "--force", "a.fa"}), "");
  CHECK(folder.read("a.gsx").starts_with("GSXINDEX"));
  folder.write("real.gsx", "old");
  std::filesystem::create_symlink("real.gsx", folder / "link.gsx");
  check_output(run_in(folder, {"index", "--force", "a.fa", "-o", "link.gsx"}), "");
  CHECK(std::filesystem::is_symlink(folder / "link.gsx"));
  CHECK(folder.read("real.gsx") == folder.read("a.gsx"));
}

TEST_CASE("-x wins over $GSX_INDEX, which wins over the only index of the folder") {
  const TemporaryFolder folder, elsewhere;
  const auto build = [](const std::string& sequence, const std::string& output) {
    CHECK(run({"index", "-", "-o", output}, {.input = ">r\n" + sequence + "\n"}).exit_code == 0);
  };
  build("A", folder / "one.gsx");
  build("AA", elsewhere / "two.gsx");
  build("AAA", elsewhere / "three.gsx");
  const std::string named = "GSX_INDEX=" + (elsewhere / "two.gsx");
  const auto count = [&](Arguments more, std::vector<std::string> environment) {
    Arguments arguments{"count", "-p", "A", "--no-header"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_in(folder, arguments, std::move(environment));
  };
  const Outcome only = count({}, {});
  check_output(only, "A\t1\t1\t1\t0\n");
  CHECK(only.err.find("one.gsx (the only *.gsx here)") != std::string::npos);
  check_output(count({}, {"GSX_INDEX="}), "A\t1\t1\t1\t0\n");
  const Outcome environment = count({}, {named});
  check_output(environment, "A\t1\t2\t2\t0\n");
  CHECK(environment.err.find("two.gsx (from $GSX_INDEX)") != std::string::npos);
  check_output(count({"-x", elsewhere / "three.gsx"}, {named}), "A\t1\t3\t3\t0\n");
  check_failure(count({}, {"GSX_INDEX=/no/such.gsx"}), 4, {"/no/such.gsx"});
}

TEST_CASE("no index, or no single one, is a usage error that says so") {
  const TemporaryFolder folder;
  for (const Arguments& arguments :
       {Arguments{"count", "-p", "A"}, Arguments{"locate", "-p", "A"}, Arguments{"info"},
        Arguments{"verify"}, Arguments{"extract"}, Arguments{"extract", "chr1"}}) {
    CAPTURE(arguments[0]);
    check_failure(run_in(folder, arguments), 2, {"no index", "-x", "$GSX_INDEX"});
  }
  folder.write("a.gsx", "");
  folder.write("b.gsx", "");
  for (const Arguments& arguments :
       {Arguments{"count", "-p", "A"}, Arguments{"locate", "-p", "A"}, Arguments{"info"},
        Arguments{"verify"}, Arguments{"extract"}}) {
    CAPTURE(arguments[0]);
    check_failure(run_in(folder, arguments), 2, {"2 *.gsx", "-x", "$GSX_INDEX"});
  }
}

TEST_CASE("info, verify and extract take the index as an argument, or as other commands do") {
  const TemporaryFolder folder;
  folder.write("a.fa", genome);
  check_output(run_in(folder, {"index", "a.fa", "-o", "a.idx"}), "");
  const std::string records = ">r\nACGTACGTAAC\n";
  check_output(run_in(folder, {"extract", "a.idx"}), records);  // a file without .gsx
  check_output(run_in(folder, {"extract", "-x", "a.idx"}), records);
  check_output(run_in(folder, {"extract", "-x", "a.idx", "r"}), records);
  check_output(run_in(folder, {"extract", "a.idx", "r"}), records);
  check_output(run_in(folder, {"extract", "r"}, {"GSX_INDEX=a.idx"}), records);
  check_output(run_in(folder, {"verify", "a.idx"}), "a.idx\tok\tchecksums,records\n");
  CHECK(output_of(run_in(folder, {"verify", "-x", "a.idx", "--full"}))
            .starts_with("a.idx\tok\tfull\tlongest_walk="));
  check_output(run_in(folder, {"verify"}, {"GSX_INDEX=a.idx"}), "a.idx\tok\tchecksums,records\n");
  CHECK(output_of(run_in(folder, {"info", "a.idx"})).starts_with("path\ta.idx\n"));
  CHECK(run_in(folder, {"info", "-x", "a.idx"}).out == run_in(folder, {"info", "a.idx"}).out);
  std::filesystem::rename(folder / "a.idx", folder / "a.gsx");
  check_output(run_in(folder, {"extract"}), records);
  check_output(run_in(folder, {"extract", "r:1-4"}), ">r:1-4\nACGT\n");
  check_output(run_in(folder, {"verify"}), "a.gsx\tok\tchecksums,records\n");
  CHECK(output_of(run_in(folder, {"info"})).starts_with("path\ta.gsx\n"));
  check_failure(run_in(folder, {"extract", "missing.gsx"}), 4, {"missing.gsx"});
}

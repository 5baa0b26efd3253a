// Arguments arrive as typed, whatever they hold; "--" ends the options.
#include "support/command_options.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// Names that a parser could split, expand or mistake.
const std::vector<std::string> odd_names = {
    "[g.fa]", "[a,b]", "[[aa]]", "a,b", "{}", "{a}", "%%",  "100%",  "@file",   "a=b",  "=",
    "-x",     "-p=A",  "--help", "--",  "-",  "a b", "'q'", "\"q\"", "a\\b",    "a\nb", "$HOME",
    "*",      "~",     "#c",     "[]",  ",",  "[,]", "-1",  "--o=x", "B\"(a)\""};

/// Excludes "-" and "", which do not name files, and g.*, which the tests use.
bool is_file_name(const std::string& name) {
  return name != "-";
}

/// A record name has no blanks.
bool is_record_name(const std::string& name) {
  return name.find_first_of(" \n") == std::string::npos;
}

const std::string other_text = ">other\nTTTTTTTT\n";

}  // namespace

TEST_CASE("index, sa and bwt read the file that is named, and write the one that is named") {
  for (const std::string& name : odd_names) {
    if (!is_file_name(name)) continue;
    CAPTURE(name);
    const TemporaryFolder folder;
    folder.write(name, ">right\nACGTT\n");
    for (const char* decoy : {"g.fa", "a", "b", "aa", "[a", "b]", "file"})
      if (name != decoy) folder.write(decoy, other_text);
    const RunOptions here = {.folder = folder.path()};
    check_output(run({"bwt", "--", name}, here), "T$ACTG");
    check_output(run({"sa", "--text", "--", name}, here),
                 "position\ttarget_id\toffset\n0\tright\t0\n1\tright\t1\n2\tright\t2\n4\tright\t4\n"
                 "3\tright\t3\n");
    CHECK(run({"index", "-o", name + ".gsx", "--", name}, here).exit_code == 0);
    CHECK(output_of(run({"info", "--records", "-x", name + ".gsx"}, here)).find("right") !=
          std::string::npos);
    CHECK(run({"bwt", "--output=" + name + "2", "--", name}, here).exit_code == 0);
    CHECK(read_file(folder / (name + "2")) == "T$ACTG");
    CHECK(run({"bwt", "-o", name + "3", "--", name}, here).exit_code == 0);
    CHECK(read_file(folder / (name + "3")) == "T$ACTG");
    CHECK(run({"bwt", "-o" + name + "4", "--", name}, here).exit_code == 0);
    CHECK(read_file(folder / (name + "4")) == "T$ACTG");
  }
}

TEST_CASE("an output may have any name") {
  for (const std::string& name : odd_names) {
    if (!is_file_name(name)) continue;
    CAPTURE(name);
    const TemporaryFolder folder;
    folder.write("in.fa", ">right\nACGTT\n");
    CHECK(run({"bwt", "in.fa", "-o", name}, {.folder = folder.path()}).exit_code == 0);
    CHECK(read_file(folder / name) == "T$ACTG");
  }
}

TEST_CASE("count and locate read the queries and the index that are named") {
  for (const std::string& name : odd_names) {
    if (!is_file_name(name)) continue;
    CAPTURE(name);
    const TemporaryFolder folder;
    const RunOptions here = {.folder = folder.path()};
    folder.write("t.fa", ">r\nAACCGGTA\n");
    REQUIRE(run({"index", "t.fa", "-o", name}, here).exit_code == 0);
    check_output(run({"count", "-x", name, "-p", "AACC", "--no-header"}, here),
                 "AACC\t4\t1\t1\t0\n");
    folder.write(name + "q", ">q\nAACC\n");
    check_output(run({"count", "-x", name, "--no-header", "--", name + "q"}, here),
                 "q\t4\t1\t1\t0\n");
    check_output(run({"locate", "-x", name, "--bed", "--", name + "q"}, here),
                 "r\t0\t4\tq\t0\t+\n");
  }
  for (const std::string& name : odd_names) {
    if (!is_file_name(name)) continue;
    CAPTURE(name);
    const TemporaryFolder folder;
    const RunOptions here = {.folder = folder.path()};
    folder.write("t.fa", ">r\nAACCGGTA\n");
    REQUIRE(run({"index", "t.fa"}, here).exit_code == 0);
    folder.write(name, ">q\nAACC\n");
    check_output(run({"count", "-x", "t.gsx", "--no-header", "--", name}, here), "q\t4\t1\t1\t0\n");
  }
}

TEST_CASE("-p takes its argument as typed, in an index of bytes") {
  const TemporaryFolder folder;
  std::string text;
  for (const std::string& name : odd_names)
    if (is_record_name(name)) text += name + "|";
  folder.write("t.fa", ">r\n" + text + "\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "--alphabet", "bytes", "t.fa"}, here).exit_code == 0);
  for (const std::string& pattern : odd_names) {
    if (!is_record_name(pattern)) continue;
    CAPTURE(pattern);
    for (const Arguments& arguments :
         {Arguments{"count", "-p", pattern}, Arguments{"count", "-p" + pattern},
          Arguments{"count", "--pattern", pattern}, Arguments{"count", "--pattern=" + pattern}}) {
      const std::string line = lines_of(output_of(run(arguments, here))).back();
      std::size_t count = 0;
      for (std::size_t at = text.find(pattern); at != std::string::npos;
           at = text.find(pattern, at + 1))
        ++count;
      CHECK(line.starts_with(pattern + '\t' + std::to_string(pattern.size()) + '\t' +
                             std::to_string(count) + '\t'));
    }
  }
}

TEST_CASE("extract takes a record's name as it is") {
  const TemporaryFolder folder;
  std::string fasta = ">1\nGG\n>a\nTT\n>b\nTTT\n>g.fa\nT\n";
  for (std::size_t i = 0; i < odd_names.size(); ++i) {
    if (is_record_name(odd_names[i]))
      fasta += '>' + odd_names[i] + "\nACGT" + std::string(i + 1, 'A') + '\n';
  }
  folder.write("t.fa", fasta);
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "t.fa"}, here).exit_code == 0);
  for (std::size_t i = 0; i < odd_names.size(); ++i) {
    // "-" may stand for standard input, and braces quote a name.
    if (!is_record_name(odd_names[i]) || odd_names[i] == "-" || odd_names[i] == "{a}") continue;
    CAPTURE(odd_names[i]);
    const std::string record = '>' + odd_names[i] + "\nACGT" + std::string(i + 1, 'A') + '\n';
    check_output(run({"extract", "-x", "t.gsx", "--", odd_names[i]}, here), record);
    check_output(run({"extract", "t.gsx", "--", odd_names[i]}, here), record);
    check_output(run({"extract", "--", "t.gsx", odd_names[i]}, here), record);
  }
}

TEST_CASE("-- ends the options wherever it is") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">-x\nAACCGGTA\n");
  folder.write("a.fq", "@a\nAACC\n+\nIIII\n");
  folder.write("-r.fq", "@r\nGGTA\n+\nIIII\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "t.fa"}, here).exit_code == 0);
  check_output(run({"extract", "t.gsx", "--", "-x"}, here), ">-x\nAACCGGTA\n");
  const std::string both = "a\t4\t1\t1\t0\nr\t4\t1\t1\t0\n";
  check_output(run({"count", "--no-header", "-x", "t.gsx", "a.fq", "--", "-r.fq"}, here), both);
  check_output(run({"count", "--no-header", "-x", "t.gsx", "--", "a.fq", "-r.fq"}, here), both);
  check_output(run({"count", "a.fq", "--no-header", "-xt.gsx", "--", "-r.fq"}, here), both);
  // A second "--" is a file.
  folder.write("--", ">q\nAA\n");
  check_output(run({"count", "--no-header", "-x", "t.gsx", "--", "--"}, here), "q\t2\t1\t1\t0\n");
}

TEST_CASE("options may follow the command anywhere, their values apart, joined or after =") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">r\nAACCGGTA\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "t.fa"}, here).exit_code == 0);
  for (const Arguments& arguments :
       {Arguments{"count", "-qxt.gsx", "-pAACC", "--no-header"},
        Arguments{"count", "-vv", "-x", "t.gsx", "-p", "AACC", "--no-header"},
        Arguments{"count", "--no-header", "--index=t.gsx", "--pattern=AACC", "-qt1"},
        Arguments{"count", "-q", "-q", "--no-header", "--index", "t.gsx", "--pattern", "AACC"}})
    check_output(run(arguments, here), "AACC\t4\t1\t1\t0\n");
}

TEST_CASE("-q and -v together are refused in every command") {
  for (const Command& command : commands()) {
    if (!command.has("-q,--quiet")) continue;
    CAPTURE(command.name);
    Arguments arguments = {command.name, "-q", "-v"};
    const bool takes_files = std::ranges::any_of(
        command.options, [](const Option& option) { return !option.name.starts_with('-'); });
    if (takes_files) arguments.emplace_back("x");
    check_failure(run(arguments), 2, {"--quiet excludes --verbose"});
    arguments[1] = "-vq";
    arguments.erase(arguments.begin() + 2);
    check_failure(run(arguments), 2, {"--quiet excludes --verbose"});
  }
}

TEST_CASE("a missing, repeated, empty or surplus argument is named") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">r\nAACCGGTA\n");
  const RunOptions here = {.folder = folder.path()};
  const std::vector<std::pair<Arguments, std::string>> wrong = {
      {{"count", "-p", "A", "-x", ""}, "--index"},
      {{"count", "-p", "A", "-o", ""}, "--output"},
      {{"count", "-p", "A", "--index="}, "--index"},
      {{"index", "t.fa", "-o", ""}, "--output"},
      {{"info", "-x", ""}, "--index"},
      {{"verify", "-x", ""}, "--index"},
      {{"extract", "-x", ""}, "--index"},
      {{"index", "t.fa", "-o", "a", "-o", "b"}, "--output is given twice"},
      {{"count", "-t", "1", "--threads=2", "-p", "A"}, "--threads is given twice"},
      {{"count", "-p"}, "--pattern needs a value"},
      {{"count", "--quiet=1", "-p", "A"}, "--quiet takes no value"},
      {{"info", "a", "b"}, "'b' is one argument too many"},
      {{"count", "-z"}, "'-z'"},
      {{"count", "-qz"}, "'-z'"},
  };
  for (const auto& [arguments, words] : wrong) {
    const Outcome outcome = run(arguments, here);
    check_failure(outcome, 2, {words, "(see gsx " + arguments[0] + " --help)"});
    CHECK(folder.names() == std::vector<std::string>{"t.fa"});
  }
}

TEST_CASE("an environment variable replaces its option, only in commands that have the option") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">r\nAACCGGTA\n");
  const auto with = [&](const std::string& variable) {
    return RunOptions{.folder = folder.path(), .environment = {variable}};
  };
  const std::vector<std::string> wrong = {
      "-1", "010", "0x10", "18446744073709551616", "1.5", "", " 5", "5EB", "GB", "garbage"};
  for (const std::string& value : wrong) {
    CAPTURE(value);
    const Outcome outcome = run({"sa", "t.fa"}, with("GSX_MEMORY_LIMIT=" + value));
    check_failure(outcome, 2, {"error: GSX_MEMORY_LIMIT: '"});
    CHECK(outcome.err.find("--memory-limit:") == std::string::npos);
    check_failure(run({"bwt", "t.fa"}, with("GSX_GPU_MEMORY=" + value)), 2, {"GSX_GPU_MEMORY: '"});
    CHECK(run({"bwt", "t.fa", "--gpu-memory", "1GB"}, with("GSX_GPU_MEMORY=" + value)).exit_code ==
          0);
  }
  CHECK(run({"index", "t.fa"}, with("GSX_GPU_MEMORY=1GiB")).exit_code == 0);
  CHECK(run({"info", "t.gsx"}, with("GSX_MEMORY_LIMIT=garbage")).exit_code == 0);
  CHECK(run({"extract", "t.gsx"}, with("GSX_GPU_MEMORY=garbage")).exit_code == 0);
}

// Invalid requests: exit code 2 and one line that says why.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

struct Wrong {
  Arguments arguments;
  std::string says;
};

}  // namespace

TEST_CASE("an invalid request is exit code 2 and exactly one error line") {
  const TemporaryFolder folder;
  const std::string fa = folder.write("a.fa", ">r\nACGT\n");
  const std::vector<Wrong> wrongs = {
      {{"frobnicate"}, "'frobnicate'"},
      {{"--frobnicate"}, "--frobnicate"},
      {{"-q"}, "'-q'"},
      {{"index"}, "FILE"},
      {{"sa"}, "FILE"},
      {{"bwt"}, "FILE"},
      {{"count"}, "no queries"},
      {{"locate"}, "no queries"},
      {{"index", "--frobnicate", fa}, "--frobnicate"},
      {{"sa", "--width", "3", fa}, "--width"},
      {{"sa", "--width", fa}, "--width"},
      {{"sa", "--device", "gpu", fa}, "gpu"},
      {{"sa", "--device", "cuda:x", fa}, "cuda:x"},
      {{"sa", "--device", "cuda:", fa}, "cuda:"},
      {{"sa", "--device", "cuda:-1", fa}, "cuda:-1"},
      {{"sa", "--device", "cuda:0x", fa}, "cuda:0x"},
      {{"sa", "--device", "CPU", fa}, "CPU"},
      {{"sa", "--device", "", fa}, "device"},
      {{"index", "--device", "gpu", fa}, "gpu"},
      {{"bwt", "--device", "gpu", fa}, "gpu"},
      {{"count", "--device", "gpu", fa}, "gpu"},
      {{"locate", "--device", "gpu", fa}, "gpu"},
      {{"count", "--strand", "foo", fa}, "--strand"},
      {{"count", "-t", "-1", fa}, "--threads"},
      {{"count", "-t", "two", fa}, "--threads"},
      {{"count", "-t", "5000", fa}, "--threads"},
      {{"count", "--batch", "0", fa}, "--batch"},
      {{"count", "--progress", "loud", fa}, "--progress"},
      {{"count", fa, "-x"}, "--index"},
      {{"locate", "--max-hits", "-1", fa}, "--max-hits"},
      {{"locate", "--max-hits", "1.5", fa}, "--max-hits"},
      {{"locate", "--bed", "--paf", fa}, "excludes"},
      {{"locate", "--paf", "--jsonl", fa}, "excludes"},
      {{"locate", "--bed", "--jsonl", fa}, "excludes"},
      {{"index", "--sa-rate", "0", fa}, "--sa-rate"},
      {{"index", "--sa-rate", "-1", fa}, "--sa-rate"},
      {{"count", "--batch", "-1", fa}, "--batch"},
      {{"index", "--sa-rate", "1048577", fa}, "--sa-rate"},
      {{"index", "--alphabet", "rna", fa}, "--alphabet"},
      {{"index", "--ambiguous", "drop", fa}, "--ambiguous"},
      {{"index", "--soft-mask", "drop", fa}, "--soft-mask"},
      {{"index", fa, "-o"}, "--output"},
      {{"bwt", "--separator", "ab", fa}, "--separator"},
      {{"bwt", "--separator", "", fa}, "--separator"},
      {{"bwt", "--inverse", fa, fa}, "--inverse takes one file"},
      {{"extract", "--line-width", "-1"}, "--line-width"},
      {{"info", "--json", "--records"}, "excludes"},
      {{"info", "a", "b"}, "b"},
      {{"verify", "a", "b"}, "b"},
      {{"verify", "--device", "cpu", "a"}, "--full"},
      {{"verify", "--full", "--device", "gpu", "a"}, "gpu"},
      {{"sa", "-", "-"}, "twice"},
      {{"sa", ""}, "empty"},
  };
  for (const Wrong& wrong : wrongs) {
    std::string line;
    for (const std::string& argument : wrong.arguments)
      line += argument + ' ';
    CAPTURE(line);
    const Outcome outcome = run(wrong.arguments, {.folder = folder.path()});
    check_failure(outcome, 2, {wrong.says});
    const auto lines = lines_of(outcome.err);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      CHECK(lines[i].starts_with("info: "));
    CHECK(folder.names() == std::vector<std::string>{"a.fa"});
  }
}

TEST_CASE("control characters in an argument do not break the error line") {
  for (const Arguments& arguments :
       {Arguments{"index", "--no\nsuch"}, Arguments{"sa", "--device", "g\npu", "x"},
        Arguments{"sa", "--alphabet", "a\nb", "x"}, Arguments{"sa", "a\x1b[2J\nb"},
        Arguments{"count", "-p", "A", "-x", "a\nb"}}) {
    const Outcome outcome = run(arguments);
    CHECK(outcome.exit_code != 0);
    CHECK(error_lines(outcome.err).size() == 1);
    for (const std::string& line : lines_of(outcome.err)) {
      CAPTURE(line);
      CHECK((line.starts_with("error: ") || line.starts_with("info: ")));
      CHECK(line.find('\x1b') == std::string::npos);
    }
  }
}

TEST_CASE("an argument after -- is a file even if it looks like an option") {
  const TemporaryFolder folder;
  folder.write("--width", ">r\nACGT\n");
  check_output(run({"bwt", "--", "--width"}, {.folder = folder.path()}), "T$ACG");
}

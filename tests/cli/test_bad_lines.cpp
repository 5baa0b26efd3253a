// A bad line in a list of guides or primers: what was found before it is written, and the message
// names the line.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTTGTTTTTTCCATAGGTTTTACGTTGCAACGTACGTACTGGTT\n";

/// Runs the command on the genome, with so little memory that a long list takes several batches.
Outcome run_list(const TemporaryFolder& folder, const char* command, const std::string& list,
                 Arguments more = {}) {
  if (!sanitized) more.insert(more.begin(), {"--memory-limit", "32M"});
  more.insert(more.begin(), {command, "-t", "1", "-r", folder.write("g.fa", genome)});
  more.emplace_back("-");
  return run(more, {.input = list, .folder = folder.path()});
}

std::string repeated(const std::string& line, int times) {
  std::string lines;
  for (int i = 0; i < times; ++i)
    lines += line;
  return lines;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("the products of the pairs in batches before a bad one are written") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const Arguments more = {"--min", "15", "--max", "20", "--no-header"};
  const std::string pair = "p\tACGTTG\tCTATGG\n";
  const std::string line = output_of(run_list(folder, "amplicon", pair, more));
  const Outcome outcome = run_list(folder, "amplicon", repeated(pair, 2000) + "bad\n", more);
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.err.find("line 2001: there is 1 column") != std::string::npos);
  CHECK(lines_in(line) == 1);
  CHECK(lines_in(outcome.out) >= 256);
  CHECK((outcome.out == repeated(line, static_cast<int>(lines_in(outcome.out)))));
}

TEST_CASE("the numbers and sites of the guides in batches before a bad one are written") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const std::string guide = "ACGTTGCAACGTACGTAC\n";
  const Arguments more = {"--no-header", "-k", "0", "--sites", "/dev/stderr", "-q"};
  const Outcome one = run_list(folder, "offtarget", guide, more);
  CHECK(one.exit_code == 0);
  const Outcome outcome = run_list(folder, "offtarget", repeated(guide, 12000) + "A C\n", more);
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.err.find("line 12001: there is a blank") != std::string::npos);
  CHECK(lines_in(outcome.out) >= 1000);
  CHECK((outcome.out == repeated(one.out, static_cast<int>(lines_in(outcome.out)))));
  CHECK((outcome.err.starts_with(repeated(one.err, 1000))));
}

TEST_CASE("a NUL byte in a list is refused, also in FASTA") {
  const TemporaryFolder folder;
  const std::string nul(1, '\0');
  for (const std::string& list : {">a\nACGT\n" + nul + "ACGT\n", ">a\nACG" + nul + "T\n",
                                  ">a\nACGT\n>b" + nul + "\nACGT\n"}) {
    const bool in_header = list[9] == 'b';
    check_error(run_list(folder, "offtarget", list), 3,
                {"standard input", in_header ? "line 3" : "line ",
                 in_header ? "NUL byte" : "control byte 0x00"});
  }
  check_failure(run_list(folder, "offtarget", "AC" + nul + "GT\n"), 3, {"line 1", "NUL byte"});
  check_failure(run_list(folder, "amplicon", "p\tAC" + nul + "GT\tACGT\n"), 3,
                {"line 1", "NUL byte"});
}

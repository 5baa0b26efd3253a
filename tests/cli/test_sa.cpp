// gsx sa: raw integers and text, compared with a plain sort of the suffixes.
#include <algorithm>
#include <numeric>

#include "support/blocks.hpp"
#include "support/peak_memory.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Positions of the suffixes of the segments' text in order, including the rows of separators.
/// Segments are the plain stretches of all records, each closed by a separator that is smaller than
/// every symbol; separators are ordered by position.
std::vector<std::uint64_t> sorted_suffixes(const std::vector<std::string>& segments) {
  std::vector<int> text;
  int separator = 0;
  for (const std::string& segment : segments) {
    for (const char c : segment)
      text.push_back(1'000'000 + static_cast<unsigned char>(c));
    text.push_back(separator++);
  }
  std::vector<std::uint64_t> rows(text.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::sort(rows.begin(), rows.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::lexicographical_compare(text.begin() + static_cast<std::ptrdiff_t>(a), text.end(),
                                        text.begin() + static_cast<std::ptrdiff_t>(b), text.end());
  });
  return rows;
}

std::string as_raw(const std::vector<std::uint64_t>& rows, std::size_t first, int width) {
  std::string bytes;
  for (std::size_t row = first; row < rows.size(); ++row) {
    for (int i = 0; i < width; ++i)
      bytes += static_cast<char>(rows[row] >> (8 * i));
  }
  return bytes;
}

std::string fasta_of(const std::vector<std::string>& sequences) {
  std::string fasta;
  for (std::size_t r = 0; r < sequences.size(); ++r) {
    fasta += ">r" + std::to_string(r + 1) + '\n' + sequences[r] + '\n';
  }
  return fasta;
}

/// The stretches of A C G T of all records.
std::vector<std::string> plain_segments(const std::vector<std::string>& sequences) {
  std::vector<std::string> segments;
  for (const std::string& sequence : sequences) {
    std::string open;
    for (const char c : sequence + 'N') {
      if (c != 'N') {
        open += c;
      } else if (!open.empty()) {
        segments.push_back(std::exchange(open, {}));
      }
    }
  }
  return segments;
}

Outcome sa(Arguments arguments, const std::string& input) {
  arguments.insert(arguments.begin(), {"sa", "-"});
  return run(arguments, {.input = input});
}

}  // namespace

TEST_CASE("one plain record gives the ordinary suffix array, 4 bytes per entry") {
  // banana in other letters: suffixes ACACA and CATCAT by hand.
  check_output(sa({}, ">r\nACACA\n"), as_raw({4, 2, 0, 3, 1}, 0, 4));
  check_output(sa({}, ">r\nGATTACA\n"), as_raw({6, 4, 1, 5, 0, 3, 2}, 0, 4));
}

TEST_CASE("raw integers are little-endian, of the requested width") {
  const std::string input = ">r\nGATTACA\n";
  const std::vector<std::uint64_t> rows = {6, 4, 1, 5, 0, 3, 2};
  for (const int width : {4, 5, 8}) {
    CAPTURE(width);
    check_output(sa({"--width", std::to_string(width)}, input), as_raw(rows, 0, width));
    check_output(sa({"--wide", "--width", std::to_string(width)}, input), as_raw(rows, 0, width));
  }
  std::string long_input = ">r\n" + std::string(70000, 'A') + '\n';  // entries need three bytes
  std::vector<std::uint64_t> descending(70000);
  for (std::uint64_t i = 0; i < 70000; ++i)
    descending[i] = 69999 - i;
  check_output(sa({"--width", "5"}, long_input), as_raw(descending, 0, 5));
}

TEST_CASE("--text is a table of position, record and offset") {
  const std::string input = ">chr1 one\nACNNA\n>empty\n>chr2\nCA\n";
  // The text is A C $ A $ C A $ at 0..7; the rows of the separators 2, 4, 7 come first.
  const std::string header = "position\ttarget_id\toffset\n";
  const std::string symbols = "3\tchr1\t4\n6\tchr2\t1\n0\tchr1\t0\n1\tchr1\t1\n5\tchr2\t0\n";
  check_output(sa({"--text"}, input), header + symbols);
  check_output(sa({"--text", "--separators"}, input),
               header + "2\tchr1\t2\n4\tchr1\t5\n7\tchr2\t2\n" + symbols);
  check_output(sa({"--separators"}, input), as_raw({2, 4, 7, 3, 6, 0, 1, 5}, 0, 4));
}

TEST_CASE("the suffix array of any records is that of their segments") {
  for (const auto& sequences : adversarial_collections(5)) {
    const std::vector<std::string> segments = plain_segments(sequences);
    CAPTURE(fasta_of(sequences).substr(0, 200));
    const std::vector<std::uint64_t> rows = sorted_suffixes(segments);
    const std::string input = fasta_of(sequences);
    check_output(sa({"--alphabet", "dna", "--check"}, input), as_raw(rows, segments.size(), 4));
    check_output(sa({"--alphabet", "dna", "--separators"}, input), as_raw(rows, 0, 4));
  }
}

TEST_CASE("proteins and bytes are sorted by byte value") {
  const std::vector<std::string> proteins = {"MKVLA*WY", "AAAA", "MKV"};
  check_output(sa({"--alphabet", "protein", "--separators"}, fasta_of(proteins)),
               as_raw(sorted_suffixes(proteins), 0, 4));
  const std::vector<std::string> bytes = {"aAbB#!~\x80\xff\xff", "aAaA\x80", "Aa"};
  check_output(sa({"--alphabet", "bytes", "--separators", "--check"}, fasta_of(bytes)),
               as_raw(sorted_suffixes(bytes), 0, 4));
}

TEST_CASE("--check reports that the array is right, on standard error only") {
  const Outcome outcome = sa({"--check"}, ">r\nACACA\n");
  check_output(outcome, as_raw({4, 2, 0, 3, 1}, 0, 4));
  CHECK(outcome.err.find("checked: the suffix array is right") != std::string::npos);
}

TEST_CASE("--lcp writes what the rows of the suffix array have in common") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("banana.fa", ">r\nACACA\n");  // A ACA ACACA CA CACA
  check_output(run({"sa", "banana.fa", "--lcp", "b.lcp", "--check"}, here),
               as_raw({4, 2, 0, 3, 1}, 0, 4));
  CHECK(folder.read("b.lcp") == as_raw({0, 1, 3, 0, 2}, 0, 4));
  folder.write("two.fa", ">chr1\nACNNA\n>chr2\nCA\n");
  check_output(run({"sa", "two.fa", "--width", "5", "--separators", "--lcp", "t.lcp"}, here),
               as_raw({2, 4, 7, 3, 6, 0, 1, 5}, 0, 5));
  CHECK(folder.read("t.lcp") == as_raw({0, 0, 0, 0, 1, 1, 0, 1}, 0, 5));
  REQUIRE(run({"sa", "two.fa", "--text", "--lcp", "t.tsv", "-o", "sa.tsv"}, here).exit_code == 0);
  CHECK(folder.read("t.tsv") == "lcp\n0\n1\n1\n0\n1\n");
  REQUIRE(run({"index", "two.fa"}, here).exit_code == 0);
  REQUIRE(run({"sa", "two.gsx", "--lcp", "-", "-o", "two.sa"}, here).out ==
          as_raw({0, 1, 1, 0, 1}, 0, 4));
}

TEST_CASE("the LCP array does not depend on threads, blocks or the width of positions") {
  Random random(3);
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("g.fa", fasta_of({random_string(random, 3'000'000, "ACGT"),
                                 mutated_copies(random, 5000, 20, 5000, "ACGT")}));
  const auto lcp_of = [&](const Arguments& more) {
    Arguments all = {"sa", "g.fa", "--device", "cpu", "-o", "g.sa", "--lcp", "g.lcp"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all, here);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const bool limited = std::ranges::count(more, "--memory-limit") != 0;
    CHECK((is_in_blocks(outcome) == limited || sanitized));
    return folder.read("g.sa") + folder.read("g.lcp");
  };
  const std::string expected = lcp_of({"-t", "1", "--check", "--width", "5"});
  CHECK((lcp_of({"-t", "3", "--width", "5"}) == expected));
  CHECK((lcp_of({"-t", "2", "--wide", "--width", "5", "--check"}) == expected));
  const double whole = peak_of("sa -q g.fa --device cpu -o g.sa --lcp g.lcp -t 2", folder);
  // A sanitizer's own memory varies by more than blocks save.
  const double share = sanitized ? 1 : 0.85;
  const std::string limit = std::to_string(static_cast<std::uint64_t>(whole * share));
  CHECK((lcp_of({"-t", "2", "--memory-limit", limit, "--width", "5"}) == expected));
}

TEST_CASE("--lcp that cannot be written ends the run before work, and nothing is left behind") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACA\n");
  check_failure(run({"sa", "a.fa", "--lcp", "no/such.lcp"}, here), 1, {"no/such.lcp"});
  check_failure(run({"sa", "a.fa", "--lcp", "a.fa"}, here), 2, {"replace the input"});
  check_failure(run({"sa", "a.fa", "--lcp", "x", "-o", "x"}, here), 2, {"two outputs", "'x'"});
  check_failure(run({"sa", "a.fa", "--lcp", "-"}, here), 2, {"two outputs", "standard output"});
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
}

TEST_CASE("-o writes the same bytes as standard output") {
  const TemporaryFolder folder;
  check_output(sa({"-o", folder / "out.sa"}, ">r\nACACA\n"), "");
  CHECK(folder.read("out.sa") == as_raw({4, 2, 0, 3, 1}, 0, 4));
  CHECK(folder.names() == std::vector<std::string>{"out.sa"});
}

TEST_CASE("raw integers are not written to a terminal") {
  const TemporaryFolder folder;
  folder.write("a.fa", ">r\nACACA\n");
  GSX_NEED("SCRIPT", has_command("script"), "there is no script(1) to make a terminal");
  const RunOptions here{.folder = folder.path()};
  const Outcome raw = run_shell("script -qec '\"$gsx\" sa a.fa' log < /dev/null", here);
  CHECK(raw.exit_code == 2);
  CHECK(folder.read("log").find("not writing raw integers to a terminal") != std::string::npos);
  const Outcome text = run_shell("script -qec '\"$gsx\" sa a.fa --text' log < /dev/null", here);
  CHECK(text.exit_code == 0);
  CHECK(folder.read("log").find("position\ttarget_id\toffset") != std::string::npos);
}

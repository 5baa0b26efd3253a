// gsx mem and ms on queries of unusual lengths and symbols, and the maximal matches that mem
// reports checked with gsx count.
#include <algorithm>
#include <string>
#include <vector>

#include "support/columns.hpp"
#include "support/indexed.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string complement(std::string sequence) {
  std::reverse(sequence.begin(), sequence.end());
  for (char& base : sequence)
    base = "TGCA"[std::string("ACGT").find(base)];
  return sequence;
}

/// length, length - 1, ..., 1
std::string countdown(std::uint64_t length) {
  std::string line;
  for (std::uint64_t i = length; i > 0; --i)
    line += std::to_string(i) + (i == 1 ? "\n" : " ");
  return line;
}

std::string fasta_of(const std::string& name, const std::string& sequence) {
  return ">" + name + "\n" + sequence + "\n";
}

}  // namespace

TEST_CASE("mem and ms find a million bases that the text has, whole and with changes") {
  Random random(41);
  const std::string text = random_string(random, 1'000'000, "ACGT");
  const IndexedFolder index(fasta_of("t", text));
  std::string changed = text, expected;
  std::uint64_t begin = 0;
  for (std::uint64_t at = 0; at < text.size(); at += 100 + below(random, 2000)) {
    changed[at] = 'N';
    if (at > begin) {
      expected += "changed\t" + std::to_string(begin) + "\t" + std::to_string(at) + "\t" +
                  std::to_string(at - begin) + "\t1\t0\n";
    }
    begin = at + 1;
  }
  expected += "changed\t" + std::to_string(begin) + "\t1000000\t" +
              std::to_string(text.size() - begin) + "\t1\t0\n";
  index.folder.write("q.fa", fasta_of("same", text) + fasta_of("back", complement(text)) +
                                 fasta_of("changed", changed));
  for (const char* threads : {"1", "2"}) {
    check_output(
        index.gsx({"mem", "-x", "g.gsx", "-L", "50", "--no-header", "-t", threads, "q.fa"}),
        "same\t0\t1000000\t1000000\t1\t0\nback\t0\t1000000\t1000000\t0\t1\n" + expected);
  }
  const std::string lengths = output_of(index.gsx({"ms", "-x", "g.gsx", "q.fa"}));
  const std::string down = countdown(text.size());
  CHECK(lengths.starts_with(">same\n" + down + ">back\n" + down + ">changed\n0 "));
}

TEST_CASE("mem and ms take empty queries, and those of symbols that match nothing") {
  const IndexedFolder index(fasta_of("t", "ACGTACGGTNNNNACGGGAT"));
  index.folder.write("q.fq",
                     "@empty\n\n+\n\n@n\nNNNNNNNN\n+\nIIIIIIII\n@one\nG\n+\nI\n@end\n\n+\n\n");
  check_output(index.gsx({"mem", "-x", "g.gsx", "-L", "1", "--no-header", "q.fq"}),
               "one\t0\t1\t1\t6\t3\n");
  check_output(index.gsx({"mem", "-x", "g.gsx", "-L", "1", "--coverage", "q.fq"}),
               "query_id\tlength\tn_matches\tcovered\nempty\t0\t0\t0\nn\t8\t0\t0\none\t1\t1\t1\n"
               "end\t0\t0\t0\n");
  check_output(index.gsx({"ms", "-x", "g.gsx", "q.fq"}),
               ">empty\n\n>n\n0 0 0 0 0 0 0 0\n>one\n1\n>end\n\n");
  index.folder.write("none.fa", ">a\n\n>b\n\n");
  check_output(index.gsx({"mem", "-x", "g.gsx", "--no-header", "none.fa"}), "");
  check_output(index.gsx({"ms", "-x", "g.gsx", "--format", "u32", "none.fa"}), "");
}

TEST_CASE("each match of mem occurs as often as count says, and its extensions do not") {
  Random random(run_seed());
  const std::string text = mutated_copies(random, 500, 12, 40, "ACGT") + "NNN" +
                           random_string(random, 3000, "ACGT") + complement("ACCATTGGCA");
  const IndexedFolder index(fasta_of("t", text));
  std::vector<std::string> reads;
  std::string fasta;
  for (int i = 0; i < 150; ++i) {
    std::string read = text.substr(below(random, text.size() - 200), 1 + below(random, 200));
    read[below(random, read.size())] = "ACGTN"[below(random, 5)];
    reads.push_back(read);
    fasta += fasta_of(std::to_string(i), read);
  }
  index.folder.write("reads.fa", fasta);
  const auto matches =
      lines_of(output_of(index.gsx({"mem", "-x", "g.gsx", "-L", "7", "--no-header", "reads.fa"})));
  REQUIRE(matches.size() > 200);
  std::string patterns, expected;
  for (const std::string& line : matches) {
    const auto match = columns_of(line);
    const std::string& read = reads[std::stoul(match[0])];
    const std::uint64_t begin = std::stoul(match[1]), end = std::stoul(match[2]);
    const auto ask = [&](std::uint64_t from, std::uint64_t to, const std::string& counts) {
      const std::string pattern = read.substr(from, to - from);
      if (pattern.find('N') != std::string::npos) return;
      patterns += pattern + '\n';
      expected += counts + '\n';
    };
    ask(begin, end, match[4] + '\t' + match[5]);
    if (begin > 0) ask(begin - 1, end, "0\t0");
    if (end < read.size()) ask(begin, end + 1, "0\t0");
  }
  index.folder.write("patterns.txt", patterns);
  std::string counted;
  for (const std::string& line : lines_of(
           output_of(index.gsx({"count", "-x", "g.gsx", "--no-header", "-f", "patterns.txt"})))) {
    const auto columns = columns_of(line);
    counted += columns[3] + '\t' + columns[4] + '\n';
  }
  CHECK(counted == expected);
}

// gsx filter --by-record: for each record of the text, the reads that match it best.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/filtered.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string reverse_complement(const std::string& text) {
  std::string turned(text.rbegin(), text.rend());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : c == 'T' ? 'A' : c;
  return turned;
}

/// The longest string of both that has A, C, G and T only.
std::size_t longest_common(const std::string& a, const std::string& b) {
  std::size_t longest = 0;
  std::vector<std::size_t> row(b.size() + 1), next(b.size() + 1);
  for (const char c : a) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = c == b[j] && c != 'N' ? row[j] + 1 : 0;
      longest = std::max(longest, next[j + 1]);
    }
    row.swap(next);
  }
  return longest;
}

}  // namespace

TEST_CASE("filter --by-record counts reads by the record of their longest match") {
  Random random(run_seed());
  std::vector<std::string> records;
  for (int i = 0; i < 5; ++i)
    records.push_back(random_string(random, 60 + below(random, 40), "ACGTN"));
  records[1] += records[0].substr(10, 30) + random_string(random, 9, "ACGT");
  records[3] += reverse_complement(records[2].substr(5, 40));
  const std::string both = random_string(random, 30, "ACGT");
  for (const std::size_t r : {0, 1})
    records[r] += both;
  std::string fasta;
  for (std::size_t i = 0; i < records.size(); ++i)
    fasta += ">s" + std::to_string(i) + " x\n" + records[i] + "\n";
  const Genome index(fasta);
  constexpr std::size_t least = 6;
  std::string reads;
  std::vector<std::size_t> alone(records.size()), shared(records.size());
  for (int i = 0; i < 200; ++i) {
    const std::string& from = records[below(random, records.size())];
    std::string read = from.substr(below(random, from.size()), below(random, 30));
    read += random_string(random, below(random, 12), "ACGTN");
    if (i == 0) read = both;
    if (below(random, 2) == 0) read = reverse_complement(read);
    reads +=
        "@r" + std::to_string(i) + "\n" + read + "\n+\n" + std::string(read.size(), 'I') + "\n";
    std::vector<std::size_t> longest;
    for (const std::string& record : records) {
      longest.push_back(
          std::max(longest_common(read, record), longest_common(reverse_complement(read), record)));
    }
    const std::size_t most = *std::max_element(longest.begin(), longest.end());
    if (most < least) continue;
    const bool one = std::count(longest.begin(), longest.end(), most) == 1;
    for (std::size_t r = 0; r < records.size(); ++r)
      if (longest[r] == most) ++(one ? alone : shared)[r];
  }
  index.folder.write("r.fq", reads);
  std::string expected = "target_id\tlength\treads\treads_shared\n";
  for (std::size_t r = 0; r < records.size(); ++r) {
    expected += "s" + std::to_string(r) + "\t" + std::to_string(records[r].size()) + "\t" +
                std::to_string(alone[r]) + "\t" + std::to_string(shared[r]) + "\n";
  }
  CHECK(*std::max_element(shared.begin(), shared.end()) != 0);
  for (const char* batch : {"100", "2097152"}) {
    for (const Arguments& more : {Arguments{"--keep", "r.fq"},
                                  {"--drop", "--unpaired", "r.fq"},
                                  {"--keep", "--interleaved", "--mates", "order", "r.fq"}}) {
      const Outcome outcome = index.filter(
          more + Arguments{"-L", "6", "-t", "2", "--batch", batch, "-o", "o", "--by-record", "t"});
      check_output(outcome, "");
      CHECK(index.folder.read("t") == expected);
    }
  }
  // Of records without reads, and reads without records.
  const Outcome none = index.filter({"--keep", "-L", "6", "--by-record", "t.gz", "-"}, "");
  CHECK(none.exit_code == 0);
  const std::string table = output_of(run_shell("gzip -dc t.gz", {.folder = index.folder.path()}));
  CHECK(lines_of(table).size() == 6);
  CHECK(table.find("\t0\t0\n") != std::string::npos);
  check_failure(index.filter({"--keep", "-o", "o", "--by-record", "r.fq", "r.fq"}), 2,
                {"replace the input"});
  check_failure(index.filter({"--keep", "--by-record", "-", "r.fq"}), 2, {"two outputs"});
}

TEST_CASE("filter --by-record counts reads of proteins by their records") {
  const Genome index(">p\nMKVLAAGYAGLLKWERTYIPSDFGH\n>q\nMKVLAAGYPPPP\n");
  const std::string reads = ">a\nVLAAGYA\n>b\nKVLAAGY\n>c\nAYGAALV\n>d\nAAGYPP\n";
  check_output(index.filter({"--keep", "-L", "5", "--by-record", "t", "-o", "o", "-"}, reads), "");
  CHECK(index.folder.read("t") ==
        "target_id\tlength\treads\treads_shared\np\t25\t1\t1\nq\t12\t1\t1\n");
}

// gsx mappability -E: a place counts once, whatever strands it matches on.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string reverse_complement_of(std::string symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& c : symbols)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return symbols;
}

}  // namespace

TEST_CASE("mappability -E counts places, as count -k --palindromes once does") {
  const TemporaryFolder folder;
  folder.write("p.fa", ">a\nACGTTAACGA\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  for (const char* mismatches : {"2", "3", "4"})
    check_output(gsx({"mappability", "-q", "-K", "10", "-E", mismatches, "--frequency", "p.fa"}),
                 "a\t0\t1\t1\n");
  Random random(run_seed());
  std::string record, kmers;
  for (int i = 0; i < 12; ++i) {
    const std::string unit = random_string(random, 4, "ACGT");
    record += unit + reverse_complement_of(unit) + random_string(random, below(random, 4), "ACGT");
  }
  for (std::size_t p = 0; p + 8 <= record.size(); ++p)
    kmers += record.substr(p, 8) + '\n';
  folder.write("r.fa", ">r\n" + record + '\n');
  folder.write("kmers.txt", kmers);
  for (const char* mismatches : {"1", "2"}) {
    CAPTURE(mismatches);
    const std::string counts =
        output_of(gsx({"count", "-q", "--no-header", "-r", "r.fa", "-k", mismatches,
                       "--palindromes", "once", "-f", "kmers.txt"}));
    std::vector<std::string> expected;
    for (const std::string& line : lines_of(counts)) {
      std::istringstream columns(line);
      std::string name, length, count;
      columns >> name >> length >> count;
      expected.push_back(count);
    }
    std::vector<std::string> found;
    for (const std::string& line :
         lines_of(output_of(gsx({"mappability", "-q", "-K", "8", "-E", mismatches, "--cap", "0",
                                 "--frequency", "r.fa"})))) {
      std::istringstream columns(line);
      std::string name, value;
      std::size_t begin = 0, end = 0;
      columns >> name >> begin >> end >> value;
      found.resize(end, value);
    }
    CHECK(found == expected);
  }
}

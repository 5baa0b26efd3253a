// gsx amplicon --max-hits: the products with the fewest mismatches, where most have more.
#include <algorithm>

#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// The mismatches of both primers in a line.
int mismatches_of(const std::string& line) {
  std::size_t at = 0;
  for (int column = 0; column < 6; ++column)
    at = line.find('\t', at) + 1;
  return line[at] - '0' + (line[at + 2] - '0');
}

/// The products of a run without a limit that --max-hits leaves, without their last columns.
std::vector<std::string> fewest(const std::vector<std::string>& lines, std::size_t most) {
  std::vector<std::string> kept;
  for (int worst = 0; worst < 9; ++worst) {
    kept.clear();
    std::size_t fewer = 0;
    for (const std::string& line : lines)
      fewer += mismatches_of(line) < worst ? 1 : 0;
    for (const std::string& line : lines) {
      const int mismatches = mismatches_of(line);
      if (mismatches > worst || (mismatches == worst && fewer >= most)) continue;
      fewer += mismatches == worst ? 1 : 0;
      kept.push_back(line.substr(0, line.find("\tno", line.size() - 4)));
    }
    if (kept.size() >= most) break;
  }
  for (std::string& line : kept)
    for (int column = 0; column < 2; ++column)
      line.erase(line.rfind('\t'));
  return kept;
}

}  // namespace

TEST_CASE("--max-hits keeps the products with the fewest mismatches, in output order") {
  Random random(17);
  for (int round = 0; round < 12; ++round) {
    std::string record = random_string(random, 150, round % 2 == 0 ? "AT" : "AACTT");
    record += std::string(30, 'A') + random_string(random, 60, "AT") + std::string(30, 'T');
    TemporaryFolder folder;
    folder.write("g.fa", ">r\n" + record + "\n>s\n" + record.substr(40, 90) + "\n");
    const std::string pair = "p\tAA" + random_string(random, 3, "AT") + "\tAAATA\n";
    const auto lines = [&](const Arguments& more) {
      Arguments arguments = {"amplicon", "-q",    "-r", "g.fa",  "-",  "-k",
                             "2",        "--min", "10", "--max", "80", "--no-header"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      return lines_of(output_of(run(arguments, {.input = pair, .folder = folder.path()})));
    };
    const auto all = lines({});
    for (const std::size_t most :
         {std::size_t{1}, std::size_t{7}, all.size() / 9, all.size() / 2}) {
      if (most == 0) continue;
      CAPTURE(most);
      std::vector<std::string> found = lines({"--max-hits", std::to_string(most)});
      for (std::string& line : found)
        for (int column = 0; column < 3; ++column)
          line.erase(line.rfind('\t'));
      CHECK(found == fewest(all, most));
    }
  }
}

TEST_CASE("one product without mismatches is found behind any number of others") {
  TemporaryFolder folder;
  folder.write("g.fa", ">run\n" + std::string(100000, 'A') + "C" + std::string(19, 'A') +
                           std::string(60, 'G') + std::string(19, 'T') + "G\n");
  // Every two places in the run make a product with a mismatch: 5 * 10^9. To look at each takes
  // longer than the CPU time that the shell allows, which is many times that of the search.
  folder.write("pair.tsv", "p\tCAAAAAAAAAAAAAAAAAAA\tTTTTTTTTTTTTTTTTTTTT\n");
  check_output(run_shell("ulimit -t 10; \"$gsx\" amplicon -q -r g.fa pair.tsv -k 1 --max-hits 1 "
                         "--max 200000 --no-header",
                         {.folder = folder.path()}),
               "p\trun\t100000\t100100\t100\t.\t0\t0\tFF\t4997350360\t1\tyes\n");
}

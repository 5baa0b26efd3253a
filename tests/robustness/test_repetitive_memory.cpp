// What goes through suffixes keeps its memory limit, however much they have in common.
#include "support/peak_memory.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Runs of a command with less and less memory, from what a run without a limit takes, and room:
/// each takes no more than it may, or is refused.
void check_limits(const std::string& command, const TemporaryFolder& folder) {
  CAPTURE(command);
  const std::string run = command + " -q g.fa -o out --device cpu -t 2";
  const double most = peak_of(run, folder);
  for (const double share : {1.2, 0.8, 0.6}) {
    const auto limit = static_cast<std::uint64_t>(most * share);
    CAPTURE(limit);
    Outcome outcome;
    const double peak = peak_of(run + " --memory-limit " + std::to_string(limit), folder, outcome);
    CAPTURE(outcome.err);
    CHECK(peak < static_cast<double>(limit) + mapped_bytes);
    CHECK((outcome.exit_code == 0 || (outcome.exit_code == 6 && share < 1)));
  }
}

void check_all_limits(const std::string& fasta) {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  folder.write("g.fa", fasta);
  for (const std::string command :
       {"sa --lcp lcp", "mappability --spectrum --plot plot", "mappability --shortest-unique",
        "mappability -K 30,2000", "repeats --max-hits 5", "repeats --pairs -L 700000", "lz77"})
    check_limits(command, folder);
}

}  // namespace

TEST_CASE("a run of one letter takes no more memory than the limit") {
  check_all_limits(">a\n" + std::string(2'000'000, 'A') + '\n');
}

TEST_CASE("a record that comes twice takes no more memory than the limit") {
  Random random(131);
  const std::string record = random_string(random, 1'000'000, "ACGT");
  check_all_limits(">r\n" + record + "\n>s\n" + record + '\n');
}

TEST_CASE("many copies of a record take no more memory than the limit") {
  Random random(132);
  const std::string record = random_string(random, 100'000, "ACGT");
  std::string copies;
  for (int i = 0; i < 20; ++i)
    copies += ">c" + std::to_string(i) + '\n' + record + '\n';
  check_all_limits(copies);
}

TEST_CASE("k-mers with mismatches take no more memory than the limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(133);
  const TemporaryFolder folder;
  // Some 300,000 rows agree on half of each k-mer, and none of their k-mers is below the cap.
  folder.write(
      "g.fa", ">r\n" + random_string(random, 2'000'000, "ACGT") + std::string(600'000, 'A') + '\n');
  check_limits("mappability -K 40 -E 1 --cap 2", folder);
}

TEST_CASE("the length of k-mers takes no memory") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTTGCATGCATTTACGACGTTGCATGCATTTACGACGTTGCA\n");
  for (const std::string kind : {"single", "multi"}) {
    const std::string run = "mappability -q g.fa -K 200000000 -o out --umap " + kind;
    CHECK(peak_of(run + " --memory-limit 100M", folder) < 100 * megabyte + mapped_bytes);
  }
}

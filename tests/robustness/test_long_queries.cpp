// --memory-limit of count and locate holds for one query of any length.
#include "support/peak_memory.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

TEST_CASE("reading stops as soon as a query is too long for the memory limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(97);
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\n" + random_string(random, 100'000, "ACGT") + '\n');
  REQUIRE(run({"index", "-q", "g.fa"}, {.folder = folder.path()}).exit_code == 0);
  const std::string name(70, 'n');
  const std::string bases(50'000'000, 'A');
  write_gzip(folder / "long.fa.gz", ">" + name + "\n" + bases + '\n');
  write_gzip(folder / "header.fa.gz", ">" + bases + "\nACGT\n");
  write_gzip(folder / "named.txt.gz", name + '\t' + bases + '\n');
  write_gzip(folder / "line.txt.gz", bases + '\n');
  for (const std::string command : {"count", "locate"}) {
    for (const std::string input :
         {"long.fa.gz", "header.fa.gz", "-f named.txt.gz", "-f line.txt.gz"}) {
      for (const std::string threads : {"1", "3"}) {
        CAPTURE(input);
        Outcome outcome;
        const double peak =
            peak_of(command + " -q --device cpu -x g.gsx -o out --memory-limit 40MB -t " + threads +
                        ' ' + input,
                    folder, outcome);
        const bool header = input == "header.fa.gz";
        check_failure(outcome, 6,
                      {header ? "header.fa.gz: record 1, line 1: too little memory for a header "
                                "line of more than "
                              : "too little memory for the query '",
                       "--memory-limit"});
        CHECK(outcome.err.find(std::string(61, 'n')) == std::string::npos);
        CHECK(outcome.err.find(std::string(61, 'A')) == std::string::npos);
        CHECK(peak < 40 * megabyte + mapped_bytes);
        CHECK_FALSE(folder.has("out"));
      }
    }
  }
  // A query that is short enough stays within the limit, in a file and in a list.
  const std::string genome = random_string(random, 4'640'000, "ACGT");
  write_gzip(folder / "genome.fa.gz", ">q\n" + genome + '\n');
  write_gzip(folder / "genome.txt.gz", genome + '\n');
  for (const std::string input : {"genome.fa.gz", "-f genome.txt.gz"}) {
    CAPTURE(input);
    Outcome outcome;
    const double peak = peak_of(
        "count -q --device cpu -x g.gsx -o out --memory-limit 120MB --unmatched u -t 2 " + input,
        folder, outcome);
    CHECK(outcome.exit_code == 0);
    CHECK(folder.read("u").ends_with('\n' + genome + '\n'));
    CHECK(peak < 60 * megabyte);
  }
}

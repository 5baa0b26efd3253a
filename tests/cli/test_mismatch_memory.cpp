// --memory-limit holds for searches with mismatches, whatever the guides and primers are.
#include "support/peak_memory.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr double mib = 1 << 20;

/// The peak of a search of g.fa, which must succeed.
double peak_of_search(const std::string& arguments, const TemporaryFolder& folder) {
  return peak_of(arguments + " -q -t 2 -r g.fa -o out.tsv", folder);
}

std::string guides(Random& random, const std::string& genome, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i)
    lines += genome.substr(below(random, genome.size() - 20), 20) + "\n";
  return lines;
}

}  // namespace

TEST_CASE("--memory-limit holds for guides with bulges, which stand for many patterns") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(7);
  const TemporaryFolder folder;
  const std::string genome = random_string(random, 100'000, "ACGT");
  folder.write("g.fa", ">r\n" + genome + "\n");
  folder.write("guides.txt", guides(random, genome, 1500));
  const std::string search = "offtarget guides.txt -k 1 --dna-bulge 3 --memory-limit ";
  CHECK(peak_of_search(search + "40MiB", folder) < 40 * mib);
  const std::string little = folder.read("out.tsv");
  peak_of_search(search + "4GiB", folder);
  CHECK(folder.read("out.tsv") == little);
}

TEST_CASE("--memory-limit holds for a guide of thousands of bases with bulges") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(8);
  const TemporaryFolder folder;
  const std::string genome = random_string(random, 9000, "ACGT");
  folder.write("g.fa", ">r\n" + genome + "\n");
  folder.write("guides.txt", genome.substr(100, 1500) + genome.substr(1601, 2500) + "\n");
  CHECK(peak_of_search("offtarget guides.txt --pam NN -k 1 --dna-bulge 1 --memory-limit 50MiB",
                       folder) < 50 * mib);
  CHECK(folder.read("out.tsv").find("\t1\t.\n") != std::string::npos);
}

TEST_CASE("--memory-limit holds for primers whose ends are alike") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(9);
  const TemporaryFolder folder;
  folder.write("g.fa",
               ">r\n" + random_string(random, 2'000'000, "ACGT") + std::string(5000, 'A') + "\n");
  std::string primers;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = std::to_string(i);
    primers += name + "\t" + random_string(random, 9, "CG") + std::string(34, 'A') + "\t" +
               random_string(random, 9, "CG") + std::string(34, 'A') + "\n";
  }
  folder.write("primers.tsv", primers);
  CHECK(peak_of_search("amplicon primers.tsv -k 2 --memory-limit 50MiB", folder) < 50 * mib);
}

// gsx offtarget: sites with bulges, from the command line.
#include "support/guide_genome.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// Sites of ACGTTGCAAC: r1 at 0, without a bulge; at 14, forward, with a DNA bulge behind the third
// letter; r2 at its end, reverse, without one of the letters TT.
constexpr const char* guide = "ACGTTGCAAC";
constexpr const char* genome = ">r1\nACGTTGCAACTGGTACGATTGCAACAGGTTT\n>r2\nTTTTTCCAGTTGCACGT\n";

struct Genome : GuideGenome {
  explicit Genome(const std::string& content = genome) : GuideGenome(content) {}
};

const Arguments asked = {"-p", guide, "-k", "0", "--dna-bulge", "1", "--rna-bulge", "1"};

Arguments with(Arguments more) {
  more.insert(more.begin(), asked.begin(), asked.end());
  return more;
}

}  // namespace

TEST_CASE("offtarget counts sites with bulges by kind, size and mismatches") {
  const Genome g;
  check_output(g.offtarget(asked),
               "guide_id\tguide\tpam\tn0\tdna1_n0\trna1_n0\tn_total\tspecificity\n"
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t1\t1\t3\t.\n");
  check_output(g.offtarget({"-p", guide, "-k", "1", "--rna-bulge", "2", "--no-header"}),
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t0\t1\t1\t1\t1\t5\t.\n");
  const Outcome header = g.offtarget({"-", "-k", "1", "--dna-bulge", "2"}, "# none\n");
  check_output(header,
               "guide_id\tguide\tpam\tn0\tn1\tdna1_n0\tdna1_n1\tdna2_n0\tdna2_n1\tn_total\t"
               "specificity\n");
  // Without bulges nothing changes.
  check_output(g.offtarget({"-p", guide, "-k", "0", "--dna-bulge", "0", "--rna-bulge", "0"}),
               "guide_id\tguide\tpam\tn0\tn_total\tspecificity\n"
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t1\t.\n");
}

TEST_CASE("offtarget writes the sites with bulges, in three formats, from an index and FASTA") {
  const Genome g;
  const std::string tsv =
      "guide_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\tsite\t"
      "score\tbulge_type\tbulge_size\taligned_guide\taligned_site\n"
      "ACGTTGCAAC\tr1\t0\t13\t+\t0\t3\t3\tno\tACGTTGCAACTGG\t.\tX\t0\tACGTTGCAACNGG\t"
      "ACGTTGCAACTGG\n"
      "ACGTTGCAAC\tr1\t14\t28\t+\t0\t3\t3\tno\tACGATTGCAACAGG\t.\tDNA\t1\tACG-TTGCAACNGG\t"
      "ACGATTGCAACAGG\n"
      "ACGTTGCAAC\tr2\t5\t17\t-\t0\t3\t3\tno\tACGTGCAACTGG\t.\tRNA\t1\tACGTTGCAACNGG\t"
      "ACG-TGCAACTGG\n";
  check_output(g.sites(asked), tsv);
  const Arguments direct = {"offtarget", "-r",        g.folder.path() + "/g.fa",
                            "-o",        "/dev/null", "--without-pam",
                            "--sites",   "-"};
  Arguments all = direct;
  all.insert(all.end(), asked.begin(), asked.end());
  check_output(run(all), tsv);
  check_output(g.sites(with({"--format", "bed"})),
               "r1\t0\t13\tACGTTGCAAC\t0\t+\nr1\t14\t28\tACGTTGCAAC\t0\t+\n"
               "r2\t5\t17\tACGTTGCAAC\t0\t-\n");
  const std::string lines =
      "X\tACGTTGCAACNGG\tACGTTGCAACTGG\tr1\t0\t+\t0\t0\n"
      "DNA\tACG-TTGCAACNGG\tACGATTGCAACAGG\tr1\t14\t+\t0\t1\n"
      "RNA\tACGTTGCAACNGG\tACG-TGCAACTGG\tr2\t5\t-\t0\t1\n";
  check_output(
      g.sites(with({"--format", "cas-offinder"})),
      "#Bulge type\tcrRNA\tDNA\tChromosome\tPosition\tDirection\tMismatches\tBulge Size\n" + lines);
  check_output(g.sites(with({"--format", "cas-offinder", "--no-header"})), lines);
}

TEST_CASE("of equal sites with bulges, the smallest bulges and the fewest mismatches are kept") {
  const Genome g(">r\nACGTATGCAACTGGCACGTTGCATCTGGCACGTTTGCAACTGG\n");
  const auto kept = [&](const std::string& most) {
    std::string found;
    for (const std::string& line :
         lines_of(output_of(g.sites({"-p", guide, "-k", "1", "--dna-bulge", "1", "--max-hits", most,
                                     "--format", "cas-offinder", "--no-header"}))))
      found += line.substr(0, line.find('\t')) + line.substr(line.rfind("\tr\t") + 2) + "\n";
    return found;
  };
  CHECK(kept("1") == "X\t15\t+\t1\t0\n");
  CHECK(kept("2") == "DNA\t0\t+\t0\t1\nX\t15\t+\t1\t0\n");
  CHECK(kept("3") == "DNA\t0\t+\t0\t1\nX\t15\t+\t1\t0\nDNA\t29\t+\t0\t1\n");
}

TEST_CASE("sites with bulges work with each other option, and have no score") {
  const std::string twenty = "ACGTTGCAACGGTACCATGC";
  const Genome g(">r\n" + twenty + "TGG" + twenty.substr(0, 9) + "T" + twenty.substr(9) + "TGG" +
                 twenty.substr(0, 12) + "A" + twenty.substr(12) + "TAG\n");
  const Outcome scored = g.offtarget({"-p", twenty, "-k", "0", "--dna-bulge", "1", "--no-header"});
  check_output(scored, twenty + "\t" + twenty + "\tNGG\t1\t1\t2\t100.0000\n");
  CHECK(scored.err.find("sites with a bulge have no score") != std::string::npos);
  check_output(
      g.offtarget({"-p", twenty, "-k", "0", "--dna-bulge", "1", "--no-header", "--alt-pam", "NAG"}),
      twenty + "\t" + twenty + "\tNGG,NAG\t1\t2\t3\t100.0000\n");
  const std::string sites = output_of(
      g.sites({"-p", twenty, "-k", "0", "--dna-bulge", "1", "--no-header", "--alt-pam", "NAG"}));
  CHECK(sites.find("\tno\t" + twenty + "TGG\t100.0000\tX\t0\t") != std::string::npos);
  CHECK(sites.find("\t.\tDNA\t1\tACGTTGCAACGG-TACCATGCNAG\tACGTTGCAACGGATACCATGCTAG\n") !=
        std::string::npos);
  // Sites without a bulge decide whether a guide is dropped.
  check_output(
      g.offtarget({"-p", twenty, "-k", "1", "--dna-bulge", "1", "--stop-at", "0:0", "--no-header"}),
      twenty + "\t" + twenty + "\tNGG\t1\t.\t.\t.\t.\t.\n");
  check_output(
      g.offtarget({"-p", twenty, "-k", "1", "--dna-bulge", "1", "--stop-at", "0:1", "--no-header"}),
      twenty + "\t" + twenty + "\tNGG\t1\t0\t1\t0\t2\t100.0000\n");
  const std::string all = output_of(g.offtarget(
      {"--all-sites", "-k", "0", "--dna-bulge", "1", "--rna-bulge", "1", "--no-header"}));
  CHECK(all.starts_with("r:0-23(+)\t" + twenty + "\tNGG\t1\t1\t0\t2\t100.0000\n"));

  const Genome before(">r\nGGGTTTAACGTATGCAACGGG\n");
  check_output(before.sites({"-p", guide, "-k", "0", "--dna-bulge", "1", "--nuclease", "Cas12a",
                             "--no-header"}),
               "ACGTTGCAAC\tr\t3\t18\t+\t0\t1\t1\tno\tTTTAACGTATGCAAC\t.\tDNA\t1\t"
               "TTTVACGT-TGCAAC\tTTTAACGTATGCAAC\n");
}

TEST_CASE("bulges that are too large are refused") {
  const Genome g;
  check_failure(g.offtarget({"-p", guide, "--dna-bulge", "6"}), 2, {"--dna-bulge", "5"});
  check_failure(g.offtarget({"-p", guide, "--rna-bulge", "x"}), 2, {"--rna-bulge"});
}

TEST_CASE("threads, memory and the way of searching do not change the sites with bulges") {
  Random random(3);
  const std::string piece = random_string(random, 60, "ACGT");
  std::string record = random_string(random, 100000, "ACGT"), guides;
  for (int i = 0; i < 2000; ++i)
    record += piece + random_string(random, below(random, 3), "ACGT") + "AGG";
  for (int i = 0; i < 30; ++i)
    guides += record.substr(below(random, 100000), 20) + "\n";
  guides += piece.substr(40) + "\nACGTNNRYACGTACGTACGT\n" + piece.substr(37) + "\n";
  const Genome g(">r\n" + record + "\n");
  std::vector<std::string> tables, sites;
  for (const Arguments& how :
       std::vector<Arguments>{{"-t", "1"}, {"-t", "3"}, {"-t", "1", "--memory-limit", "24M"}}) {
    Arguments arguments = {"-",           "-k", "3",           "--sites", "s.tsv",
                           "--dna-bulge", "2",  "--rna-bulge", "1"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const Outcome outcome = g.offtarget(arguments, guides);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    tables.push_back(outcome.out);
    sites.push_back(g.folder.read("s.tsv"));
  }
  CHECK(tables[0] == tables[1]);
  CHECK(tables[0] == tables[2]);
  CHECK(sites[0] == sites[1]);
  CHECK(sites[0] == sites[2]);
  CHECK(lines_of(sites[0]).size() > 4000);
}

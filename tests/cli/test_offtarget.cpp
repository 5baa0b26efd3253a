// gsx offtarget: the sites of guides, from the command line.
#include <algorithm>

#include "support/guide_genome.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// Sites of ACGTTGCAAC: r1 at 0, forward, then with one mismatch; r2 at its end, reverse.
constexpr const char* guide = "ACGTTGCAAC";
constexpr const char* genome =
    ">r1 a record\nACGTTGCAACTGGTTTTTACCTTGCAACAGGTTT\n>r2\nTTTTTCCAGTTGCAACGT\n"
    ">r3\nNCGTTGCAACTGG\n";

struct Genome : GuideGenome {
  explicit Genome(const std::string& content = genome) : GuideGenome(content) {}
};

}  // namespace

TEST_CASE("offtarget counts the sites of each guide by mismatches") {
  const Genome g;
  const std::string header = "guide_id\tguide\tpam\tn0\tn1\tn2\tn_total\tspecificity\n";
  check_output(g.offtarget({"-", "-k", "2"}, "ACGTTGCAAC\nmine\tacguugcaat\n"),
               header + "ACGTTGCAAC\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\n" +
                   "mine\tACGTTGCAAT\tNGG\t0\t2\t1\t3\t.\n");
  // FASTA, an IUPAC code, and a guide twice
  check_output(g.offtarget({"-", "-k", "2", "--no-header"},
                           ">a b\nACGTT\nGCAAC\n>c\nACSTTGCAAC\n"
                           ">a\nACGTTGCAAC\n"),
               "a\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\nc\tACSTTGCAAC\tNGG\t3\t0\t0\t3\t.\n"
               "a\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\n");
  CHECK(g.offtarget({"-p", guide, "-k", "2"}).err.find("1 site of the PAM NGG left out") !=
        std::string::npos);
}

TEST_CASE("a guide without a site that has a score has no specificity") {
  const Genome g;
  const std::string none = "GATCGATCGATCGATCGATC";
  check_output(g.offtarget({"-p", none, "-k", "0", "--no-header"}),
               none + "\t" + none + "\tNGG\t0\t0\t.\n");
  g.folder.write("one.fa", ">x\nGATCGATCGATGCGATCGATCAGG\n");
  check_output(run({"offtarget", "-q", "-r", g.folder.path() + "/one.fa", "-p", none, "-k", "0",
                    "--no-header", "--dna-bulge", "1"}),
               none + "\t" + none + "\tNGG\t0\t1\t1\t.\n");
}

TEST_CASE("offtarget writes each site, in three formats, from an index and from FASTA") {
  const Genome g;
  const Arguments asked = {"-p", guide, "-k", "2"};
  const std::string tsv =
      "guide_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\tsite\t"
      "score\n"
      "ACGTTGCAAC\tr1\t0\t13\t+\t0\t3\t3\tno\tACGTTGCAACTGG\t.\n"
      "ACGTTGCAAC\tr1\t18\t31\t+\t1\t3\t3\tno\tACcTTGCAACAGG\t.\n"
      "ACGTTGCAAC\tr2\t5\t18\t-\t0\t3\t3\tno\tACGTTGCAACTGG\t.\n";
  check_output(g.sites({"-p", guide, "-k", "2"}), tsv);
  const Outcome direct = run({"offtarget", "-r", g.folder.path() + "/g.fa", "-p", guide, "-k", "2",
                              "-o", "/dev/null", "--sites", "-"});
  check_output(direct, tsv);
  check_output(g.sites({"-p", guide, "-k", "2", "--format", "bed"}),
               "r1\t0\t13\tACGTTGCAAC\t0\t+\nr1\t18\t31\tACGTTGCAAC\t1\t+\n"
               "r2\t5\t18\tACGTTGCAAC\t0\t-\n");
  check_output(g.sites({"-p", guide, "-k", "2", "--format", "cas-offinder"}),
               "ACGTTGCAACNNN\tr1\t0\tACGTTGCAACTGG\t+\t0\n"
               "ACGTTGCAACNNN\tr1\t18\tACcTTGCAACAGG\t+\t1\n"
               "ACGTTGCAACNNN\tr2\t5\tACGTTGCAACTGG\t-\t0\n");
  // The sites of both strands are those of each, however they are searched.
  const auto lines_of_strand = [&](const Arguments& how, const char* strand) {
    Arguments arguments = {"-p", guide, "-k", "2", "--format", "bed", "--strand", strand};
    arguments.insert(arguments.end(), how.begin(), how.end());
    return g.sites(arguments).out;
  };
  for (const Arguments& how : {Arguments{},
                               {"--alt-pam", "NAG"},
                               {"--dna-bulge", "1"},
                               {"--circular", "all"},
                               {"--max-hits", "9"},
                               {"--stop-at", "1:9"}}) {
    CAPTURE(how);
    const std::string forward = lines_of_strand(how, "fwd"), reverse = lines_of_strand(how, "rev");
    CHECK(forward.find("\t-\n") == std::string::npos);
    CHECK(reverse.find("\t+\n") == std::string::npos);
    std::vector<std::string> each = lines_of(forward + reverse);
    std::vector<std::string> both = lines_of(lines_of_strand(how, "both"));
    CHECK(both.size() >= 3);
    std::ranges::sort(each);
    std::ranges::sort(both);
    CHECK(each == both);
  }
  check_output(g.offtarget({"-p", guide, "-k", "2", "--no-header", "--strand", "rev"}),
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t0\t0\t1\t.\n");
  // The name of the file names the format.
  CHECK(g.offtarget({"-p", guide, "--sites", "s.bed"}).exit_code == 0);
  CHECK(g.folder.read("s.bed").starts_with("r1\t0\t13\t"));
}

TEST_CASE("offtarget keeps the sites with the fewest mismatches and counts all") {
  const Genome g;
  check_output(g.sites({"-p", guide, "-k", "2", "--max-hits", "2", "--no-header"}),
               "ACGTTGCAAC\tr1\t0\t13\t+\t0\t3\t2\tyes\tACGTTGCAACTGG\t.\n"
               "ACGTTGCAAC\tr2\t5\t18\t-\t0\t3\t2\tyes\tACGTTGCAACTGG\t.\n");
  const Outcome counts = g.offtarget(
      {"-p", guide, "-k", "2", "--max-hits", "2", "--no-header", "--sites", "/dev/null"});
  check_output(counts, "ACGTTGCAAC\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\n");
  CHECK(counts.err.find("--max-hits") != std::string::npos);
}

TEST_CASE("offtarget drops a guide with too many close sites, and says so") {
  const Genome g;
  const Outcome dropped =
      g.offtarget({"-p", guide, "-p", "ACGTTGCAAT", "-k", "2", "--stop-at", "0:1", "--no-header"});
  check_output(dropped,
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t2\t.\t.\t.\t.\n"
               "ACGTTGCAAT\tACGTTGCAAT\tNGG\t0\t2\t1\t3\t.\n");
  CHECK(dropped.err.find("--stop-at") != std::string::npos);
  check_output(g.sites({"-p", guide, "-k", "2", "--stop-at", "0:1", "--no-header"}), "");
  check_failure(g.offtarget({"-p", guide, "--stop-at", "4:1"}), 2,
                {"needs more than 4 mismatches"});
  check_failure(g.offtarget({"-p", guide, "--stop-at", "1"}), 2, {"is not I:N"});
}

TEST_CASE("a PAM may lie on either side, and has presets") {
  const Genome g(">r\nGGGTTTAACGTTGCAACGGG\n");
  check_output(g.offtarget({"-p", guide, "-k", "1", "--nuclease", "Cas12a", "--no-header"}),
               "ACGTTGCAAC\tACGTTGCAAC\tTTTV\t1\t0\t1\t.\n");
  check_output(
      g.offtarget({"-p", guide, "-k", "1", "--pam", "uuua", "--pam-side", "5", "--no-header"}),
      "ACGTTGCAAC\tACGTTGCAAC\tTTTA\t1\t0\t1\t.\n");
  check_output(g.sites({"-p", guide, "-k", "1", "--pam", "TTTA", "--pam-side", "5", "--no-header"}),
               "ACGTTGCAAC\tr\t3\t17\t+\t0\t1\t1\tno\tTTTAACGTTGCAAC\t.\n");
  check_output(g.offtarget({"-p", "TTTAACGTTGCAAC", "--with-pam", "-k", "1", "--nuclease", "Cas12a",
                            "--no-header"}),
               "TTTAACGTTGCAAC\tACGTTGCAAC\tTTTV\t1\t0\t1\t.\n");
  check_failure(g.offtarget({"-p", guide, "--pam", "NGG", "--nuclease", "SaCas9"}), 2,
                {"both name the PAM"});
  check_failure(g.offtarget({"-p", guide, "--pam", "N!G"}), 2, {"is no IUPAC code"});
}

TEST_CASE("guides may hold the PAM, which is cut off if the user says so") {
  const Genome g;
  const std::string with = "ACGTTGCAACTGG\nACGTTGCAACAGG\n";
  const std::string line = "\tACGTTGCAAC\tNGG\t2\t1\t3\t.\n";
  check_output(g.offtarget({"-", "--with-pam", "-k", "1", "--no-header"}, with),
               "ACGTTGCAACTGG" + line + "ACGTTGCAACAGG" + line);
  CHECK(g.offtarget({"-", "--without-pam"}, with).exit_code == 0);
  check_failure(g.offtarget({"-", "--with-pam"}, with + "ACGTTGCAACTTT\n"), 3,
                {"does not end in the PAM NGG"});
  check_failure(g.offtarget({"-", "--with-pam", "--without-pam"}, with), 2);
}

TEST_CASE("the sites that N leaves out are those of the longest guide of the run") {
  const Genome g;  // r3 has N 10 bases before its PAM
  const std::string out = "1 site of the PAM NGG left out: the ";
  CHECK(g.offtarget({"-", "-k", "0"}, "ACGTTGCAA\n").err.find("left out") == std::string::npos);
  std::string many;
  for (int i = 0; i < 9000; ++i)
    many += "ACGTTGCAA\n";
  const Outcome later = g.offtarget(
      {"-", "-k", "0", "-t", "1", "--memory-limit", "32M", "-o", "/dev/null"}, many + guide + "\n");
  CHECK(later.err.find(out + "10 bases beside it, as many as the longest guide has") !=
        std::string::npos);
  CHECK(g.offtarget({"-p", guide, "--circular", "r1"})
            .err.find("; sites that span an origin are not counted") != std::string::npos);
}

TEST_CASE("the specificity is that of the MIT scores, without the guide's own site") {
  // 20 bases; at 0 mismatches, with one at position 20, and with two at 19 and 20
  const std::string twenty = "ACGTTGCAACGGTACCATGC";
  const Genome g(">r\n" + twenty + "TGGTTT" + twenty.substr(0, 19) + "ATGGTTT" +
                 twenty.substr(0, 18) + "TATGG\n");
  // 100 * (1 - 0.583) = 41.7; (1 - 0.685) (1 - 0.583) / (18 / 19 * 4 + 1) / 4 = 0.6856 %
  check_output(g.sites({"-p", twenty, "-k", "2", "--no-header"}),
               twenty + "\tr\t0\t23\t+\t0\t3\t3\tno\t" + twenty + "TGG\t100.0000\n" + twenty +
                   "\tr\t26\t49\t+\t1\t3\t3\tno\tACGTTGCAACGGTACCATGaTGG\t41.7000\n" + twenty +
                   "\tr\t52\t75\t+\t2\t3\t3\tno\tACGTTGCAACGGTACCATtaTGG\t0.6856\n");
  check_output(g.offtarget({"-p", twenty, "-k", "2", "--no-header"}),
               twenty + "\t" + twenty + "\tNGG\t1\t1\t1\t3\t70.2318\n");
  check_output(g.offtarget({"-p", twenty, "-k", "2", "--no-header", "--score", "none"}),
               twenty + "\t" + twenty + "\tNGG\t1\t1\t1\t3\t.\n");
}

TEST_CASE("guides that cannot be searched are counted; if all are such, it is an error") {
  const Genome g;
  const Outcome some = g.offtarget({"-", "-k", "2", "--no-header"}, "AC!T\nNNNN\nAC\nACGTTGCAAC\n");
  check_output(some,
               "AC!T\tAC!T\tNGG\t.\t.\t.\t.\t.\nNNNN\tNNNN\tNGG\t.\t.\t.\t.\t.\n"
               "AC\tAC\tNGG\t.\t.\t.\t.\t.\nACGTTGCAAC\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\n");
  CHECK(some.err.find("3 of 4 guides cannot be searched (first: 'AC!T' holds '!'") !=
        std::string::npos);
  CHECK(g.offtarget({"-", "-k", "2"}, "NNNN\n").exit_code == 3);
  check_failure(g.offtarget({"-p", "NNNNN"}), 2, {"stands for any sequence"});
  check_failure(g.offtarget({"-p", "ACG", "-k", "3"}), 2, {"not longer than the 3 mismatches"});
}

TEST_CASE("offtarget runs on the device that was asked for, or says why not") {
  const Genome g;
  const Outcome cpu = g.offtarget({"-p", guide, "--device", "cpu"});
  CHECK(cpu.exit_code == 0);
  CHECK(cpu.err.find("| device cpu |") != std::string::npos);
  check_failure(g.offtarget({"-p", guide, "--device", "gpu"}), 2, {"gpu"});
  check_failure(g.offtarget({"-p", guide, "--device", "cuda:77"}), 7);
}

TEST_CASE("an empty file of guides is an empty result") {
  const Genome g;
  const Outcome empty = g.offtarget({"-", "-k", "0"}, "# none\n\n");
  check_output(empty, "guide_id\tguide\tpam\tn0\tn_total\tspecificity\n");
  CHECK(empty.err.find("the file has no guides") != std::string::npos);
}

TEST_CASE("wrong input to offtarget is refused") {
  const Genome g;
  check_failure(g.offtarget({"-"}, "ACGT ACGT\n"), 3, {"there is a blank inside the sequence"});
  check_failure(g.offtarget({"missing.txt"}), 3, {"cannot read it"});
  check_failure(g.offtarget({}), 2, {"no guides"});
  check_failure(g.offtarget({"-p", guide, "--format", "bed"}), 2, {"--sites"});
  check_failure(g.offtarget({"-p", guide, "--max-hits", "3"}), 2, {"--sites"});
  check_failure(g.offtarget({"-p", guide, "--sites", "-"}), 2,
                {"two outputs go to standard output"});
  check_failure(g.offtarget({"-p", guide, "-r", "g.fa"}), 2, {"give one of them"});
  check_failure(g.offtarget({"-p", guide, "--memory-limit", "1M"}), 6, {"too little memory"});
  const std::string protein = g.folder.write("p.fa", ">p\nMKVLLAEEFQ\n");
  CHECK(run({"index", protein}).exit_code == 0);
  check_failure(run({"offtarget", "-x", g.folder.path() + "/p.gsx", "-p", guide}), 2,
                {"DNA index"});
}

TEST_CASE("threads, memory and the way of searching do not change what offtarget writes") {
  Random random(3);
  std::string record = random_string(random, 300000, "ACGT"), guides;
  for (int i = 0; i < 200; ++i)
    guides += record.substr(below(random, record.size() - 20), 20) + "\n";
  guides += "ACGTNNRYACGTACGTACGT\n" + record.substr(7, 24) + "\n";
  const Genome g(">r\n" + record + "\n");
  std::vector<std::string> tables, sites;
  for (const Arguments& how :
       std::vector<Arguments>{{"-t", "1"}, {"-t", "3"}, {"-t", "1", "--memory-limit", "24M"}}) {
    Arguments arguments = {"-", "-k", "4", "--sites", "s.tsv"};
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
  // Few guides are not looked up in a table, but compared with every place.
  const std::string first = guides.substr(0, guides.find('\n') + 1);
  const std::string alone = output_of(g.offtarget({"-", "-k", "4", "--without-pam"}, first));
  CHECK(tables[0].starts_with(alone));
}

TEST_CASE("sites of several PAMs are joined, in output order") {
  const Genome g(">r\nACGTTGCAACTAGACGTTGCAACTGGACGTTGCATCAAGACGTTGCAACTTT\n");
  const Arguments two = {"-p", guide, "-k", "1", "--alt-pam", "nag", "--no-header"};
  check_output(g.offtarget(two), "ACGTTGCAAC\tACGTTGCAAC\tNGG,NAG\t2\t1\t3\t.\n");
  check_output(g.sites(two),
               "ACGTTGCAAC\tr\t0\t13\t+\t0\t3\t3\tno\tACGTTGCAACTAG\t.\n"
               "ACGTTGCAAC\tr\t13\t26\t+\t0\t3\t3\tno\tACGTTGCAACTGG\t.\n"
               "ACGTTGCAAC\tr\t26\t39\t+\t1\t3\t3\tno\tACGTTGCAtCAAG\t.\n");
  Arguments capped = two;
  capped.insert(capped.end(), {"--max-hits", "1"});
  check_output(g.sites(capped), "ACGTTGCAAC\tr\t0\t13\t+\t0\t3\t1\tyes\tACGTTGCAACTAG\t.\n");
  check_failure(g.offtarget({"-p", guide, "--alt-pam", "NRG"}), 2, {"have sites in common"});
  check_failure(g.offtarget({"-p", guide, "--alt-pam", "AG"}), 2, {"is not as long as"});
  check_failure(g.offtarget({"-p", guide, "--alt-pam", "N!G"}), 2, {"is no IUPAC code"});

  // NGG and NAG are NRG.
  Random random(7);
  const std::string record = random_string(random, 100000, "ACGT");
  const Genome large(">r\n" + record + "\n");
  std::string guides;
  for (int i = 0; i < 300; ++i)
    guides += "g\t" + record.substr(below(random, record.size() - 20), 20) + "\n";
  const auto found = [&](const Arguments& pam) {
    Arguments arguments = {"-", "-k", "4", "--without-pam", "--sites", "-", "-o", "/dev/null"};
    arguments.insert(arguments.end(), pam.begin(), pam.end());
    return output_of(large.offtarget(arguments, guides));
  };
  CHECK(found({"--alt-pam", "NAG"}) == found({"--pam", "NRG"}));
}

TEST_CASE("every site of the PAM in the genome, or in regions, can be a guide") {
  const Genome g;
  const Arguments all = {"--all-sites", "--guide-length", "10", "-k", "2", "--no-header"};
  const std::string first = "r1:0-13(+)\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\n",
                    second = "r1:18-31(+)\tACCTTGCAAC\tNGG\t1\t2\t0\t3\t.\n",
                    turned = "r1:19-32(-)\tACCTGTTGCA\tNGG\t1\t0\t0\t1\t.\n",
                    third = "r2:5-18(-)\tACGTTGCAAC\tNGG\t2\t1\t0\t3\t.\n";
  check_output(g.offtarget(all), first + second + turned + third);
  const auto within = [&](const std::string& regions) {
    Arguments arguments = all;
    arguments.insert(arguments.end(), {"--guides-in", "-"});
    return g.offtarget(arguments, regions);
  };
  check_output(within("r1\t18\t31\nr2\t0\t18\n"), second + third);
  check_output(within("r1:19-31\n"), second);
  check_output(within("r1\t20\t40\nr1\t12\t20\nr2\t6\t18\n"), second + turned);  // joined; cut off
  check_output(within("# none\n"), "");
  check_failure(within("r9\t0\t3\n"), 3, {"r9"});
  check_failure(g.offtarget({"--all-sites", "guides.txt"}), 2, {"from the genome"});
  check_failure(g.offtarget({"--all-sites", "-p", guide}), 2, {"leave out -p"});
  check_failure(g.offtarget({"--all-sites", "--with-pam"}), 2);
  check_failure(g.offtarget({"-p", guide, "--guides-in", "r.bed"}), 2, {"--all-sites"});
  check_failure(g.offtarget({"-p", guide, "--guide-length", "9"}), 2, {"--all-sites"});
  check_failure(g.offtarget({"--all-sites", "--guide-length", "4"}), 2, {"not longer than"});
}

TEST_CASE("all sites of a genome are found as guides of a file are") {
  Random random(5);
  const Genome g(">a\n" + random_string(random, 60000, "ACGT") + "\n>b\n" +
                 random_string(random, 500, "ACGGTN") + "\n");
  const std::string all = output_of(g.offtarget({"--all-sites", "-k", "3", "--pam", "NRG"}));
  std::string guides;
  for (const std::string& line : lines_of(all)) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with("guide_id")) guides += line.substr(0, line.find('\t', tab + 1)) + "\n";
  }
  CHECK(lines_of(guides).size() > 10000);
  check_output(g.offtarget({"-", "--without-pam", "-k", "3", "--pam", "NRG"}, guides), all);
}

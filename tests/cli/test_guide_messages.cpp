// What gsx offtarget says of guides that seem to hold the PAM, or cannot be searched.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

const std::string first = "GACACCAGACCAACTGGTAA", second = "ATTTTTGACACCAGACCAAC";
const std::string no_pam = "ATTTTTGACACCAGACCAACTGA";

struct Genome {
  TemporaryFolder folder;
  Genome() { folder.write("g.fa", ">r\n" + first + "TGGTTTT" + second + "AGG\n"); }

  Outcome offtarget(Arguments arguments, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), {"offtarget", "-r", "g.fa", "-k", "3"});
    return run(arguments, {.input = input, .folder = folder.path()});
  }
};

bool warns(const Outcome& outcome) {
  CHECK(outcome.exit_code == 0);
  return outcome.err.find("give --with-pam") != std::string::npos;
}

}  // namespace

TEST_CASE("guides that all end in the PAM are refused, with the remedy") {
  const Genome g;
  const std::string with = first + "TGG\n" + second + "AGG\n";
  check_failure(g.offtarget({"-"}, with), 3, {"all 2 guides end in the PAM NGG: give --with-pam"});
  check_failure(g.offtarget({"-p", first + "TGG"}), 3, {"the guide seems to end in the PAM"});
  check_output(g.offtarget({"-", "--with-pam", "--no-header", "--score", "none"}, with),
               first + "TGG\t" + first + "\tNGG\t1\t0\t0\t0\t1\t.\n" + second + "AGG\t" + second +
                   "\tNGG\t1\t0\t0\t0\t1\t.\n");
  CHECK_FALSE(warns(g.offtarget({"-", "--without-pam"}, with)));
}

TEST_CASE("offtarget warns if many guides end in the PAM, but not all") {
  const Genome g;
  const Outcome half = g.offtarget({"-"}, first + "TGG\n" + no_pam + "\n");
  CHECK(warns(half));
  CHECK(half.err.find("1 of 2 guides end in the PAM NGG") != std::string::npos);
  CHECK_FALSE(warns(g.offtarget({"-"}, first + "TGG\n" + no_pam + "\n" + second + "\n")));
  CHECK_FALSE(warns(g.offtarget({"-", "--without-pam"}, first + "TGG\n" + no_pam + "\n")));
  // A guide that is shorter than usual without the PAM: only if all of several end so.
  CHECK(warns(g.offtarget({"-"}, "CACCAGACCAACTGGTAATGG\nTTTGACACCAGACCAACAGG\n")));
}

TEST_CASE("offtarget warns of a few guides that are longer by their PAM") {
  const Genome g;
  const Outcome few =
      g.offtarget({"-"}, "a\t" + first + "\nb\t" + second + "\nc\t" + first + "TGG\n");
  CHECK(warns(few));
  CHECK(few.err.find("1 of 3 guides end in the PAM NGG and are 3 longer than a guide, first 'c'") !=
        std::string::npos);
  CHECK(few.err.find("--without-pam") != std::string::npos);
}

TEST_CASE("a guide of the usual length may end as the PAM does") {
  const Genome g;
  CHECK_FALSE(warns(g.offtarget({"-p", "GACACCAGACCAACTGGAGG"})));
  CHECK_FALSE(warns(g.offtarget({"-p", "GACACCAGACCAACTGGAAA", "--nuclease", "SpRY"})));
  const std::string letters = "TTTAGACACCAGACCAACTGGAAACCTTGG";
  for (const auto& [nuclease, length] :
       {std::pair<std::string, std::size_t>{"SpCas9", 20}, {"Cas12a", 23}, {"NmCas9", 24}}) {
    CAPTURE(nuclease);
    const std::string pam = nuclease == "SpCas9" ? "TGG" : nuclease == "Cas12a" ? "" : "ACGTGATT";
    const std::size_t size = nuclease == "Cas12a" ? length + 4 : length;
    const Arguments whole = {"-p", letters.substr(0, size) + pam, "--nuclease", nuclease};
    const Arguments shorter = {"-p", letters.substr(0, size - 1) + pam, "--nuclease", nuclease};
    check_failure(g.offtarget(whole), 3, {"the guide seems to"});
    CHECK_FALSE(warns(g.offtarget(shorter)));
  }
}

TEST_CASE("the message of a guide without its PAM names it once") {
  const Genome g;
  check_failure(g.offtarget({"-", "--with-pam"}, no_pam + "\n"), 3,
                {"the guide '" + no_pam + "' does not end in the PAM NGG, as --with-pam says"});
  check_failure(g.offtarget({"-", "--with-pam"}, "mine\t" + no_pam + "\n"), 3,
                {"the guide 'mine', " + no_pam + ", does not end in the PAM NGG"});
  // In a later line, the names of columns are a guide.
  check_failure(g.offtarget({"-", "--with-pam"}, first + "TGG\nname\tsequence\n"), 3,
                {"the guide 'name', sequence, does not", "it looks like a header line"});
}

TEST_CASE("a guide that cannot be searched has no numbers, and is written as it was read") {
  const Genome g;
  const Outcome header = g.offtarget({"-", "--no-header"}, "name\tsequence\nmine\t" + first + "\n");
  check_output(header, "mine\t" + first + "\tNGG\t1\t0\t0\t0\t1\t100.0000\n");
  CHECK(header.err.find("the first line is taken for a header") != std::string::npos);
  const Outcome odd = g.offtarget({"-", "--no-header", "--rna-bulge", "1", "--stop-at", "0:9"},
                                  "augqu\n" + first + "\n");
  CHECK(odd.out.starts_with("augqu\taugqu\tNGG\t.\t.\t.\t.\t.\t.\t.\t.\t.\t.\n"));
  CHECK(odd.err.find("header line") == std::string::npos);
}

TEST_CASE("the guides of all sites are as long as the nuclease uses them") {
  const Genome g;
  g.folder.write("s.fa", ">r\nTTTACCCCCCCCCCCCCCCCCCCCCCCCCCCCCCAAGAATTTTTTTTTTTTTTTT\n");
  const auto length = [&](const Arguments& how) {
    Arguments arguments = {"offtarget", "-r", g.folder.path() + "/s.fa", "--all-sites",
                           "--no-header"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const std::string line = output_of(run(arguments));
    const std::size_t begin = line.find('\t') + 1;
    return line.find('\t', begin) - begin;
  };
  CHECK(length({"--nuclease", "Cas12a"}) == 23);
  CHECK(length({"--nuclease", "SaCas9"}) == 21);
  CHECK(length({"--nuclease", "SpRY"}) == 20);
  CHECK(length({"--nuclease", "Cas12a", "--guide-length", "22"}) == 22);
  CHECK(length({"--pam", "TTTV", "--pam-side", "5"}) == 20);
}

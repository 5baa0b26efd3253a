// gsx offtarget: PAMs that allow every base, and several PAMs of guides with many sites.
#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

TEST_CASE("a PAM of N alone does not make guides look as if they held it") {
  const std::string guide = "ACGTTGCAACTGACCTTGAAGGCA";
  const IndexedFolder g(">r\nTT" + guide + "TT\n");
  for (const std::string pam : {"N", "NN"}) {
    for (const std::string side : {"3", "5"}) {
      const Outcome outcome = g.gsx({"offtarget", "-x", "g.gsx", "--pam", pam, "--pam-side", side,
                                     "-p", guide, "-k", "0", "--score", "none", "--no-header"});
      check_output(outcome, guide + '\t' + guide + '\t' + pam + "\t1\t1\t.\n");
      CHECK(outcome.err.find("--with-pam") == std::string::npos);
    }
  }
}

TEST_CASE("sites of several PAMs are written in little memory, however many a guide has") {
  Random random(5);
  const std::string some = random_string(random, 3000, "ACGT");
  // Of the guides, the second and the third one have more sites than may be held.
  const IndexedFolder g(">r\n" + some + std::string(300000, 'A') + some + "\n>s\n" +
                        std::string(90000, 'T') + "\n");
  const std::string guides = some.substr(100, 20) + "\n" + std::string(20, 'A') + "\n" +
                             std::string(11, 'T') + "\n" + some.substr(700, 20) + "\n";
  const auto found = [&g, &guides](const Arguments& more) {
    Arguments arguments = {"offtarget", "-q", "-x", "g.gsx", "-", "--without-pam", "-k", "2"};
    arguments.insert(arguments.end(), {"--pam", "NWA", "--alt-pam", "NWT"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = g.gsx(arguments, guides);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  };
  const auto check_same = [&found](Arguments arguments) {
    const std::string expected = found(arguments);
    arguments.insert(arguments.end(), {"--memory-limit", "24M", "-t", "1"});
    CHECK(found(arguments) == expected);
  };
  check_same({});  // the score of each site
  Arguments sites = {"-o", "/dev/null", "--sites", "-", "--format", "bed"};
  check_same(sites);
  sites.insert(sites.end(), {"--max-hits", "3"});
  check_same(sites);
}

// gsx offtarget: PAMs that allow every base.
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

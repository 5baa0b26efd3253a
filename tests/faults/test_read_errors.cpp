// Reads that fail: the message says so, whatever was being read.
#include "support/program.hpp"

using namespace gsx::testing;

TEST_CASE("a BWT that cannot be read is not called empty") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\n" + std::string(3'000'000, 'A') + "\n");
  folder.write("empty", "");
  REQUIRE(run({"bwt", "-q", folder / "g.fa", "-o", folder / "g.bwt"}).exit_code == 0);
  int failed = 0;
  for (int at = 1; at <= 40; ++at) {
    CAPTURE(at);
    std::string line = "exec env LD_PRELOAD=" GSX_FAILING_IO
                       " FAIL_CALL=read FAIL_ERRNO=5 FAIL_AT=" +
                       std::to_string(at);
    if (sanitized) line += " ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0";
    const Outcome outcome =
        run_shell(line + " \"$gsx\" bwt -q --inverse g.bwt", {.folder = folder.path()});
    if (outcome.exit_code == 0) continue;
    check_failure(outcome, 3, {"g.bwt", "Input/output error"});
    ++failed;
  }
  CHECK(failed > 0);
  check_failure(run({"bwt", "-q", "--inverse", folder / "empty"}), 3, {"is empty: not a BWT"});
}

// Which error is reported when several things are wrong: queries are read while the index is being
// opened, and what is wrong with them must not show before what is wrong with the index.
#include "support/files.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// Gzip whose first record is wrong, and which ends early.
void write_damaged_reads(const TemporaryFolder& folder) {
  write_gzip(folder / "reads.fq.gz", "@a\nACGT\n+\nIIII\n?\n" + std::string(5000, 'A'));
  const std::string bytes = folder.read("reads.fq.gz");
  folder.write("reads.fq.gz", bytes.substr(0, bytes.size() - 9));
}

}  // namespace

TEST_CASE("an error of the index comes before those of queries that are read ahead") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">t\nACGTACGTTTGA\n");
  output_of(run({"index", "-q", "t.fa"}, {.folder = folder.path()}));
  write_damaged_reads(folder);
  std::string damaged = folder.read("t.gsx");
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  folder.write("damaged.gsx", damaged);
  folder.write("foreign.gsx", "no index");
  const std::pair<const char*, int> indexes[] = {
      {"missing.gsx", 4}, {"foreign.gsx", 4}, {"damaged.gsx", 5}, {"t.gsx", 3}};
  for (const auto& [index, code] : indexes) {
    for (const char* threads : {"1", "4"}) {
      CAPTURE(index);
      CAPTURE(threads);
      const Outcome outcome = run({"count", "-q", "-t", threads, "-x", index, "--device", "cpu",
                                   "-o", "out.tsv", "reads.fq.gz"},
                                  {.folder = folder.path()});
      check_failure(outcome, code);
      CHECK((outcome.err.find("reads.fq.gz") != std::string::npos) == (code == 3));
      CHECK_FALSE(folder.has("out.tsv"));
    }
  }
}

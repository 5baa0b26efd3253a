// Impossible values in section 'meta', under right checksums, are refused by the name of the field.
#include "support/index_file.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("an impossible field of section 'meta' is named") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTNNGATTACA\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "g.fa"}, here).exit_code == 0);
  const std::string good = folder.read("g.gsx");
  struct Forgery {
    const char* says;
    std::function<void(Meta&)> change;
  };
  const std::vector<Forgery> forgeries = {
      {"impossible length", [](Meta& meta) { meta.length = std::uint64_t{1} << 60; }},
      {"impossible segments", [](Meta& meta) { meta.segments = 0; }},
      {"impossible segments", [](Meta& meta) { meta.segments = meta.length + 1; }},
      {"impossible records", [](Meta& meta) { meta.records = 0; }},
      {"impossible policy", [](Meta& meta) { meta.policy = 0; }},
      {"impossible policy", [](Meta& meta) { meta.policy = 257; }},
      {"impossible sigma", [](Meta& meta) { meta.sigma = 0; }},
      {"impossible sigma", [](Meta& meta) { meta.sigma = 300; }},
      {"impossible sample_rate", [](Meta& meta) { meta.sample_rate = 0; }},
      {"impossible kmer_length", [](Meta& meta) { meta.kmer_length = 99; }},
      {"bytes where zeros belong", [](Meta& meta) { meta.zero[1] = 1; }},
      {"soft-masked bases", [](Meta& meta) { meta.soft_mask_split = 2; }},
      {"'symbols' is not the alphabet", [](Meta& meta) { meta.sigma = 5; }},
  };
  for (const Forgery& forgery : forgeries) {
    CAPTURE(forgery.says);
    IndexFile file(good);
    file.change_meta(forgery.change);
    file.seal_sections();
    file.seal_header();
    folder.write("g.gsx", file.bytes);
    check_failure(run({"count", "-x", "g.gsx", "-p", "ACGT", "--no-header"}, here), 5,
                  {"'g.gsx' is corrupt", forgery.says});
  }
}

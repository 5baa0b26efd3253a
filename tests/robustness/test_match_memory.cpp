// The memory of maximal matches and of pairs stays below its limit, whatever the queries are.
#include "support/peak_memory.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

TEST_CASE("a long query with very many matches takes no more memory than its limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(121);
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\n" + random_string(random, 300'000, "ACGT") + '\n');
  folder.write("long.fa", ">q\n" + random_string(random, 3'000'000, "ACGT") + '\n');
  REQUIRE(run({"index", "-q", "g.fa"}, {.folder = folder.path()}).exit_code == 0);
  for (const std::string format : {"", "--jsonl", "--coverage"}) {
    CAPTURE(format);
    const double peak = peak_of(
        "mem -q --device cpu -x g.gsx -t 1 -L 8 --strand fwd --memory-limit 70MB -o out long.fa " +
            format,
        folder);
    CHECK(peak < 70 * megabyte + mapped_bytes);
  }
}

TEST_CASE("pairs of short queries with long names take no more memory than their limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTTGCATGCATTTACG\n");
  std::string queries, expected;
  for (int i = 0; i < 300'000; ++i) {
    const std::string name = std::string(190, 'n') + std::to_string(i);
    queries += '>' + name + (i % 1000 == 0 ? "\nACGTTGCATGCA\n" : "\nC\n");
    if (i % 1000 == 0) expected += name + "\t0\t12\t12\tr\t0\t12\t+\n";
  }
  folder.write("q.fa", queries);
  const double peak =
      peak_of("mem -q --pairs -t 1 -L 12 --no-header --memory-limit 60MB -o out g.fa q.fa", folder);
  CHECK(peak < 60 * megabyte + mapped_bytes);
  CHECK((folder.read("out") == expected));
}

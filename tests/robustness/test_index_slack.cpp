// Bits behind the last number of a packed section: verify --full checks that they are zero.
#include "support/index_file.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("verify --full looks at the bytes behind the numbers of every packed section") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">a\nACGTACGTTACGATTACANNACG\n>b\nACGTAcgtAC\n");
  REQUIRE(run({"index", "-q", "--soft-mask", "split", folder / "g.fa"}).exit_code == 0);
  CHECK(run({"verify", "--full", folder / "g.gsx"}).exit_code == 0);
  const std::string whole = folder.read("g.gsx");
  for (const std::string name :
       {"text", "literals", "samples", "kmers", "separator_rows", "separator_segments"}) {
    CAPTURE(name);
    for (const std::size_t from_end : {1, 16}) {
      IndexFile index(whole);
      const SectionEntry entry = index.entry(index.find(name));
      index.bytes[entry.offset + entry.bytes - from_end] ^= 1;
      index.seal();
      const std::string path = folder.write("bad.gsx", index.bytes);
      check_failure(run({"verify", "--full", path}), 5, {"section '" + name + "'", "zeros"});
    }
  }
}

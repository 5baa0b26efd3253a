// What alignments say of letters: those of SEQ, NM and MD, and why they are for DNA only.
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

/// The columns from SEQ on of each alignment.
std::string letters_of(const Outcome& sam) {
  CHECK(sam.exit_code == 0);
  std::string letters;
  for (const std::string& line : lines_of(sam.out)) {
    std::size_t begin = 0;
    for (int column = 0; column < 9; ++column)
      begin = line.find('\t', begin) + 1;
    letters += line.substr(begin) + '\n';
  }
  return letters;
}

}  // namespace

TEST_CASE("U of a query is T in SEQ, and what is no code is N") {
  const IndexedFolder index(">r\nTTTTTACGTGGTTACCGGGTTTAAACCCTTTTT\n");
  for (const char* format : {"sam", "bam"}) {
    CAPTURE(format);
    const std::string output = std::string("h.") + format;
    REQUIRE(index.gsx({"locate", "-p", "ACGUGGUUACCGGGuuuaaACCC", "-p", "ACGU", "-o", output})
                .exit_code == 0);
  }
  check_output(index.gsx({"locate", "--sam", "--no-header", "-p", "ACGUGGUUACCGGGuuuaaACCC"}),
               "ACGUGGUUACCGGGuuuaaACCC\t0\tr\t6\t255\t23M\t*\t0\t0\tACGTGGTTACCGGGTTTAAACCC\t*\t"
               "NH:i:1\tHI:i:1\tNM:i:0\tMD:Z:23\n");
  // On the reverse strand, too, and where the query is not found.
  CHECK(letters_of(index.gsx({"locate", "--sam", "--no-header", "-p", "GGUAACCACGU"})) ==
        "ACGTGGTTACC\t*\tNH:i:1\tHI:i:1\tNM:i:0\tMD:Z:11\n");
  CHECK(letters_of(index.gsx({"locate", "--sam", "--no-header", "-p", "GGGGGUGGGGA"})) ==
        "GGGGGTGGGGA\t*\n");
  CHECK(letters_of(index.gsx({"locate", "--sam", "--no-header", "-k", "1", "-p", "ACGXGGTTACC"})) ==
        "ACGNGGTTACC\t*\tNH:i:1\tHI:i:1\tNM:i:1\tMD:Z:3T7\n");
}

TEST_CASE("NM and MD count the letters of SEQ that are not the base, as samtools does") {
  const IndexedFolder index(">r\nTTTTTACGTGGTTACCGGGTTTAAACCCTTTTT\n");
  const Arguments locate = {"locate", "--sam", "--no-header", "--iupac"};
  const auto letters = [&](const Arguments& more) {
    Arguments all = locate;
    all.insert(all.end(), more.begin(), more.end());
    return letters_of(index.gsx(all));
  };
  CHECK(letters({"-p", "ACGTGGTTNCCGG"}) ==
        "ACGTGGTTNCCGG\t*\tNH:i:1\tHI:i:1\tNM:i:1\tMD:Z:8A4\txm:i:0\n");
  // On the reverse strand the codes are complemented: R is Y.
  CHECK(letters({"-p", "CCGGTRACCAC"}) ==
        "GTGGTYACCGG\t*\tNH:i:1\tHI:i:1\tNM:i:1\tMD:Z:5T5\txm:i:0\n");
  // A mismatch of the search beside a code that matches: W is A or T, and the G is wrong.
  CHECK(letters({"-k", "1", "-p", "ACGTGGWTGCCGG"}) ==
        "ACGTGGWTGCCGG\t*\tNH:i:1\tHI:i:1\tNM:i:2\tMD:Z:6T1A4\txm:i:1\n");
  CHECK(letters({"-p", "ACGTGGTTACC"}) ==
        "ACGTGGTTACC\t*\tNH:i:1\tHI:i:1\tNM:i:0\tMD:Z:11\txm:i:0\n");
}

TEST_CASE("the hit with the fewest mismatches of the search is primary, whatever NM says") {
  // The first place has the N of the query and no mismatch; the second one has a mismatch.
  const IndexedFolder index(">r\nACGTTGCATTTTTTTTTTTTTACGTTGGA\n");
  const Outcome sam = index.gsx({"locate", "--sam", "--no-header", "--iupac", "-k", "1", "--strand",
                                 "fwd", "-p", "ACGTTGSA"});
  CHECK(sam.out ==
        "ACGTTGSA\t0\tr\t1\t3\t8M\t*\t0\t0\tACGTTGSA\t*\tNH:i:2\tHI:i:1\tNM:i:1\tMD:Z:6C1\txm:i:0\n"
        "ACGTTGSA\t256\tr\t22\t3\t8M\t*\t0\t0\tACGTTGSA\t*\tNH:i:2\tHI:i:2\tNM:i:1\tMD:Z:6G1\t"
        "xm:i:0\n");
}

TEST_CASE("alignments of other symbols than nucleotides are refused before the search") {
  const IndexedFolder proteins(">p\nMTTTGLRPRLNVRQRKDTGYLPHSSPFSLQ\n", {"--alphabet", "protein"});
  check_failure(proteins.gsx({"locate", "--sam", "-p", "MTTTGLRPRLNV"}), 2,
                {"SAM", "nucleotides", "protein", "PAF"});
  check_failure(proteins.gsx({"locate", "-o", "h.bam", "-p", "MTTTGLRPRLNV"}), 2, {"BAM"});
  const IndexedFolder bytes(">b\nac|gt\n", {"--alphabet", "bytes"});
  check_failure(bytes.gsx({"locate", "--format", "sam", "-p", "ac"}), 2, {"SAM", "bytes", "TSV"});
  CHECK(proteins.folder.names() == std::vector<std::string>{"g.fa", "g.gsx"});
  CHECK(proteins.gsx({"locate", "--paf", "-p", "MTTTGLRPRLNV"}).exit_code == 0);
}

// Sequence files that other programs read: BGZF without its end, wrapped FASTQ, comments before
// FASTA; and alignments of proteins, whose gaps must go first.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/packed_files.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">c\nGATTACATTACGTGGGACGTACGTAACC\n";
constexpr const char* reads = "@r1\nCATTACGT\n+\nIIIIIIII\n@r2\nGGGACG\n+\nIIIIII\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Folder {
  TemporaryFolder folder;
  Folder() {
    folder.write("g.fa", genome);
    without_end("g.fa.gz", genome);
    without_end("r.fq.gz", reads);
    without_end("list.gz", "ACGTACGTAA\n");
  }
  /// Writes BGZF without the empty block that ends it.
  void without_end(const std::string& name, const std::string& text) {
    write_bgzf(folder / name, text);
    const std::string bytes = folder.read(name);
    folder.write(name, bytes.substr(0, bytes.size() - 28));
  }
  Outcome gsx(const Arguments& arguments, const std::string& input = "") const {
    return run(arguments, {.input = input, .folder = folder.path()});
  }
};

}  // namespace

TEST_CASE("queries of BGZF without its end are read whole, with one warning") {
  Folder all;
  REQUIRE(all.gsx({"index", "-q", "g.fa"}).exit_code == 0);
  all.without_end("b.gz", "GATTACA\nGATTACC\n");
  all.without_end("pairs.gz", "p\tACGTACGTAA\tTTACGTACGT\n");
  const std::pair<Arguments, std::string> commands[] = {
      {{"count", "g.gsx", "--no-header", "r.fq.gz"}, "r1\t8\t1\t1\t0\nr2\t6\t1\t1\t0\n"},
      {{"count", "g.gsx", "--no-header", "-f", "list.gz"}, "ACGTACGTAA\t10\t1\t1\t0\n"},
      {{"filter", "g.gsx", "-L", "8", "--keep", "r.fq.gz"}, "@r1\nCATTACGT\n+\nIIIIIIII\n"},
      {{"ms", "g.gsx", "--no-header", "r.fq.gz"}, ""},
      {{"mem", "g.gsx", "-L", "8", "--no-header", "r.fq.gz"}, ""},
      {{"mem", "-r", "g.fa", "--pairs", "-L", "8", "--no-header", "r.fq.gz"}, ""},
      {{"prefix", "--entry", "CATT", "--no-header", "r.fq.gz"}, ""},
      {{"neighbors", "b.gz", "--no-header"}, ""},
      {{"offtarget", "g.gsx", "--pam", "CC", "--no-header", "list.gz"}, ""},
      {{"amplicon", "g.gsx", "--no-header", "pairs.gz"}, ""},
      {{"verify", "g.gsx", "--against", "g.fa.gz"}, ""},
  };
  for (const auto& [arguments, expected] : commands) {
    CAPTURE(arguments[0]);
    const Outcome outcome = all.gsx(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    if (!expected.empty()) CHECK(outcome.out == expected);
    const std::string warning = ".gz: the BGZF end-of-file marker is missing: every block is whole";
    const std::size_t at = outcome.err.find(warning);
    CHECK(at != std::string::npos);
    if (at != std::string::npos) CHECK_FALSE(has(outcome.err.substr(at + 1), warning));
  }
  const std::string bytes = all.folder.read("r.fq.gz");
  all.folder.write("cut.fq.gz", bytes.substr(0, bytes.size() - 5));
  check_failure(all.gsx({"filter", "-q", "--keep", "-L", "8", "g.gsx", "cut.fq.gz", "-o", "x"}), 3,
                {"truncated or damaged"});
}

TEST_CASE("what is indexed of BGZF without its end is an error unless --allow-no-eof is given") {
  const Folder all;
  const std::vector<Arguments> commands = {
      {"index", "g.fa.gz", "-o", "x.gsx", "--force"},
      {"index", "g.fa.gz", "-o", "y.gsx", "--shards", "1", "--force"},
      {"sa", "g.fa.gz", "-o", "x.sa"},
      {"bwt", "g.fa.gz", "-o", "x.bwt"},
      {"lz77", "g.fa.gz", "-o", "x.lz"},
      {"repeats", "g.fa.gz"},
      {"mappability", "-K", "5", "g.fa.gz"},
      {"count", "-r", "g.fa.gz", "-p", "ACGT"},
      {"filter", "-r", "g.fa.gz", "--keep", "-L", "8", "r.fq.gz"},
      {"mem", "-r", "g.fa.gz", "--pairs", "-L", "8", "r.fq.gz"},
      {"mem", "--pairs", "-L", "8", "g.fa.gz", "r.fq.gz"},
      {"offtarget", "-r", "g.fa.gz", "-p", "ACGTACGTAA"},
  };
  for (Arguments arguments : commands) {
    CAPTURE(arguments[0]);
    const Outcome refused = all.gsx(arguments);
    CHECK(refused.exit_code == 3);
    CHECK(has(refused.err, "g.fa.gz: record 1 ('c'), line 3: the BGZF end-of-file marker"));
    CHECK(has(refused.err, "--allow-no-eof"));
    arguments.push_back("--allow-no-eof");
    const Outcome taken = all.gsx(arguments);
    CAPTURE(taken.err);
    CHECK(taken.exit_code == 0);
    CHECK(has(taken.err, "g.fa.gz: the BGZF end-of-file marker is missing"));
  }
  check_failure(all.gsx({"mem", "-q", "x.gsx", "--allow-no-eof", "-p", "ACGT"}), 2, {"--pairs"});
  check_failure(all.gsx({"count", "-q", "x.gsx", "--allow-no-eof", "-p", "ACGT"}), 2,
                {"--reference"});
}

TEST_CASE("wrapped FASTQ gives the results of its reads in four lines") {
  const Folder all;
  REQUIRE(all.gsx({"index", "-q", "g.fa"}).exit_code == 0);
  const std::string wrapped =
      "@r1\nCATTACGT\n+\nIIII\n@III\n@r2 x\nGGG\nACG\n+r2 "
      "x\n+I\n@r\n1I\n@r3\nTTTTTTTT\n+\n@@@@\n@@@"
      "@\n";
  const std::string plain =
      "@r1\nCATTACGT\n+\nIIII@III\n@r2 x\nGGGACG\n+\n+I@r1I\n@r3\nTTTTTTTT\n+\n@@@@@@@@\n";
  for (const Arguments& arguments :
       std::vector<Arguments>{{"count", "-q", "g.gsx", "-"},
                              {"locate", "-q", "g.gsx", "--sam", "--no-header", "-"},
                              {"mem", "-q", "-L", "6", "g.gsx", "-"},
                              {"prefix", "-q", "--entry", "CATT", "--entry", "GGG", "-"}}) {
    CAPTURE(arguments[0]);
    const Outcome expected = all.gsx(arguments, plain);
    REQUIRE(expected.exit_code == 0);
    const Outcome found = all.gsx(arguments, wrapped);
    CHECK(found.err.empty());
    CHECK(found.out == expected.out);
  }
  CHECK(all.gsx({"filter", "-q", "-L", "6", "--keep", "g.gsx", "-"}, wrapped).out ==
        wrapped.substr(0, wrapped.find("@r3\nT")));
  all.folder.write("w.fq", "@a\nAAAA\n+\n@@\nII\n@b\nAA\nAA\n+\nI\n@II\n@c\nAA\nAC\n+\nIIII\n");
  all.folder.write("white", "AAAA\nCCCC\n");
  const Outcome corrected =
      all.gsx({"neighbors", "-q", "--correct", "--whitelist", "white", "w.fq", "-o", "c.fq"});
  CHECK(corrected.exit_code == 0);
  CHECK(all.folder.read("c.fq") ==
        "@a\nAAAA\n+\n@@\nII\n@b\nAA\nAA\n+\nI\n@II\n@c\nAA\nAA\n+\nIIII\n");
}

TEST_CASE("'+' lines that differ from the header are counted in one warning") {
  const Folder all;
  const Outcome outcome = all.gsx({"count", "-r", "g.fa", "--no-header", "-"},
                                  "@a x\nACGT\n+b x\nIIII\n@c x\nACGT\n+c\nIIII\n");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("a\t4\t"));
  CHECK(has(outcome.err,
            "warning: standard input: the '+' line of 1 record differs from the header (first: "
            "record 1)"));
}

TEST_CASE("comments before FASTA are passed over, in indexes and in queries") {
  const Folder all;
  const std::string fasta = std::string("# from a server\n;older style\n\n") + genome;
  const Outcome direct =
      all.gsx({"count", "-r", "-", "-p", "ACGTACGTAA", "--strand", "fwd", "--no-header"}, fasta);
  CHECK(direct.exit_code == 0);
  CHECK(direct.out == "ACGTACGTAA\t10\t1\t1\t0\n");
  CHECK(has(direct.err, "standard input: 2 lines of comments before the first record passed over"));
  CHECK(
      all.gsx({"count", "-q", "-r", "g.fa", "--no-header", "-"}, "#c\n@q\nTTACG\n+\nIIIII\n").out ==
      "q\t5\t2\t1\t1\n");
  check_failure(all.gsx({"index", "-q", "-", "-o", "x.gsx"}, "# a list\nACGT\n"), 3,
                {"line 2", "behind comments, it begins with 'A'", "grep -v '^[#;]'"});
}

TEST_CASE("an error in an alignment of proteins says how to take the gaps out") {
  const Folder all;
  all.folder.write("aln.fa", ">a\nMKVLSE--GEWQLVLHVWAKVEADVAGHGQDILIRLF\n>b\nMKV.LSEGEWQ\n");
  const Outcome refused = all.gsx({"count", "-q", "-r", "aln.fa", "-p", "LSEGE"});
  check_failure(refused, 3, {"line 2", "'-'", "a gap of an alignment", "take the gaps out: sed"});
  CHECK_FALSE(has(refused.err, "--alphabet"));
  check_failure(
      all.gsx({"index", "-q", "aln.fa"}), 3,
      {"take the gaps out: sed '/^>/!s/[-.]//g' aln.fa > ungapped.fa", "--alphabet bytes"});
  const std::size_t at = refused.err.find("sed ");
  const std::string command = refused.err.substr(at, refused.err.find('\n', at) - at);
  REQUIRE(std::system(("cd '" + all.folder.path() + "' && " + command).c_str()) == 0);
  CHECK(all.gsx({"count", "-q", "-r", "ungapped.fa", "-p", "LSEGE", "--no-header"}).out ==
        "LSEGE\t5\t2\t2\t0\n");
}

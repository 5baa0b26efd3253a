// Queries that cannot match are reported, and files without queries are not errors.
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTTACG\n";
constexpr const char* header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

void check_warning(const Outcome& outcome, const std::string& warning) {
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(count_of(outcome.err, warning) == 1);
  CHECK(count_of(outcome.err, "warning:") == 1);
}

}  // namespace

TEST_CASE("queries with symbols that match nothing are counted, and the first is named") {
  const IndexedFolder index(genome);
  std::string reads;
  for (int i = 0; i < 500; ++i) {
    const char* sequence = i % 5 == 2 ? "ACNGN" : i % 5 == 4 ? "AYG" : "ACG";
    reads += ">q" + std::to_string(i) + '\n' + sequence + '\n';
  }
  for (const char* command : {"count", "locate"}) {
    for (const char* threads : {"1", "4"}) {
      for (const char* batch : {"1", "77", "100000"}) {
        CAPTURE(batch);
        check_warning(index.gsx({command, "-t", threads, "--batch", batch, "-"}, reads),
                      "200 of 500 queries hold symbols that this DNA index does not have, so they "
                      "match nothing (first: 'N' in 'q2')");
      }
    }
  }
  check_warning(index.gsx({"count", "-p", "ACG", "-p", "GTGYC"}), "1 of 2 queries holds");
  check_warning(index.gsx({"count", "-p", "ACG", "-"}, ">a\nMEL\n>b\nPEPTIDE\n"),
                "2 of 3 queries hold symbols that this DNA index does not have, so they match "
                "nothing (first: 'M' in 'a')");
  const Outcome plain = index.gsx({"count", "-p", "ACG", "-p", "GGGG"});
  CHECK(plain.err.find("warning") == std::string::npos);
}

TEST_CASE("DNA that a protein index does not hold gets one warning") {
  const IndexedFolder index(">p\nMKVLAWACDEFGHIKLMNPQRSTUVWY\n", {"--alphabet", "protein"});
  const std::string reads = ">a\nACGTACGTNNAC\n>b\nggacc\n>c\nGATTACA\n";
  const std::string warning =
      "no query has a hit, and all look like DNA (A, C, G, T, U and N only), but this is a protein "
      "index";
  for (const char* command : {"count", "locate"}) {
    for (const char* batch : {"1", "100000"})
      check_warning(index.gsx({command, "-t", "2", "--batch", batch, "-"}, reads), warning);
  }
  check_warning(index.gsx({"count", "-p", "ACGT"}), warning);
  const IndexedFolder few(">p\nMKVLAW\n", {"--alphabet", "protein"});  // it has no C, G and T
  check_warning(few.gsx({"count", "-p", "ACGT", "-p", "AAA"}), warning);
  for (const std::string& other : {reads + ">p\nMKK\n", reads + ">p\nAC\n", std::string()}) {
    CAPTURE(other);
    CHECK(index.gsx({"count", "-"}, other).err.find("look like DNA") == std::string::npos);
  }
  const IndexedFolder dna(genome);
  CHECK(dna.gsx({"count", "-"}, reads).err.find("look like DNA") == std::string::npos);
}

TEST_CASE("a run without any query that can match is an error, after its complete output") {
  const IndexedFolder index(genome);
  check_error(index.gsx({"count", "-p", "GTGYCAGC"}), 3,
              {"no query can match: the query holds", "first: 'Y' in 'GTGYCAGC'", "IUPAC"});
  const Outcome counted = index.gsx({"count", "--no-header", "-"}, ">a\nMKV\n>b\nACR\n");
  check_error(counted, 3, {"no query can match: 2 of 2", "'M' in 'a'"});
  CHECK(counted.out == "a\t3\t0\t0\t0\nb\t3\t0\t0\t0\n");
  const Outcome located = index.gsx({"locate", "-o", "hits.bed", "-"}, ">a\nMKV\n>b\nACR\n");
  check_failure(located, 3, {"no query can match"});
  CHECK(index.folder.read("hits.bed") == "");
  // All inputs of the run count.
  index.folder.write("a.fa", ">a\nMKV\n");
  index.folder.write("b.fa", ">b\nGGGG\n");
  CHECK(index.gsx({"count", "a.fa", "b.fa"}).exit_code == 0);
  CHECK(index.gsx({"count", "-p", "ACG", "a.fa"}).exit_code == 0);
  check_error(index.gsx({"count", "-p", "RRR", "a.fa"}), 3, {"2 of 2"});
}

TEST_CASE("where parts of queries may match, those without such a part cannot") {
  const IndexedFolder index(genome);
  const std::string queries = ">n\nNNNN\n>short\nAC\n>empty\n\n>iupac\nACRTYCG\n>good\nNCGTR\n";
  for (const char* batch : {"1", "100000"}) {
    check_warning(
        index.gsx({"mem", "-L", "3", "--batch", batch, "--summary", "s.json", "-"}, queries),
        "3 of 5 queries have no 3 symbols in a row that are A, C, G, T or U, so they match "
        "nothing (first: 'N' in 'n')");
    CHECK(index.folder.read("s.json").find("\"queries_that_cannot_match\":3,") !=
          std::string::npos);
    check_warning(index.gsx({"ms", "--batch", batch, "-"}, queries),
                  "1 of 5 queries has no symbol that is A, C, G, T or U, so it matches nothing "
                  "(first: 'N' in 'n')");
  }
  // As for count: unknown bases are no error, and of empty queries nobody is told.
  check_warning(index.gsx({"mem", "-L", "3", "-"}, ">a\nNNNN\n>b\nRR\n"), "2 of 2 queries");
  for (const char* command : {"mem", "ms"}) {
    const Outcome empty = index.gsx({command, "-"}, ">a\n>b\n");
    CHECK(empty.exit_code == 0);
    CHECK(empty.err.find("warning") == std::string::npos);
  }
  const Outcome small = index.gsx({"mem", "--no-header", "-"}, ">a\nACGT\n>b\nANN\n");
  check_failure(small, 3, {"no query can match: 2 of 2", "(first: 'a', which is shorter)", "-L"});
  CHECK(small.out == "");
  for (const char* command : {"mem", "ms"}) {
    check_error(index.gsx({command, "--no-header", "-o", "o", "-"}, ">a\nEEL\n>b\nRY\n"), 3,
                {"no query can match: 2 of 2", "'E' in 'a'", "alphabet of the queries"});
  }
  CHECK(index.folder.read("o") == ">a\n0 0 0\n>b\n0 0\n");
  const IndexedFolder protein(">p\nMKVLAEF\n");
  check_warning(protein.gsx({"ms", "-"}, ">a\nWWW\n"),
                "no symbol that is in the alphabet of this protein index");
}

TEST_CASE("a query of N alone is no error, and gets no advice that would not help") {
  const IndexedFolder index(genome);
  for (const char* length : {"3", "13", "31"}) {
    const Outcome outcome = index.gsx({"mem", "-L", length, "-p", "NNNNNNNNNNNN"});
    check_warning(outcome, "(first: 'N' in 'NNNNNNNNNNNN')");
    CHECK(outcome.err.find("smaller -L") == std::string::npos);
  }
  // One base more, and a smaller -L helps.
  check_error(index.gsx({"mem", "-L", "13", "--no-header", "-p", "NNNANNN"}), 3,
              {"give a smaller -L"});
  const IndexedFolder protein(">p\nMKVLAEF\n");
  check_warning(protein.gsx({"mem", "-L", "9", "-p", "WWW"}), "(first: 'W' in 'WWW')");
}

TEST_CASE("reads with N, and no other foreign symbol, give a warning") {
  const IndexedFolder index(genome);
  check_warning(index.gsx({"count", "-"}, ">a\nNNNN\n>b\nACnG\n"), "2 of 2 queries hold");
  check_warning(index.gsx({"count", "-"}, ">r1\nACGN\n>r2\nACGN\n>r3\nACGN\n>r4\nACGR\n"),
                "4 of 4 queries hold symbols that this DNA index does not have, so they match "
                "nothing (first: 'N' in 'r1')");
  check_warning(index.gsx({"count", "--batch", "1", "-"}, ">r1\nACGR\n>r2\nACGN\n"),
                "(first: 'R' in 'r1')");
  for (const char* batch : {"1", "100"}) {
    check_error(index.gsx({"count", "--batch", batch, "-"}, ">r1\nANGR\n>r2\nYCN\n"), 3,
                {"no query can match: 2 of 2", "first: 'R' in 'r1'"});
  }
  check_warning(index.gsx({"count", "-p", "N"}), "the query holds");
}

TEST_CASE("letters that a protein index happens not to have give a warning") {
  const IndexedFolder index(">p\nMKVLAEF\n");
  check_warning(index.gsx({"count", "-p", "MKW"}), "this protein index does not have");
  check_error(index.gsx({"count", "-"}, ">a\nMK-V\n"), 3, {"'-' in 'a'"});
}

TEST_CASE("an empty query file gives an empty result and a warning") {
  const IndexedFolder index(genome);
  const TemporaryFolder& folder = index.folder;
  folder.write("empty.fa", "");
  folder.write("blank.fq", "\n\r\n \n");
  folder.write("comments.txt", "# nothing\n\n");
  folder.write("zero.fa.gz", "");
  write_gzip(folder / "empty.fa.gz", "");
  write_bgzf(folder / "empty.fa.bgz", "");
  folder.write("reads.fa", ">q\nACG\n");
  for (const char* name :
       {"empty.fa", "blank.fq", "zero.fa.gz", "empty.fa.gz", "empty.fa.bgz", "/dev/null", "-"}) {
    CAPTURE(name);
    const Outcome counted = index.gsx({"count", "-t", "3", name});
    CHECK(counted.out == header);
    check_warning(counted, "the file has no queries");
    check_output(index.gsx({"locate", "--bed", name}), "");
    const Outcome both = index.gsx({"count", "--no-header", name, "reads.fa"});
    CHECK(both.out == "q\t3\t3\t2\t1\n");
    check_warning(both, "the file has no queries");
    CHECK(index.gsx({"count", "--no-header", "reads.fa", name}).out == both.out);
  }
  for (const char* name : {"comments.txt", "empty.fa", "empty.fa.gz", "-"}) {
    const Outcome listed = index.gsx({"count", "-f", name});
    CHECK(listed.out == header);
    check_warning(listed, "the file has no queries");
  }
  for (const char* command : {"mem", "ms"})
    check_warning(index.gsx({command, "blank.fq"}), "blank.fq: the file has no queries");
  for (const char* command : {"index", "sa", "bwt"}) {
    CAPTURE(command);
    check_failure(index.gsx({command, "empty.fa", "-o", "out"}), 3, {"empty.fa", "empty"});
    CHECK_FALSE(folder.has("out"));
  }
  folder.write("wrong.fa", "AC GT\n");
  check_error(index.gsx({"count", "wrong.fa"}), 3, {"wrong.fa"});
  check_error(index.gsx({"count", "empty.fa", "none.fa"}), 3, {"none.fa"});
}

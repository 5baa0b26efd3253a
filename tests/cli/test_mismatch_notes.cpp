// What count and locate say of searches with mismatches: in their pages, and in the log.
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

/// A page of help or of the manual, without what roff escapes by, and each run of blanks and line
/// ends as one blank.
std::string page_of(const Arguments& arguments) {
  std::string words;
  for (const char c : output_of(run(arguments))) {
    if (c == '\\') continue;
    if (c != ' ' && c != '\n')
      words += c;
    else if (!words.ends_with(' '))
      words += ' ';
  }
  return words;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the manual says which places and queries are never found with mismatches") {
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    const std::string help = page_of({"help", "--man", command});
    CHECK(contains(help, "is never found, not even as a mismatch"));
    CHECK(contains(help, "A place that includes a symbol of the target other than A, C, G and T"));
    CHECK(contains(help, "N alone"));
    CHECK(contains(help, "given by -p, it ends the run with exit code 2"));
  }
}

TEST_CASE("the manual says what alignments hold, and that they are not sorted") {
  const std::string help = page_of({"help", "--man", "locate"});
  CHECK(contains(help, "not for JSON lines, SAM and BAM"));
  for (const char* word : {"xm (the mismatches", "NH (all hits of the query", "255 for a query",
                           "primary", "mates are not paired"}) {
    CAPTURE(word);
    CHECK(contains(help, word));
  }
  CHECK(output_of(run({"--help"}))
            .starts_with("gsx indexes biological sequences and finds matches "
                         "in them, exactly or with mismatches."));
}

TEST_CASE("the log tells how many symbols no place with mismatches includes") {
  const IndexedFolder index(">x\nACGTACGAACCTNRACGATT\n>y\ntcgtacgt\n");
  const std::string words = "2 of 28 symbols are not A, C, G, T or U: no place includes one";
  CHECK(contains(index.gsx({"count", "-k", "1", "-p", "ACGTACG"}).err, words));
  CHECK(contains(index.gsx({"locate", "--iupac", "-p", "ACGTACG"}).err, words));
  CHECK_FALSE(contains(index.gsx({"count", "-p", "ACGTACG"}).err, "no place includes"));
  const IndexedFolder plain(">x\nACGTACGAACCT\n");
  CHECK_FALSE(contains(plain.gsx({"count", "-k", "1", "-p", "ACGTACG"}).err, "no place includes"));
  const IndexedFolder masked(">x\nACGTACGaaCCTNACGATT\n", {"--soft-mask", "split"});
  CHECK(contains(masked.gsx({"count", "-k", "1", "-p", "ACGTACG"}).err,
                 "3 of 19 symbols are not A, C, G, T or U, or are masked: no place includes one"));
}

TEST_CASE("count --by-mismatches takes -k 0, and counts as without it") {
  const IndexedFolder index(">x\nACGTACGAACCTNNACGATT\n>y\ntcgtacgt\n");
  const Arguments queries = {"-p", "ACGT", "-p", "ACGTACG", "-p", "ACN"};
  const auto count = [&](Arguments more) {
    more.insert(more.begin(), {"count", "--by-mismatches"});
    more.insert(more.end(), queries.begin(), queries.end());
    return index.gsx(more);
  };
  const std::string header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\tcount_0\n";
  check_output(count({"-k", "0"}), header +
                                       "ACGT\t4\t4\t2\t2\t4\n"
                                       "ACGTACG\t7\t2\t1\t1\t2\n"
                                       "ACN\t3\t0\t0\t0\t0\n");
  check_output(count({"-k", "0", "--palindromes", "once", "--strand", "both", "-t", "3"}),
               header +
                   "ACGT\t4\t2\t2\t0\t2\n"
                   "ACGTACG\t7\t2\t1\t1\t2\n"
                   "ACN\t3\t0\t0\t0\t0\n");
  check_output(count({"-k", "0", "--no-header", "--strand", "rev"}),
               "ACGT\t4\t2\t0\t2\t2\nACGTACG\t7\t1\t0\t1\t1\nACN\t3\t0\t0\t0\t0\n");
  check_error(count({}), 2, {"--by-mismatches needs -k or --iupac"});
  const IndexedFolder proteins(">p\nMKVLAAGIVTEE\n", {"--alphabet", "protein"});
  check_output(proteins.gsx({"count", "-k", "0", "--by-mismatches", "--no-header", "-p", "MKV"}),
               "MKV\t3\t1\t1\t0\t1\n");
}

// gsx merge: which hits are kept, whether all are there, and whose they are.
#include <filesystem>

#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Arguments joined(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("queries of one name are told apart, or refused") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">a\nTTTACGTACG\n>b\nGGGGCCCAAT\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  REQUIRE(gsx({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "2"}).exit_code == 0);
  /// The merged result of queries of that format; checked against the whole if it is made.
  const auto merged = [&](const std::string& queries, const std::string& suffix) {
    folder.write("q.fa", queries);
    for (const char* shard : {"0", "1"})
      REQUIRE(gsx({"locate", "-q", "-x", "many.00" + std::string(shard) + ".gsx", "q.fa", "-o",
                   "p" + std::string(shard) + suffix})
                  .exit_code == 0);
    REQUIRE(gsx({"locate", "-q", "-x", "many.gsx", "q.fa", "-o", "whole" + suffix}).exit_code == 0);
    const Outcome outcome =
        gsx({"merge", "-q", "--queries", "q.fa", "p0" + suffix, "p1" + suffix, "-o", "m" + suffix});
    if (outcome.exit_code == 0)
      CHECK(folder.read("m" + suffix) == folder.read("whole" + suffix));
    else
      CHECK_FALSE(std::filesystem::exists(folder / ("m" + suffix)));
    std::filesystem::remove(folder / ("m" + suffix));
    return outcome;
  };
  const std::string both = ">x\nACG\n>x\nTTT\n", first = ">x\nACG\n>x\nCTGCTG\n",
                    second = ">x\nCTG\n>x\nACG\n", apart = ">x\nACG\n>y\nGGGG\n>x\nTTT\n",
                    lengths = ">x\nCTGC\n>x\nACG\n";
  for (const char* suffix : {".tsv", ".bed", ".paf"}) {
    CAPTURE(suffix);
    const bool tells_length = suffix != std::string(".bed");
    check_failure(merged(second, suffix), 3, {"two queries are named 'x'", "--jsonl"});
    CHECK(merged(lengths, suffix).exit_code == (tells_length ? 0 : 3));
    CHECK(merged(first, suffix).exit_code == (tells_length ? 0 : 3));
    // TSV and PAF tell how many lines are of one query.
    CHECK(merged(both, suffix).exit_code == (tells_length ? 0 : 3));
    CHECK(merged(apart, suffix).exit_code == (tells_length ? 0 : 3));
    CHECK(merged(">x\nACG\n>y\nTTT\n>x\nGTA\n", suffix).exit_code == 0);
  }
  for (const std::string& queries : {both, first, second, apart, lengths, std::string()})
    CHECK(merged(queries, ".jsonl").exit_code == 0);
}

TEST_CASE("what --max-hits keeps of a search with or without --iupac is never guessed") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">a\nTTCCATGGTTCCATGATT\n>b\nGGCCATGGTTCCATGATT\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  REQUIRE(gsx({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "2"}).exit_code == 0);
  std::string wholes[2];
  for (const bool iupac : {false, true}) {
    CAPTURE(iupac);
    Arguments search = {"locate", "-q", "-p", "CCATG", "-p", "CATGG", "--max-hits", "2"};
    if (iupac) search.emplace_back("--iupac");
    const auto locate = [&](const std::string& index, const std::string& result) {
      REQUIRE(gsx(joined(search, {"-x", index + ".gsx", "-o", result + ".tsv", "--summary",
                                  result + ".json"}))
                  .exit_code == 0);
    };
    locate("many.000", "p0");
    locate("many.001", "p1");
    locate("many", "whole");
    wholes[iupac ? 1 : 0] = folder.read("whole.tsv");
    const auto merged = [&](const Arguments& more) {
      return gsx(joined({"merge", "-q", "-p", "CCATG", "-p", "CATGG", "p0.tsv", "p1.tsv"}, more));
    };
    check_failure(merged({"--max-hits", "2"}), 2, {"-k 0", "--iupac", "summaries"});
    check_failure(merged({}), 2, {"--max-hits 2", "-k K", "--iupac"});
    const Arguments said = iupac ? Arguments{"--iupac"} : Arguments{"-k", "0"};
    CHECK(output_of(merged(joined({"--max-hits", "2"}, said))) == wholes[iupac ? 1 : 0]);
    const Arguments summaries = {"p0.json", "p1.json"};
    CHECK(output_of(merged(summaries)) == wholes[iupac ? 1 : 0]);
    // The summaries tell --max-hits, and what is given must be what they say.
    CHECK(output_of(merged(joined(said, summaries))) == wholes[iupac ? 1 : 0]);
    check_failure(merged(joined({"-k", "1"}, summaries)), 2, {"--mismatches", "summaries", "0"});
    check_failure(merged(joined({"--max-hits", "3"}, summaries)), 2, {"--max-hits", "2"});
    if (!iupac) check_failure(merged(joined({"--iupac"}, summaries)), 2, {"--iupac", "without it"});
  }
  CHECK(wholes[0] != wholes[1]);
  // With mismatches: -k as the summaries have it.
  for (const char* shard : {"0", "1"}) {
    const std::string part = "p" + std::string(shard);
    REQUIRE(gsx({"locate", "-q", "-p", "CCATG", "--max-hits", "2", "-k", "2", "-x",
                 "many.00" + std::string(shard) + ".gsx", "-o", part + ".tsv", "--summary",
                 part + ".json"})
                .exit_code == 0);
  }
  const Arguments merge = {"merge", "-q", "-p", "CCATG", "p0.tsv", "p1.tsv", "p0.json", "p1.json"};
  CHECK(output_of(gsx(joined(merge, {"-k", "2"}))) ==
        output_of(
            gsx({"locate", "-q", "-p", "CCATG", "--max-hits", "2", "-k", "2", "-x", "many.gsx"})));
  check_failure(gsx(joined(merge, {"-k", "0"})), 2, {"--mismatches", "summaries", "2"});
}

TEST_CASE("PAF of circular records is merged whole, and refused if --max-hits has cut it") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">a\nACGTTTTTTTCC\n>b\nACGTTCCACGAA\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  REQUIRE(gsx({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "2"}).exit_code == 0);
  const auto locate = [&](const std::string& index, const std::string& out, const Arguments& more) {
    REQUIRE(gsx(joined({"locate", "-q", "--circular", "all", "-p", "CCACG", "-p", "TTTT", "-x",
                        index, "-o", out},
                       more))
                .exit_code == 0);
  };
  const Arguments merge = {"merge", "-q", "-p", "CCACG", "-p", "TTTT", "p0.paf", "p1.paf"};
  locate("many.000.gsx", "p0.paf", {});
  locate("many.001.gsx", "p1.paf", {});
  locate("many.gsx", "whole.paf", {});
  CHECK(output_of(gsx(merge)) == folder.read("whole.paf"));
  // The hit across the origin has two lines: as many lines as hits do not mean all hits.
  folder.write("circle.fa", ">a\nACGTTCCACGAACCACGTTTTTTTTTCC\n");
  REQUIRE(gsx({"index", "-q", "circle.fa", "-o", "circle.gsx"}).exit_code == 0);
  locate("circle.gsx", "p0.paf", {});
  std::string cut;
  bool left_out = false;
  for (const std::string& line : lines_of(folder.read("p0.paf"))) {
    const bool whole = line.starts_with("CCACG\t5\t0\t5\t");
    if (whole && !left_out) {
      left_out = true;
      continue;
    }
    cut += line + '\n';
  }
  REQUIRE(left_out);
  folder.write("p0.paf", cut);
  check_failure(gsx({"merge", "-q", "-p", "CCACG", "-p", "TTTT", "p0.paf"}), 2,
                {"p0.paf", "'CCACG' has 3 hits, and lines of 2", "--max-hits"});
}

TEST_CASE("queries of one name in counts by file are told as such, not as parts out of order") {
  const TemporaryFolder folder;
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  folder.write("a.fa", ">1\nACGTTTACGT\n");
  folder.write("b.fa", ">2\nGGTTTACGT\n");
  folder.write("c.fa", ">3\nGGTTTACGTGGGTTTCACAC\n");
  REQUIRE(
      gsx({"index", "-q", "--files", "a.fa", "b.fa", "c.fa", "--shard-size", "15", "-o", "m.gsx"})
          .exit_code == 0);
  for (const std::string queries : {">q\nTTT\n>q\nACGT\n", ">q\nTTT\n>r\nAAAAA\n>q\nACGT\n"}) {
    folder.write("q.fa", queries);
    for (const Arguments& form : {Arguments{}, Arguments{"--matrix"}}) {
      Arguments count = {"count", "-q", "--by-file", "q.fa", "-x"};
      Arguments merge = {"merge", "-q", "--queries", "q.fa", "-x", "m.gsx", "p0", "p1"};
      for (const std::string shard : {"0", "1"}) {
        Arguments part = count;
        part.insert(part.end(), {"m.00" + shard + ".gsx", "-o", "p" + shard});
        part.insert(part.end(), form.begin(), form.end());
        REQUIRE(gsx(part).exit_code == 0);
      }
      merge.insert(merge.end(), form.begin(), form.end());
      if (form.empty()) {
        check_failure(gsx(merge), 3, {"two queries are named 'q'", "--matrix"});
        continue;
      }
      count.insert(count.end(), {"m.gsx", "--matrix"});
      check_output(gsx(merge), output_of(gsx(count)));
    }
  }
}

TEST_CASE("summaries tell how the parts named their queries") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">a\nTTTACGTACG\n>b\nGGGGCCCAAT\n");
  folder.write("q.fa", ">x one\nACG\n>y two\nCCC\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  REQUIRE(gsx({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "2"}).exit_code == 0);
  const Arguments merge = {"merge",  "-q",      "--queries", "q.fa", "p0.bed",
                           "p1.bed", "p0.json", "p1.json",   "-o",   "m.bed"};
  for (const char* option : {"--tag-files", "--whole-header"}) {
    CAPTURE(option);
    const auto locate = [&](const std::string& index, const std::string& result, bool with) {
      Arguments search = {"locate",        "-q",        "-x",
                          index,           "q.fa",      "-o",
                          result + ".bed", "--summary", result + ".json"};
      if (with) search.emplace_back(option);
      REQUIRE(gsx(search).exit_code == 0);
    };
    locate("many.gsx", "whole", true);
    locate("many.000.gsx", "p0", true);
    locate("many.001.gsx", "p1", true);
    CHECK(gsx(merge).exit_code == 0);
    CHECK(folder.read("m.bed") == folder.read("whole.bed"));
    locate("many.000.gsx", "p0", false);
    locate("many.001.gsx", "p1", false);
    check_failure(gsx(joined(merge, {option})), 2,
                  {option, "the summaries of the parts say that they were made without it"});
  }
}

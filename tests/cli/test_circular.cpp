// count and locate --circular: places that span the origin of a circular record.
#include <algorithm>
#include <set>

#include "support/columns.hpp"
#include "support/indexed.hpp"
#include "support/iupac.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string with(const std::string& list, std::uint64_t number) {
  return list + std::to_string(number);
}

// c is a circle; its places that span the origin: AACACG at 7, CAACACGTTG at 6, ACAC at 8.
const std::string small = ">c a plasmid\nACGTTGCAAC\n>lin\nGGGTTTAAAC\n";

}  // namespace

TEST_CASE("a place that spans the origin is found once, and ends behind the end of its record") {
  const IndexedFolder index(small);
  const auto locate = [&](Arguments more) {
    more.insert(more.begin(), {"locate", "--no-header", "--circular", "c"});
    return index.gsx(more);
  };
  check_output(locate({"-p", "AACACG", "-p", "CAACACGTTG", "-p", "ACAC", "-p", "GTGT"}),
               "AACACG\tc\t7\t13\t+\t0\t1\t1\tno\n"
               "CAACACGTTG\tc\t6\t16\t+\t0\t1\t1\tno\n"
               "ACAC\tc\t8\t12\t+\t0\t1\t1\tno\n"
               "GTGT\tc\t8\t12\t-\t0\t1\t1\tno\n");
  // A pattern as long as the circle, and one that would overlap itself.
  check_output(locate({"-p", "ACGTTGCAAC", "-p", "CGTTGCAACA", "-p", "ACGTTGCAACA"}),
               "ACGTTGCAAC\tc\t0\t10\t+\t0\t1\t1\tno\n"
               "CGTTGCAACA\tc\t1\t11\t+\t0\t1\t1\tno\n");
  check_output(index.gsx({"locate", "--no-header", "-p", "AACACG", "-p", "ACAC"}), "");
  check_output(
      index.gsx({"locate", "--no-header", "--circular", "lin", "-p", "ACAC", "-p", "AACGGG"}),
      "AACGGG\tlin\t7\t13\t+\t0\t1\t1\tno\n");
}

TEST_CASE("count --circular counts what locate --circular finds") {
  const IndexedFolder index(small);
  const Arguments patterns = {"-p", "ACAC", "-p", "AAC", "-p", "CAACACGTTGC"};
  const auto count = [&](Arguments more) {
    more.insert(more.begin(), {"count", "--no-header", "--circular", "c"});
    more.insert(more.end(), patterns.begin(), patterns.end());
    return index.gsx(more);
  };
  check_output(count({}), "ACAC\t4\t1\t1\t0\nAAC\t3\t4\t2\t2\nCAACACGTTGC\t11\t0\t0\t0\n");
  check_output(count({"-k", "1", "--by-mismatches"}),
               "ACAC\t4\t4\t2\t2\t1\t3\nAAC\t3\t8\t4\t4\t4\t4\nCAACACGTTGC\t11\t0\t0\t0\t0\t0\n");
  check_output(count({"--by-record"}), "ACAC\tc\t1\t1\t0\nAAC\tc\t2\t1\t1\nAAC\tlin\t2\t1\t1\n");
}

TEST_CASE("BED and PAF have two lines for a place that spans the origin, SAM one alignment") {
  const IndexedFolder index(small);
  const auto locate = [&](Arguments more) {
    more.insert(more.begin(), {"locate", "--circular", "c", "-k", "1", "-p", "AACTCG"});
    return index.gsx(more);
  };
  check_output(locate({"--bed"}), "c\t7\t10\tAACTCG\t1\t+\nc\t0\t3\tAACTCG\t1\t+\n");
  check_output(locate({"--bed", "-p", "CGAGTT", "--sort", "position"}),
               "c\t0\t3\tAACTCG\t1\t+\nc\t0\t3\tCGAGTT\t1\t-\n"
               "c\t7\t10\tAACTCG\t1\t+\nc\t7\t10\tCGAGTT\t1\t-\n");
  check_output(locate({"--paf", "-p", "CGAGTT"}),
               "AACTCG\t6\t0\t3\t+\tc\t10\t7\t10\t3\t3\t255\tNM:i:0\tnh:i:1\tcg:Z:3=\n"
               "AACTCG\t6\t3\t6\t+\tc\t10\t0\t3\t2\t3\t255\tNM:i:1\tnh:i:1\tcg:Z:1X2=\n"
               "CGAGTT\t6\t3\t6\t-\tc\t10\t7\t10\t3\t3\t255\tNM:i:0\tnh:i:1\tcg:Z:3=\n"
               "CGAGTT\t6\t0\t3\t-\tc\t10\t0\t3\t2\t3\t255\tNM:i:1\tnh:i:1\tcg:Z:1X2=\n");
  const std::string sam = output_of(locate({"--sam"}));
  CHECK(sam.find("@SQ\tSN:c\tLN:10\tTP:circular\n@SQ\tSN:lin\tLN:10\n") != std::string::npos);
  CHECK(sam.find(
            "AACTCG\t0\tc\t8\t255\t6M\t*\t0\t0\tAACTCG\t*\tNH:i:1\tHI:i:1\tNM:i:1\tMD:Z:3A2\n") !=
        std::string::npos);
  check_output(locate({"--jsonl"}),
               "{\"query_id\":\"AACTCG\",\"length\":6,\"n_total\":1,\"n_reported\":1,"
               "\"truncated\":false,\"hits\":[{\"target_id\":\"c\",\"start\":7,\"end\":13,"
               "\"strand\":\"+\",\"mismatches\":1}]}\n");
}

TEST_CASE(
    "--max-hits keeps places within records first, with -k those with the fewest mismatches") {
  const IndexedFolder index(">c\nCAGTTTTTTGA\n");
  const auto locate = [&](Arguments more) {
    more.insert(more.begin(), {"locate", "--no-header", "--circular", "all", "--max-hits", "1"});
    return index.gsx(more);
  };
  check_output(locate({"-p", "AC"}), "AC\tc\t2\t4\t-\t0\t2\t1\tyes\n");
  check_output(locate({"-p", "GAC"}), "GAC\tc\t9\t12\t+\t0\t1\t1\tno\n");
  check_output(locate({"-k", "1", "-p", "GAC"}), "GAC\tc\t9\t12\t+\t0\t3\t1\tyes\n");

  // Of palindromes that count once, places across the origin follow those within, not their other
  // strands.
  index.folder.write("p.fa", ">c\nGTAAACGTAAAC\n");
  REQUIRE(index.gsx({"index", "-q", "p.fa"}).exit_code == 0);
  const auto once = [&](Arguments more) {
    more.insert(more.begin(),
                {"locate", "-x", "p.gsx", "--no-header", "--circular", "all", "--palindromes",
                 "once", "--max-hits", "2", "-p", "AAA", "-p", "ACGT", "-p", "AAA"});
    return index.gsx(more);
  };
  const std::string same = "AAA\tc\t2\t5\t+\t0\t2\t2\tno\nAAA\tc\t8\t11\t+\t0\t2\t2\tno\n";
  check_output(once({}),
               same + "ACGT\tc\t4\t8\t+\t0\t2\t2\tno\nACGT\tc\t10\t14\t+\t0\t2\t2\tno\n" + same);
  check_output(once({"-k", "0"}), output_of(once({})));
}

TEST_CASE(
    "N beside the origin breaks the circle, and so does a soft-masked base that is split off") {
  const IndexedFolder index(">before\nACGTTN\n>behind\nNCGTTA\n>one\nA\n>inside\nCANTG\n");
  check_output(index.gsx({"locate", "--no-header", "--circular", "all", "-p", "TTAC", "-p", "TNCG",
                          "-p", "AA", "-p", "TGCA", "--iupac", "-p", "TTN"}),
               "AA\tbefore\t3\t5\t-\t0\t2\t2\tno\nAA\tbehind\t3\t5\t-\t0\t2\t2\tno\n"
               "TGCA\tinside\t3\t7\t+\t0\t2\t2\tno\nTGCA\tinside\t3\t7\t-\t0\t2\t2\tno\n"
               "TTN\tbehind\t3\t6\t+\t0\t1\t1\tno\n");
  index.folder.write("m.fa", ">m\naCGTT\n");
  REQUIRE(index.gsx({"index", "-q", "--soft-mask", "split", "m.fa"}).exit_code == 0);
  check_output(index.gsx({"count", "--no-header", "-x", "m.gsx", "--circular", "m", "-p", "TAC",
                          "-p", "TC"}),
               "TAC\t3\t0\t0\t0\nTC\t2\t0\t0\t0\n");
}

TEST_CASE("a rotated record has the same places, whatever the search") {
  Random random(20);
  const std::uint64_t length = 600, turn = 300;
  std::string circle = random_string(random, length, "ACGT");
  circle.replace(length - 5, 10, "GAATTC");  // about the origin
  circle.resize(length);
  const std::string turned = circle.substr(turn) + circle.substr(0, turn);
  std::string queries;
  for (std::uint64_t i = 0; i < 400; ++i) {
    std::string query = (circle + circle).substr(below(random, length), 1 + below(random, 300));
    if (i % 3 == 0) query[below(random, query.size())] = "ACGTN"[below(random, 5)];
    if (i % 4 == 0) query = query.substr(0, 5);
    queries += with(">q", i) + '\n' + query + '\n';
  }
  const IndexedFolder index(">c\n" + circle + "\n>turned\n" + turned + '\n');
  index.folder.write("q.fa", queries);
  const std::vector<Arguments> searches = {{},
                                           {"-k", "2"},
                                           {"--iupac"},
                                           {"-k", "3", "--iupac", "--strand", "rev"},
                                           {"--strand", "fwd"},
                                           {"--palindromes", "once"},
                                           {"--palindromes", "once", "-k", "2"}};
  for (const Arguments& search : searches) {
    const auto locate = [&](Arguments more) {
      more.insert(more.begin(), {"locate", "-q", "--no-header"});
      more.insert(more.end(), search.begin(), search.end());
      more.emplace_back("q.fa");
      return output_of(index.gsx(more));
    };
    // A place of at most half the record lies within one of the two.
    std::set<std::string> expected, found;
    for (const std::string& line : lines_of(locate({}))) {
      std::vector<std::string> columns = columns_of(line);
      const std::uint64_t start = std::stoull(columns[2]);
      const std::uint64_t at = columns[1] == "c" ? start : (start + turn) % length;
      expected.insert(columns[0] + with("\t", at) + '\t' + columns[4] + '\t' + columns[5]);
    }
    const std::string once = locate({"--circular", "c"});
    for (const std::string& line : lines_of(once)) {
      const std::vector<std::string> columns = columns_of(line);
      if (columns[1] != "c") continue;
      CHECK(std::stoull(columns[2]) < length);
      CHECK(found.insert(columns[0] + '\t' + columns[2] + '\t' + columns[4] + '\t' + columns[5])
                .second);
    }
    CHECK(found == expected);
    CHECK(locate({"--circular", "c", "--batch", "300", "-t", "3"}) == once);
    CHECK(locate({"--circular", "c", "--circular", "c", "-t", "1"}) == once);
    CHECK(locate({"--circular", "all"}) != once);
  }
}

TEST_CASE("--circular refuses names that no record has, and what is not DNA") {
  const IndexedFolder index(small + ">plasmid1\nACGT\n");
  check_failure(index.gsx({"locate", "--circular", "plasmid2", "-p", "ACAC"}), 3,
                {"--circular", "'plasmid2'", "'plasmid1'"});
  check_failure(index.gsx({"count", "--circular", "c", "--circular", "", "-p", "ACAC"}), 3,
                {"--circular", "no record ''"});
  const IndexedFolder protein(">p\nMKVLAAGIVGLPNVGKSTLFNALTKAGAEAANYPFCTIEPN\n");
  check_failure(protein.gsx({"locate", "--circular", "p", "-p", "MKV"}), 2,
                {"--circular needs a DNA index", "protein"});
}

TEST_CASE("--circular keeps to --memory-limit") {
  std::string genome;
  Random random(3);
  for (int r = 0; r < 3000; ++r)
    genome += with(">r", static_cast<std::uint64_t>(r)) + '\n' +
              random_string(random, 1500, "ACGT") + '\n';
  const IndexedFolder index(genome);
  const std::string pattern = random_string(random, 1400, "ACGT");
  const auto count = [&](const char* limit) {
    return index.gsx({"count", "-q", "--no-header", "-t", "1", "--circular", "all",
                      "--memory-limit", limit, "-p", pattern});
  };
  check_failure(count("20MB"), 6, {"origins of 3000 circular records", "--memory-limit"});
  check_failure(index.gsx({"offtarget", "-q", "-t", "1", "--circular", "all", "--memory-limit",
                           "27MB", "-p", "GATTACAGATTACAGATTAC"}),
                6, {"origins of 3000 circular records", "--memory-limit"});
  check_output(count("1GB"), pattern + "\t1400\t0\t0\t0\n");
}

TEST_CASE("--circular has room within --memory-limit for several threads where it has for one") {
  Random random(5);
  const std::string plasmid = random_string(random, 1600, "ACGT");
  const IndexedFolder index(">p\n" + plasmid + '\n');
  std::string reverse = plasmid.substr(40, 20);
  std::ranges::reverse(reverse);
  std::ranges::transform(reverse, reverse.begin(), complement_of_base);
  index.folder.write("primers.tsv", "a\t" + plasmid.substr(1500, 20) + '\t' + reverse + '\n');
  for (const char* threads : {"1", "3"}) {
    CAPTURE(threads);
    check_output(index.gsx({"amplicon", "-q", "--no-header", "-t", threads, "--circular", "all",
                            "--memory-limit", "64MB", "primers.tsv"}),
                 "a\tp\t1500\t1660\t160\t+\t0\t0\tFR\t1\t1\tno\n");
    const std::string query = plasmid.substr(1590) + plasmid.substr(0, 10);
    check_output(index.gsx({"locate", "-q", "--no-header", "-t", threads, "--sort", "position",
                            "--circular", "all", "--memory-limit", "128MB", "-p", query}),
                 query + "\tp\t1590\t1610\t+\t0\t1\t1\tno\n");
  }
}

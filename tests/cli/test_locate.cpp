// gsx locate: exact output in every format, coordinates verified by hand.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// chr1: 0 A C G T A C G T(7) N N(9) A C G T(13) T T G G G A(19)
// chr2: 0 T T T A C G(5) N(6) C C C A A A(12) G G G(15)
constexpr const char* genome =
    ">chr1 first\nACGTACGTNN\nACGTTTGGGA\n>chr2\nTTTACGNCCCAAAGGG\n>empty\n>chr3\nGATTACA\n";
constexpr const char* queries =
    ">q1\nACGT\n>none\nCCCCC\n>q2 comment\nTTT\n>q3\nCCCAAA\n>q4\nTACG\n>n\nGTNNAC\n";

constexpr const char* header =
    "query_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\n";

struct Indexed {
  TemporaryFolder folder;

  explicit Indexed(const std::string& content, Arguments more = {}) {
    more.insert(more.begin(), {"index", folder.write("g.fa", content)});
    CHECK(run(more).exit_code == 0);
  }
  Outcome locate(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), "locate");
    return run(arguments, {.input = std::move(input), .folder = folder.path()});
  }
};

}  // namespace

TEST_CASE("locate TSV has every hit, sorted by target, start and strand, queries in input order") {
  const Indexed index(genome);
  const std::string lines =
      "q1\tchr1\t0\t4\t+\t0\t6\t6\tno\n"
      "q1\tchr1\t0\t4\t-\t0\t6\t6\tno\n"
      "q1\tchr1\t4\t8\t+\t0\t6\t6\tno\n"
      "q1\tchr1\t4\t8\t-\t0\t6\t6\tno\n"
      "q1\tchr1\t10\t14\t+\t0\t6\t6\tno\n"
      "q1\tchr1\t10\t14\t-\t0\t6\t6\tno\n"
      "q2\tchr1\t13\t16\t+\t0\t3\t3\tno\n"
      "q2\tchr2\t0\t3\t+\t0\t3\t3\tno\n"
      "q2\tchr2\t10\t13\t-\t0\t3\t3\tno\n"
      "q3\tchr1\t13\t19\t-\t0\t2\t2\tno\n"
      "q3\tchr2\t7\t13\t+\t0\t2\t2\tno\n"
      "q4\tchr1\t1\t5\t-\t0\t3\t3\tno\n"
      "q4\tchr1\t3\t7\t+\t0\t3\t3\tno\n"
      "q4\tchr2\t2\t6\t+\t0\t3\t3\tno\n";
  check_output(index.locate({"-"}, queries), header + lines);
  check_output(index.locate({"--no-header", "-"}, queries), lines);
  check_output(index.locate({"-o", "hits.tsv", "-"}, queries), "");
  CHECK(index.folder.read("hits.tsv") == header + lines);
}

TEST_CASE("locate finds the same with any sampling rate") {
  const std::string expected = Indexed(genome).locate({"-"}, queries).out;
  for (const char* rate : {"1", "2", "3", "7", "64", "1048576"}) {
    CAPTURE(rate);
    check_output(Indexed(genome, {"--sa-rate", rate}).locate({"-"}, queries), expected);
  }
}

TEST_CASE("BED has six columns, score 0, and no header") {
  check_output(Indexed(genome).locate({"--bed", "-"}, queries),
               "chr1\t0\t4\tq1\t0\t+\n"
               "chr1\t0\t4\tq1\t0\t-\n"
               "chr1\t4\t8\tq1\t0\t+\n"
               "chr1\t4\t8\tq1\t0\t-\n"
               "chr1\t10\t14\tq1\t0\t+\n"
               "chr1\t10\t14\tq1\t0\t-\n"
               "chr1\t13\t16\tq2\t0\t+\n"
               "chr2\t0\t3\tq2\t0\t+\n"
               "chr2\t10\t13\tq2\t0\t-\n"
               "chr1\t13\t19\tq3\t0\t-\n"
               "chr2\t7\t13\tq3\t0\t+\n"
               "chr1\t1\t5\tq4\t0\t-\n"
               "chr1\t3\t7\tq4\t0\t+\n"
               "chr2\t2\t6\tq4\t0\t+\n");
}

TEST_CASE("PAF has twelve columns, with the lengths of query and target, and tags") {
  check_output(Indexed(genome).locate({"--paf", "-"}, ">q3\nCCCAAA\n>none\nCCCCC\n>q5\nATTA\n"),
               "q3\t6\t0\t6\t-\tchr1\t20\t13\t19\t6\t6\t255\tNM:i:0\tnh:i:2\tcg:Z:6=\n"
               "q3\t6\t0\t6\t+\tchr2\t16\t7\t13\t6\t6\t255\tNM:i:0\tnh:i:2\tcg:Z:6=\n"
               "q5\t4\t0\t4\t+\tchr3\t7\t1\t5\t4\t4\t255\tNM:i:0\tnh:i:1\tcg:Z:4=\n");
}

TEST_CASE("JSON lines have an object for every query, with or without hits") {
  check_output(
      Indexed(genome).locate({"--jsonl", "-"}, ">q3\nCCCAAA\n>none\nCCCCC\n>\nATTA\n"),
      R"({"query_id":"q3","length":6,"n_total":2,"n_reported":2,"truncated":false,"hits":[)"
      R"({"target_id":"chr1","start":13,"end":19,"strand":"-","mismatches":0},)"
      R"({"target_id":"chr2","start":7,"end":13,"strand":"+","mismatches":0}]})"
      "\n"
      R"({"query_id":"none","length":5,"n_total":0,"n_reported":0,"truncated":false,"hits":[]})"
      "\n"
      R"({"query_id":"","length":4,"n_total":1,"n_reported":1,"truncated":false,"hits":[)"
      R"({"target_id":"chr3","start":1,"end":5,"strand":"+","mismatches":0}]})"
      "\n");
}

TEST_CASE("--max-hits caps what is written and says so") {
  const Indexed index(genome);
  const Outcome capped = index.locate({"--max-hits", "2", "-"}, queries);
  const auto lines = lines_of(capped.out);
  CHECK(capped.exit_code == 0);
  CHECK(capped.err.find("warning: 3 queries have more than 2 hits") != std::string::npos);
  REQUIRE(lines.size() == 1 + 4 * 2);
  const std::string all = index.locate({"-"}, queries).out;
  const std::vector<std::pair<std::string, std::string>> ends = {
      {"q1", "\t6\t2\tyes"}, {"q2", "\t3\t2\tyes"}, {"q3", "\t2\t2\tno"}, {"q4", "\t3\t2\tyes"}};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    const auto& [name, end] = ends[(i - 1) / 2];
    CHECK(lines[i].starts_with(name + '\t'));
    CHECK(lines[i].ends_with(end));
    // Each line is one of all hits.
    const std::string place = lines[i].substr(0, lines[i].size() - end.size());
    CHECK(all.find('\n' + place + '\t') != std::string::npos);
  }
  check_output(index.locate({"--max-hits", "6", "-"}, queries), all);
  check_output(index.locate({"--max-hits", "0", "-"}, queries), all);
  check_output(index.locate({"--max-hits", "18446744073709551615", "-"}, queries), all);
  CHECK(lines_of(index.locate({"--max-hits", "2", "--bed", "-"}, queries).out).size() == 8);
  CHECK(index.locate({"--max-hits", "1", "--jsonl", "-p", "TTT"})
            .out.find(R"("n_total":3,"n_reported":1,"truncated":true,"hits":[{)") !=
        std::string::npos);
  CHECK(index.locate({"--max-hits", "1", "--paf", "-p", "TTT"}).out.find("\tnh:i:3\t") !=
        std::string::npos);
}

TEST_CASE("--strand chooses the strands of hits") {
  const Indexed index(genome);
  check_output(index.locate({"--bed", "--strand", "fwd", "-p", "TTT"}),
               "chr1\t13\t16\tTTT\t0\t+\nchr2\t0\t3\tTTT\t0\t+\n");
  check_output(index.locate({"--bed", "--strand", "rev", "-p", "TTT"}),
               "chr2\t10\t13\tTTT\t0\t-\n");
}

TEST_CASE("coordinates count the ambiguous and soft-masked bases of a record") {
  const Indexed index(">r\nNNNNAACCnnnRYAACC--GGTTaacc\n", {"--soft-mask", "split"});
  check_output(index.locate({"--bed", "-p", "AACC"}),
               "r\t4\t8\tAACC\t0\t+\nr\t13\t17\tAACC\t0\t+\nr\t19\t23\tAACC\t0\t-\n");
}

TEST_CASE("hits of records with one name are told apart by order only") {
  check_output(
      Indexed(">r\nAC\n>r\nGAC\n>r\nGGAC\n").locate({"--bed", "--strand", "fwd", "-p", "AC"}),
      "r\t0\t2\tAC\t0\t+\nr\t1\t3\tAC\t0\t+\nr\t2\t4\tAC\t0\t+\n");
}

TEST_CASE("hostile names stay in their column and are valid JSON") {
  const Indexed index(">ta\x01r\"g\\et\ttabbed\nGATTACA\n>\xff\nGGGG\n>\nCATCAT\n");
  check_output(index.locate({"--bed", "-"},
                            ">q\x1b"
                            "1\tx\nGATTACA\n>q2\nGGGG\n>q3\nCATCAT\n"),
               "ta\\x01r\"g\\\\et\t0\t7\tq\\x1B1\t0\t+\n\xff\t0\t4\tq2\t0\t+\n.\t0\t6\tq3\t0\t+\n");
  check_output(
      index.locate({"--jsonl", "-"}, ">q\x1b\"\nGATTACA\n>q2\nGGGG\n"),
      R"({"query_id":"q\u001b\"","length":7,"n_total":1,"n_reported":1,"truncated":false,"hits":[)"
      R"({"target_id":"ta\u0001r\"g\\et","start":0,"end":7,"strand":"+","mismatches":0}]})"
      "\n"
      R"({"query_id":"q2","length":4,"n_total":1,"n_reported":1,"truncated":false,"hits":[)"
      "{\"target_id\":\"\xc3\xbf\",\"start\":0,\"end\":4,\"strand\":\"+\",\"mismatches\":0}]}\n");
}

TEST_CASE("locate agrees with a scan of the sequence") {
  Random random(77);
  std::string fasta, expected, queries_text;
  std::vector<std::string> records;
  for (int r = 0; r < 4; ++r) {
    records.push_back(random_string(random, 200 + below(random, 200), "ACGTACGTN"));
    fasta += ">r" + std::to_string(r) + '\n' + records.back() + '\n';
  }
  for (int q = 0; q < 100; ++q) {
    const std::string pattern = random_string(random, 2 + below(random, 5), "ACGT");
    const std::string name = "q" + std::to_string(q);
    queries_text += '>' + name + '\n' + pattern + '\n';
    for (std::size_t r = 0; r < records.size(); ++r) {
      for (std::size_t at = records[r].find(pattern); at != std::string::npos;
           at = records[r].find(pattern, at + 1)) {
        expected += 'r' + std::to_string(r) + '\t' + std::to_string(at) + '\t' +
                    std::to_string(at + pattern.size()) + '\t' + name + "\t0\t+\n";
      }
    }
  }
  check_output(Indexed(fasta).locate({"--bed", "--strand", "fwd", "-"}, queries_text), expected);
}

// gsx bench runs everything that it names and reports what it measured.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* header = "work,seconds,rate,unit,traffic,traffic_unit,ceiling,share,runs\n";

/// A small run on the CPU; `more` follows its other options.
Outcome bench(const Arguments& more, const std::string& reads = "64",
              const std::string& repeat = "1") {
  Arguments arguments = {"bench", "--device", "cpu",  "--length", "20000", "--reads",
                         reads,   "--repeat", repeat, "-q",       "-t",    "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Outcome outcome = run(arguments);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome;
}

bool has(const Outcome& outcome, const std::string& work) {
  return outcome.out.find("\n\"" + work) != std::string::npos;
}

struct Row {
  std::string work;
  double seconds = 0;
  double rate = 0;
  std::string unit;
  double traffic = 0;
  std::string ceiling;
  double share = 0;
  std::vector<double> runs;
};

/// The lines of the CSV after its header.
std::vector<Row> rows_of(const std::string& csv) {
  std::vector<Row> rows;
  for (const std::string& line : lines_of(csv)) {
    if (line + '\n' == header) continue;
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    REQUIRE(fields.size() == 9);
    const auto number = [](const std::string& field) {
      return field.empty() ? 0.0 : std::stod(field);
    };
    rows.push_back({fields[0],
                    number(fields[1]),
                    number(fields[2]),
                    fields[3],
                    number(fields[4]),
                    fields[6],
                    number(fields[7]),
                    {}});
    std::istringstream runs(fields[8]);
    for (double seconds = 0; runs >> seconds;)
      rows.back().runs.push_back(seconds);
  }
  return rows;
}

}  // namespace

TEST_CASE("bench measures tables up to the size of the largest index") {
  const auto tables = [](const Arguments& more) {
    std::vector<std::string> found;
    Arguments all = {"bench",           "-q",     "--csv",  "--device", "cpu", "-t", "2", "--work",
                     "ceilings,locate", "--text", "random", "--repeat", "1"};
    all.insert(all.end(), more.begin(), more.end());
    for (const Row& row : rows_of(output_of(run(all)))) {
      const std::size_t at = row.work.find(" lines of ");
      if (at != std::string::npos) found.push_back(row.work.substr(at + 10));
    }
    return found;
  };
  using Names = std::vector<std::string>;
  // About 3.4 bytes per symbol where every row is sampled.
  CHECK(tables({"--length", "6000000", "--reads", "64", "--sa-rates", "32"}) == Names{"16 MB"});
  CHECK(tables({"--length", "6000000", "--reads", "64", "--sa-rates", "32,1"}) ==
        Names{"16 MB", "64 MB"});
  CHECK(tables({"--length", "6000000", "--reads", "0", "--sa-rates", "1"}) == Names{"16 MB"});
}

TEST_CASE("bench measures everything and compares it with ceilings") {
  const Outcome result = bench({"--csv"});
  CHECK(result.out.starts_with(header));
  for (const std::string expected :
       {"ceiling: copy", "ceiling: random 64-byte lines of 16 MB", "suffix array", "BWT",
        "FM-index", "peak host memory", "access", "rank", "select", "count, reads of 20",
        "count, 1 % changed of 50", "count, unrelated of 150", "FASTQ to TSV, count",
        "FASTQ to BED, locate", "locate, one row in 1 sampled", "locate, one row in 32 sampled"}) {
    CAPTURE(expected);
    CHECK(has(result, expected));
  }
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (line.starts_with("\"count")) {
      CHECK(line.find(",lines/s,\"random 64-byte lines of 16 MB\",") != std::string::npos);
    }
    if (line.starts_with("\"BWT")) {
      CHECK(line.find(",B/s,\"copy, read + write\",") != std::string::npos);
    }
  }
}

TEST_CASE("bench's figures agree with each other and with what was measured") {
  const auto rows = rows_of(bench({"--csv", "--work", "ceilings,build,count,pipeline"}).out);
  std::map<std::string, double> ceilings;
  const double symbols = 20'001;  // and the separator
  int checked = 0;
  for (const Row& row : rows) {
    CAPTURE(row.work);
    CHECK(row.rate >= 0);
    if (row.work.starts_with("ceiling: ")) ceilings[row.work.substr(9)] = row.rate;
    if (row.seconds < 1e-5) continue;  // printed in microseconds
    // Symbols of the text, or the 64 reads.
    const double done = row.seconds * row.rate;
    if (row.unit == "symbols/s") {
      CHECK(done == doctest::Approx(symbols).epsilon(0.05));
      ++checked;
    }
    if (row.unit == "reads/s") {
      CHECK(done == doctest::Approx(64).epsilon(0.06));
      ++checked;
    }
    if (!row.ceiling.empty()) {
      REQUIRE(ceilings.contains(row.ceiling));
      CHECK(row.share ==
            doctest::Approx(row.traffic / ceilings[row.ceiling]).epsilon(0.01).scale(0.01));
      ++checked;
    }
  }
  CHECK(checked > 10);
}

TEST_CASE("bench prints every run, and its median") {
  for (const std::size_t repeat : {1u, 5u}) {
    CAPTURE(repeat);
    const Outcome result = bench({"--csv", "--work", "build,count"}, "64", std::to_string(repeat));
    std::size_t measured = 0;
    for (Row& row : rows_of(result.out)) {
      if (row.work.starts_with("peak")) {
        CHECK(row.runs.empty());
        continue;
      }
      CAPTURE(row.work);
      REQUIRE(row.runs.size() == repeat);
      std::sort(row.runs.begin(), row.runs.end());
      CHECK(row.runs[0] > 0);
      CHECK(std::abs(row.runs[repeat / 2] - row.seconds) < 2e-6);
      ++measured;
    }
    CHECK(measured == 12);
  }
}

TEST_CASE("bench builds what is asked for") {
  const auto has_only = [](const std::string& asked, const std::string& built) {
    CAPTURE(asked);
    const Outcome result = bench({"--csv", "--work", asked}, "0");
    for (const std::string work : {"suffix array", "BWT", "FM-index"})
      CHECK(has(result, work) == (built.find(work) != std::string::npos));
  };
  has_only("sa", "suffix array");
  has_only("bwt,fm", "BWT, FM-index");
  const Outcome arrays = bench({"--csv", "--work", "arrays,lcp"}, "0");
  for (const char* work :
       {"nearest smaller values, both sides", "range minima, built",
        "range minima, leftmost positions, random ends", "LCP array, suffix array given"})
    CHECK(arrays.out.find(work) != std::string::npos);
  const Outcome packing = bench({"--csv", "--work", "packing"}, "0");
  for (const std::string width : {"2 of 8", "13 of 32", "26 of 32", "40 of 64"}) {
    CHECK(has(packing, width + " bits: copied"));
    for (const std::string work : {"packed, ", "unpacked, ", "read at random, "}) {
      CHECK(has(packing, width + " bits: " + work + "stream"));
      CHECK(has(packing, width + " bits: " + work + "interleaved"));
    }
  }
  const Outcome wavelet = bench({"--csv", "--work", "wavelet"}, "0");
  for (const std::string sequence : {"sigma 25", "sigma 255", "sigma 65536", "sigma 65536, skewed",
                                     "sigma 65536, skewed, Huffman"}) {
    for (const std::string work :
         {": built", ": access, random", ": rank, random", ": select, random"})
      CHECK(has(wavelet, sequence + work));
  }
  const Outcome sets = bench({"--csv", "--work", "neighbors,prefix"}, "0");
  for (const char* work :
       {"pairs of 16-mers at distance 1: found", "pairs of 16-mers at distance 2: found",
        "longest prefixes of reads in "})
    CHECK(sets.out.find(work) != std::string::npos);
  const Outcome inverse = bench({"--csv", "--work", "inverse"}, "0");
  CHECK(has(inverse, "inverse BWT"));
  CHECK_FALSE(has(inverse, "BWT"));
  has_only("build", "suffix array, BWT, FM-index");
}

TEST_CASE("bench takes every text") {
  for (const std::string text : {"genome", "random", "copies", "halves", "fibonacci", "run",
                                 "period-2", "protein", "prose"}) {
    CAPTURE(text);
    const Outcome result = bench({"--csv", "--text", text, "--work",
                                  "build,sequence,count,locate,pipeline", "--sa-rates", "16"});
    CHECK(has(result, "suffix array"));
    CHECK(has(result, "count, reads of 20"));
    CHECK(!has(result, "ceiling"));
  }
}

TEST_CASE("bench reads a file in the alphabet asked for") {
  const TemporaryFolder folder;
  const std::string file = folder.write("b.fa", ">b\n" + std::string(2000, '7') + "\n");
  check_failure(
      run({"bench", "--device", "cpu", "--repeat", "1", "--work", "bwt", "--input", file}), 3,
      {"--alphabet bytes"});
  const Outcome result = run({"bench", "--device", "cpu", "--repeat", "1", "--work", "bwt",
                              "--reads", "0", "--input", file, "--alphabet", "bytes"});
  CHECK(result.exit_code == 0);
  check_failure(run({"bench", "--alphabet", "dna"}), 2, {"--alphabet requires --input"});
}

TEST_CASE("bench writes haplotypes of each record of its text") {
  const TemporaryFolder folder;
  Random random(1);
  const std::string a = random_string(random, 30'000, "ACGT");
  const std::string b = random_string(random, 5000, "ACGT");
  const std::string file = folder.write("g.fa", ">a first\n" + a + "\n>b\n" + b + "NN\n");
  const auto written = [&](const Arguments& more) {
    Arguments arguments = {"bench",  "-q",      "--device", "cpu",          "--work",
                           "device", "--reads", "0",        "--write-text", folder / "h.fa"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_output(run(arguments), "");
    return lines_of(folder.read("h.fa"));
  };
  const auto records = [](const std::vector<std::string>& lines) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string& line : lines) {
      if (line.starts_with(">")) found.emplace_back(line.substr(1), "");
      if (!line.starts_with(">")) found.back().second += line;
    }
    return found;
  };
  const auto three = records(written({"--input", file, "--haplotypes", "3"}));
  REQUIRE(three.size() == 6);
  CHECK(three[0] == std::pair<std::string, std::string>("a", a));
  CHECK(three[1] == std::pair<std::string, std::string>("b", b + "NN"));
  for (std::size_t r = 2; r < 6; ++r) {
    const std::string& original = three[r % 2].second;
    CHECK(three[r].first == three[r % 2].first + (r < 4 ? "_2" : "_3"));
    CHECK(three[r].second != original);
    CHECK(std::abs(static_cast<double>(three[r].second.size()) -
                   static_cast<double>(original.size())) < 40);
  }
  CHECK(three[2].second != three[4].second);
  CHECK(records(written({"--input", file, "--haplotypes", "3"})) == three);
  CHECK(records(written({"--input", file, "--haplotypes", "3", "--seed", "2"})) != three);
  const auto halves = records(written({"--text", "halves", "--length", "5001"}));
  REQUIRE(halves.size() == 1);
  CHECK(halves[0].second.substr(0, 2500) == halves[0].second.substr(2501));
  CHECK(records(written({"--text", "period-2", "--length", "1001"}))[0].second.ends_with("ACACA"));
  CHECK(records(written({"--text", "run", "--length", "1000", "--haplotypes", "2"})).size() == 2);
}

TEST_CASE("bench gives no haplotype the name of another record") {
  const TemporaryFolder folder;
  const auto names = [&](const std::string& fasta, const char* haplotypes) {
    const Arguments arguments = {
        "bench",   "-q", "--device", "cpu", "--work",       "device", "--reads",      "0",
        "--input", "-",  "-o",       "o",   "--write-text", "-",      "--haplotypes", haplotypes};
    std::string all;
    for (const std::string& line :
         lines_of(output_of(run(arguments, {.input = fasta, .folder = folder.path()}))))
      if (line.starts_with(">")) all += line;
    return all;
  };
  CHECK(names(">a\nACGT\n>a_4\nACGT\n", "3") == ">a>a_4>a_2>a_4_2>a_3>a_4_3");
  CHECK(names(">a_3\nACGT\n>a\nACGT\n", "3") == ">a_3>a>a_3__2>a__2>a_3__3>a__3");
  CHECK(names(">a\nACGT\n>a_2\nACGT\n>a__2\nACGT\n", "2") == ">a>a_2>a__2>a___2>a_2___2>a__2___2");
}

TEST_CASE("bench compresses the text if asked to, and a failed run leaves no file") {
  const TemporaryFolder folder;
  const auto write = [&](const Arguments& more) {
    Arguments arguments = {"bench", "-q", "--device", "cpu", "--length", "1000", "--reads", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, {.folder = folder.path()});
  };
  check_output(write({"--work", "device", "--write-text", "t.fa"}), "");
  check_output(write({"--work", "device", "--write-text", "t.fa.gz", "--csv", "-o", "o.csv.gz"}),
               "");
  for (const char* file : {"t.fa.gz", "o.csv.gz"})
    CHECK(folder.read(file).starts_with("\x1f\x8b"));
  check_output(run({"index", "-q", "t.fa.gz"}, {.folder = folder.path()}), "");
  check_output(run({"extract", "-q", "t.gsx", "--line-width", "80"}, {.folder = folder.path()}),
               folder.read("t.fa"));
  // That a text is no DNA shows when it is there.
  check_failure(write({"--text", "protein", "--work", "mismatches", "--write-text", "p.fa"}), 2,
                {"--work mismatches"});
  CHECK_FALSE(folder.has("p.fa"));
  check_failure(write({"--work", "bwt", "--write-text", "x", "-o", "x"}), 2, {"two outputs"});
}

TEST_CASE("bench prints a table whose columns have one unit each, under headings") {
  const auto blocks = [](const std::string& table) {
    std::vector<std::vector<std::string>> found(1);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) {
        found.emplace_back();
      } else {
        found.back().push_back(line);
      }
    }
    return found;
  };
  const auto table = blocks(bench({"--work", "ceilings,build,sequence,count,locate,pipeline"}).out);
  std::string headings;
  for (const auto& block : table) {
    REQUIRE(block.size() > 1);
    CAPTURE(block[0]);
    std::istringstream words(block[0]);
    std::string first;
    words >> first;
    headings += first + ' ';
    for (std::size_t line = 1; line < block.size(); ++line) {
      CHECK(block[line].find("/s") == std::string::npos);  // units stand in the heading alone
      CHECK(block[line].find(" 0 %") == std::string::npos);
      CHECK(block[line].size() <= block[0].size());
    }
  }
  CHECK(headings == "ceiling ceiling work memory work work work work ");
  CHECK(table[0][0].ends_with("B/s"));
  CHECK(table[1][0].ends_with("lines/s"));
  CHECK(table[2][0].find("seconds") != std::string::npos);
  CHECK(table[2][0].find("symbols/s") != std::string::npos);
  CHECK(table[2][0].ends_with("of ceiling"));
  CHECK(table[2][1].ends_with(" %"));
  REQUIRE(table[3].size() == 4);
  CHECK(table[3][0].ends_with("B/symbol"));
  CHECK(table[3][1].starts_with("peak host memory"));
  CHECK(table[3][2].starts_with("  of it before there was a text"));
  const auto per_symbol = [](const std::string& line) {
    return std::stod(line.substr(line.find_last_of(' ')));
  };
  CHECK(per_symbol(table[3][2]) > 0);
  CHECK(per_symbol(table[3][2]) < per_symbol(table[3][1]));
  CHECK(bench({"--work", "device"}, "0").out == "");
}

TEST_CASE("bench refuses haplotypes of other texts than DNA, and a text that it does not make") {
  const TemporaryFolder folder;
  const std::string dna = folder.write("d.fa", ">d\n" + std::string(2000, 'C') + "\n");
  const std::string protein = folder.write("p.fa", ">p\nMKVLAAGIVGLQEFPEILSTVWYHHQNDE\n");
  const auto fails = [&](const Arguments& more, int code, const std::vector<std::string>& words) {
    Arguments arguments = {"bench", "--device", "cpu", "--work", "bwt", "--reads", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(run(arguments, {.folder = folder.path()}), code, words);
  };
  for (const char* number : {"0", "-1", "10001", "2.5"})
    fails({"--haplotypes", number}, 2, {"--haplotypes", "from 1 to 10000"});
  for (const char* text : {"protein", "prose"})
    fails({"--haplotypes", "2", "--text", text}, 2, {"--haplotypes needs a text of DNA"});
  fails({"--haplotypes", "2", "--input", dna, "--alphabet", "bytes"}, 2, {"a text of DNA"});
  fails({"--haplotypes", "2", "--input", protein}, 3, {"p.fa", "looks like protein"});
  fails({"--haplotypes", "2", "--input", "missing.fa"}, 3, {"missing.fa", "No such file"});
  fails({"--haplotypes", "2", "--input"}, 2, {"--input needs a value"});
  fails({"--input", dna, "--write-text", "o.fa"}, 2, {"--write-text", "--haplotypes of 2 or more"});
  CHECK_FALSE(folder.has("o.fa"));
}

TEST_CASE("bench does only the work asked for") {
  const Outcome build = bench({"--work", "build"});
  CHECK(build.out.find("FM-index") != std::string::npos);
  CHECK(build.out.find("count") == std::string::npos);
  const Outcome locate = bench({"--csv", "--work", "locate", "--sa-rates", "2,7"});
  CHECK(has(locate, "locate, one row in 2 sampled"));
  CHECK(has(locate, "locate, one row in 7 sampled"));
  CHECK(!has(locate, "count"));
  CHECK(!has(locate, "BWT"));
  const Outcome none = run({"bench", "--device", "cpu", "--length", "20000", "--repeat", "1",
                            "--work", "build,count", "--reads", "0", "--csv", "-q"});
  CHECK(none.exit_code == 0);
  CHECK(has(none, "BWT"));
  CHECK(!has(none, "count"));
  CHECK(run({"bench", "--work", "sing"}).exit_code == 2);
  CHECK(run({"bench", "--sa-rates", "0"}).exit_code == 2);
}

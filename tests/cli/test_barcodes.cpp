// gsx neighbors on barcodes in reads: entries between which a tag stands, short reads, symbols from
// the end.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "support/json.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Read {
  std::string symbols, quality;
};

std::string fastq_of(const std::vector<Read>& reads) {
  std::string text;
  for (std::size_t r = 0; r < reads.size(); ++r)
    text +=
        "@r" + std::to_string(r + 1) + '\n' + reads[r].symbols + "\n+\n" + reads[r].quality + '\n';
  return text;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

unsigned distance_of(const std::string& a, const std::string& b) {
  unsigned distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    distance += a[i] != b[i] ? 1 : 0;
  return distance;
}

/// What a tag becomes, by sums in floating point: "" if it stays, and whether that is sure.
struct Naive {
  std::string kind, entry;
};
Naive naive_correction(const Read& tag, const std::vector<std::string>& whitelist,
                       const std::map<std::string, int>& counts, unsigned most, double confidence) {
  unsigned nearest = most + 1;
  for (const std::string& entry : whitelist)
    nearest = std::min(nearest, distance_of(tag.symbols, entry));
  if (nearest == 0) return {"exact", tag.symbols};
  if (nearest > most) return {"unmatched", ""};
  std::vector<std::pair<double, std::string>> weights;
  double all = 0;
  for (const std::string& entry : whitelist) {
    if (distance_of(tag.symbols, entry) != nearest) continue;
    const auto count = counts.find(entry);
    double weight = count == counts.end() ? 0 : count->second;
    for (std::size_t i = 0; i < entry.size(); ++i)
      if (entry[i] != tag.symbols[i]) weight *= std::pow(10, -(tag.quality[i] - 33) / 10.0);
    weights.emplace_back(weight, entry);
    all += weight;
  }
  if (weights.size() == 1) return {"corrected", weights[0].second};
  const auto& [weight, entry] = *std::max_element(weights.begin(), weights.end());
  return weight > 0 && weight / all >= confidence - 1e-9 ? Naive{"corrected", entry}
                                                         : Naive{"ambiguous", ""};
}

}  // namespace

TEST_CASE("a tag between entries of a list is corrected if one is likely enough") {
  const TemporaryFolder folder;
  folder.write("w.txt", "AAAA\nAATT\nCCCC\n");
  const auto corrected = [&](const std::string& list, Arguments more = {}) {
    more.insert(more.begin(),
                {"neighbors", "-q", "-", "--whitelist", "w.txt", "--correct", "--no-header"});
    const std::string out = output_of(run(more, {.input = list, .folder = folder.path()}));
    const std::size_t at = out.find("AAAT\t");
    return out.substr(at, out.find('\n', at) - at);
  };
  const std::string stays = "AAAT\t.\t.\t1", taken = "AAAT\tAAAA\t1\t1";
  CHECK(corrected("AAAA\t4\nAATT\t3\nAAAT\n") == stays);
  CHECK(corrected("AAAA\t39\nAATT\nAAAT\n") == taken);
  CHECK(corrected("AAAA\t38\nAATT\nAAAT\n") == stays);
  CHECK(corrected("AAAT\n") == stays);
  CHECK(corrected("AAAT\nAAAA\n") == taken);
  CHECK(corrected("AAAA\t4\nAATT\t3\nAAAT\n", {"--confidence", "0.5"}) == taken);
  CHECK(corrected("AAAA\t4\nAATT\t3\nAAAT\n", {"--confidence", "0.6"}) == stays);
  CHECK(corrected("AAAA\t4\nAATT\t4\nAAAT\n", {"--confidence", "0"}) == stays);
  CHECK(corrected("AAAA\t4\nAATT\t3\nAAAT\n", {"--confidence", "0"}) == taken);
  CHECK(corrected("AAAT\n", {"--confidence", "0"}) == stays);
  CHECK(corrected("AAAA\t99\nAATT\nAAAT\n", {"--confidence", "1"}) == stays);
  CHECK(corrected("AAAA\t99\nAAAT\n", {"--confidence", "1.000"}) == taken);
  CHECK(corrected("AAAT\t9\nAAAA\t9\n") == "AAAT\tAAAA\t1\t9");  // its own count does not matter
  for (const char* wrong : {"1.1", "-0.5", "x", "", "0.9755555", "1e-3", "2", ".5", "0."}) {
    CAPTURE(wrong);
    check_failure(
        run({"neighbors", "w.txt", "--whitelist", "w.txt", "--correct", "--confidence", wrong},
            {.folder = folder.path()}),
        2, {"--confidence"});
  }
  check_failure(
      run({"neighbors", "w.txt", "--correct", "--confidence", "0.9"}, {.folder = folder.path()}), 2,
      {"--confidence", "--whitelist"});
}

TEST_CASE("each read of a tag between entries decides by its qualities, in FASTQ and tables") {
  const TemporaryFolder folder;
  folder.write("w.txt", "AAAA\nAATT\n");
  std::vector<Read> reads(4, {"AAAA", "IIII"});
  reads.insert(reads.end(), 3, {"AATT", "IIII"});
  reads.insert(reads.end(),
               {{"AAAT", "IIII"}, {"AAAT", "III#"}, {"AAAT", "II#I"}, {"AAAT", "II#I"}});
  folder.write("r.fq", fastq_of(reads));
  const std::string table =
      "AAAA\tAAAA\t0\t4\nAAAT\tAAAA\t1\t1\nAAAT\tAATT\t1\t2\nAAAT\t.\t.\t1\nAATT\tAATT\t0\t3\n";
  const std::string figures = "\"exact\":7,\"corrected\":3,\"ambiguous\":1,\"unmatched\":0";
  for (const std::string input : {"r.fq", "- < r.fq", "<(cat r.fq) -t 3"}) {
    CAPTURE(input);
    check_output(run_shell("exec bash -c '\"$gsx\" neighbors -q --whitelist w.txt --correct "
                           "--no-header --summary s.json " +
                               input + "'",
                           {.folder = folder.path()}),
                 table);
    CHECK(holds(folder.read("s.json"), figures));
  }
  check_output(run({"neighbors", "-q", "r.fq", "--whitelist", "w.txt", "--correct", "-o", "o.fq",
                    "--summary", "s.json"},
                   {.folder = folder.path()}),
               "");
  reads[8].symbols = "AAAA";
  reads[9].symbols = reads[10].symbols = "AATT";
  CHECK(folder.read("o.fq") == fastq_of(reads));
  CHECK(holds(folder.read("s.json"), figures));
  // A list has no qualities: its tags go by counts.
  folder.write("l.txt", "AAAT\t5\n");
  check_output(
      run({"neighbors", "-q", "r.fq", "l.txt", "--whitelist", "w.txt", "--correct", "--no-header"},
          {.folder = folder.path()}),
      "AAAA\tAAAA\t0\t4\nAAAT\tAAAA\t1\t1\nAAAT\tAATT\t1\t2\nAAAT\t.\t.\t6\n"
      "AATT\tAATT\t0\t3\n");
}

TEST_CASE("corrected reads are those of a look at every entry, and tables count the same") {
  Random random(run_seed());
  for (const unsigned most : {1u, 2u}) {
    const std::string letters = most == 1 ? "ACGT" : "ACGTN";
    std::vector<std::string> whitelist;
    for (int i = 0; i < 24; ++i)
      whitelist.push_back(random_string(random, 6, "ACG"));
    std::sort(whitelist.begin(), whitelist.end());
    whitelist.erase(std::unique(whitelist.begin(), whitelist.end()), whitelist.end());
    std::vector<Read> reads;
    std::map<std::string, int> counts;
    for (int i = 0; i < 3000; ++i) {
      std::string tag = whitelist[below(random, 1 + below(random, whitelist.size()))];
      for (int changes = static_cast<int>(below(random, 3)); changes > 0; --changes)
        tag[below(random, 6)] = letters[below(random, letters.size())];
      ++counts[tag];
      reads.push_back({"T" + tag + "GG", random_string(random, 9, "#'+5?I")});
    }
    std::string expected;
    std::map<std::string, int> figures;
    std::map<std::string, int> lines;
    std::vector<Read> becomes = reads;
    for (Read& read : becomes) {
      const Read tag{read.symbols.substr(1, 6), read.quality.substr(1, 6)};
      const Naive naive = naive_correction(tag, whitelist, counts, most, 0.975);
      ++figures[naive.kind];
      // Behind the letters: the line of those that stay comes last.
      ++lines[tag.symbols + '\t' +
              (naive.entry.empty()
                   ? "~"
                   : naive.entry + '\t' + std::to_string(distance_of(tag.symbols, naive.entry)))];
      if (!naive.entry.empty()) read.symbols.replace(1, 6, naive.entry);
    }
    for (const auto& [line, count] : lines) {
      std::string shown = line;
      if (shown.back() == '~') shown.replace(shown.size() - 1, 1, ".\t.");
      expected += shown + '\t' + std::to_string(count) + '\n';
    }
    const TemporaryFolder folder;
    std::string list;
    for (const std::string& entry : whitelist)
      list += entry + '\n';
    folder.write("w.txt", list);
    folder.write("r.fq", fastq_of(reads));
    const std::string says = "\"exact\":" + std::to_string(figures["exact"]) +
                             ",\"corrected\":" + std::to_string(figures["corrected"]) +
                             ",\"ambiguous\":" + std::to_string(figures["ambiguous"]) +
                             ",\"unmatched\":" + std::to_string(figures["unmatched"]) + ',';
    CHECK(figures["ambiguous"] > 20);
    for (const char* threads : {"1", "3"}) {
      Arguments arguments = {
          "neighbors",   "-q",    "r.fq",      "--at",      "2-7",    "-d", std::to_string(most),
          "--whitelist", "w.txt", "--correct", "--summary", "s.json", "-t", threads,
          "--no-header"};
      CHECK((output_of(run(arguments, {.folder = folder.path()})) == expected));
      CHECK(holds(folder.read("s.json"), says));
      arguments.insert(arguments.end(), {"--format", "fastq"});
      CHECK((output_of(run(arguments, {.folder = folder.path()})) == fastq_of(becomes)));
      CHECK(holds(folder.read("s.json"), says));
    }
  }
}

TEST_CASE("reads that are too short for --at are passed over, counted, and written as they are") {
  const TemporaryFolder folder;
  const std::string reads = fastq_of({{"ACGTACGTAA", "IIIIIIIIII"},
                                      {"ACGTA", "IIIII"},
                                      {"", ""},
                                      {"ACGTACGAAC", "IIIIIIIIII"},
                                      {"ACGTACGT", "IIIIIIII"}});
  folder.write("r.fq", reads);
  folder.write("w.txt", "ACGTACGT\n");
  const auto neighbors = [&](Arguments more) {
    more.insert(more.begin(), {"neighbors", "r.fq", "--at", "1-8", "--summary", "s.json"});
    const Outcome outcome = run(more, {.folder = folder.path()});
    CHECK(holds(outcome.err,
                "2 of 5 reads are shorter than the 8 symbols that --at needs, and "
                "passed over"));
    CHECK(is_json(folder.read("s.json")));
    CHECK(holds(folder.read("s.json"), "\"reads\":5,\"reads_too_short\":2,\"distinct\":2,"));
    return output_of(outcome);
  };
  CHECK(neighbors({"--clusters", "--no-header"}) == "ACGTACGT\t3\tACGTACGA\n");
  CHECK(neighbors({"--no-header"}) == "ACGTACGA\tACGTACGT\t1\t1\t2\n");
  CHECK(neighbors({"--no-header", "--correct", "--whitelist", "w.txt"}) ==
        "ACGTACGA\tACGTACGT\t1\t1\nACGTACGT\tACGTACGT\t0\t2\n");
  std::string corrected = reads;
  corrected.replace(corrected.find("ACGTACGA"), 8, "ACGTACGT");
  CHECK(neighbors({"--correct", "--whitelist", "w.txt", "--format", "fastq"}) == corrected);
  CHECK(neighbors({"--correct", "--format", "fastq", "-t", "3"}) == corrected);
  const std::string list = "ACGTACGT\t3\nACG\t7\nACGTACGA\t2\n";
  const Outcome of_list = run({"neighbors", "-", "--at", "1-8", "--no-header"}, {.input = list});
  CHECK(of_list.out == "ACGTACGA\tACGTACGT\t1\t2\t3\n");
  CHECK(holds(of_list.err, "7 of 12 reads are shorter"));
  check_error(run({"neighbors", "-q", "r.fq", "--at", "1-20"}, {.folder = folder.path()}), 3,
              {"5 of 5 reads are shorter than the 20 symbols that --at needs"});
}

TEST_CASE("--at counts from the end with negative numbers") {
  const TemporaryFolder folder;
  const std::string reads = fastq_of({{"ACGTACGTAA", "IIIIIIIIII"},
                                      {"ACGTAACGTAC", "IIIIIIIIIII"},
                                      {"GGTAAC", "IIIIII"},
                                      {"TAC", "III"}});
  folder.write("r.fq", reads + "@w\r\nGG\r\nTA\r\nAC\r\n+\r\nIII\r\nIII\r\n");
  const auto neighbors = [&](const std::string& at, Arguments more = {}) {
    more.insert(more.begin(), {"neighbors", "-q", "r.fq", "--no-header", "--at", at});
    return output_of(run(more, {.folder = folder.path()}));
  };
  CHECK(neighbors("-4--1", {"--clusters"}) == "GTAA\t2\tGTAC\nTAAC\t2\t.\n");
  CHECK(neighbors("-4--1") == "GTAA\tGTAC\t1\t1\t1\n");
  CHECK(neighbors("-1--1", {"--clusters"}) == "C\t5\tA\n");
  CHECK(neighbors("-3--2", {"--clusters"}) == "TA\t5\tAA\n");
  CHECK(neighbors("1-2,-2--1", {"--clusters"}) == "ACAA\t2\tACAC\nGGAC\t2\t.\n");
  CHECK(neighbors("-2--1,1-2", {"--clusters"}) == "AAAC\t2\tACAC\nACGG\t2\t.\n");
  folder.write("w.txt", "GTAC\nCAAC\n");
  // The symbols are put where they were taken, also in wrapped reads.
  std::string corrected = folder.read("r.fq");
  corrected.replace(corrected.find("CGTAA\n"), 5, "CGTAC");
  corrected.replace(corrected.find("GGTAAC"), 6, "GGCAAC");
  corrected.replace(corrected.find("TA\r\n"), 2, "CA");
  CHECK(neighbors("-4--1", {"--correct", "--whitelist", "w.txt", "--format", "fastq"}) ==
        corrected);
  for (const char* wrong :
       {"-4-1", "4--1", "-1--4", "-4--1,-2--1", "-4-", "--1", "-0--0", "-70--1", "-4", "-"}) {
    CAPTURE(wrong);
    check_failure(run({"neighbors", "r.fq", "--at", wrong}, {.folder = folder.path()}), 2,
                  {"--at"});
  }
}

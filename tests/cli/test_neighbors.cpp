// gsx neighbors: pairs, clusters and corrections by hand, the forms of input, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/json.hpp"
#include "support/packed_files.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

const std::string header = "sequence_a\tsequence_b\tdistance\tcount_a\tcount_b\n";
const std::string named_header = "sequence_a\tsequence_b\tdistance\tcount_a\tcount_b\tid_a\tid_b\n";

std::string fastq_of(const std::vector<std::string>& reads) {
  std::string text;
  for (std::size_t r = 0; r < reads.size(); ++r)
    text += "@r" + std::to_string(r + 1) + " x\n" + reads[r] + "\n+\n" +
            std::string(reads[r].size(), static_cast<char>('!' + r % 60)) + '\n';
  return text;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs gsx neighbors on a list.
Outcome neighbors(Arguments arguments, const std::string& input) {
  arguments.insert(arguments.begin(), {"neighbors", "-q", "-"});
  return run(arguments, {.input = input});
}

}  // namespace

TEST_CASE("neighbors of a list by hand: counts, case, U, N, comments, blank lines") {
  const std::string list = "# barcodes\nACGT\t5\n\nacga\nACGA \nACGN\t 2\r\nACGG\nAAUT\n";
  check_output(neighbors({}, list), header +
                                        "ACGA\tACGG\t1\t2\t1\n"
                                        "ACGA\tACGN\t1\t2\t2\n"
                                        "ACGA\tACGT\t1\t2\t5\n"
                                        "ACGG\tACGN\t1\t1\t2\n"
                                        "ACGG\tACGT\t1\t1\t5\n"
                                        "ACGN\tACGT\t1\t2\t5\n");
  check_output(neighbors({"-d", "2", "--no-header"}, "AATT\nACGT\nAAAA\n"),
               "AAAA\tAATT\t2\t1\t1\nAATT\tACGT\t2\t1\t1\n");
  check_output(neighbors({}, "# none\n"), header);
  check_output(neighbors({}, ""), header);
  check_output(neighbors({"--clusters"}, ""), "centroid\tcount\tmembers\n");
  check_output(neighbors({"--correct"}, ""), "sequence\tcorrected\tdistance\tcount\n");
  check_output(neighbors({"--no-header"}, "A"), "");
}

TEST_CASE("neighbors of FASTA have the ids of the first records") {
  const std::string fasta = ">a one\nACGT\n>b\nAC\nGA\n>c\nACGT\n>\nACGC\n";
  check_output(neighbors({}, fasta), named_header +
                                         "ACGA\tACGC\t1\t1\t1\tb\t.\n"
                                         "ACGA\tACGT\t1\t1\t2\tb\ta\n"
                                         "ACGC\tACGT\t1\t1\t2\t.\ta\n");
  const TemporaryFolder folder;
  folder.write("w.txt", "ACGT\nACGT\t7\nTTTT\nACGA\n");
  const Outcome outcome =
      run({"neighbors", "-", "--whitelist", "w.txt"}, {.input = fasta, .folder = folder.path()});
  check_output(outcome, named_header +
                            "ACGA\tACGA\t0\t1\t1\tb\t.\n"
                            "ACGA\tACGT\t1\t1\t2\tb\t.\n"
                            "ACGC\tACGA\t1\t1\t1\t.\t.\n"
                            "ACGC\tACGT\t1\t1\t2\t.\t.\n"
                            "ACGT\tACGA\t1\t2\t1\ta\t.\n"
                            "ACGT\tACGT\t0\t2\t2\ta\t.\n");
  CHECK(holds(outcome.err, "w.txt: 1 of the 4 sequences of the whitelist are there already"));
  CHECK(holds(outcome.err, "sequences, 3 different"));
}

TEST_CASE("neighbors writes names as the other commands do, and sequences only if it corrects") {
  check_output(neighbors({}, ">.\nAC\n>\nAG\n>\\x41\nTG\n"), named_header +
                                                                 "AC\tAG\t1\t1\t1\t\\x2E\t.\n"
                                                                 "AG\tTG\t1\t1\t1\t.\t\\\\x41\n");
  const TemporaryFolder folder;
  folder.write("r.fq", fastq_of({"ACGT", "ACGA"}));
  for (const char* name : {"o.fa", "o.FASTA.gz", "o.2bit", "o.jsonl", "o.fq"}) {
    CAPTURE(name);
    check_failure(run({"neighbors", "r.fq", "-o", name}, {.folder = folder.path()}), 2, {});
    CHECK_FALSE(folder.has(name));
    check_failure(run({"prefix", "--entry", "A", "r.fq", "-o", name}, {.folder = folder.path()}), 2,
                  {"prefix does not write the format"});
  }
  check_failure(run({"neighbors", "r.fq", "--correct", "-o", "o.fa"}, {.folder = folder.path()}), 2,
                {"neighbors does not write the format fasta; it writes tsv or fastq"});
}

TEST_CASE("neighbors of one symbol differ in one, whatever the distance may be") {
  const std::string pairs = header + "A\tC\t1\t1\t2\nA\tN\t1\t1\t1\nC\tN\t1\t2\t1\n";
  for (const char* distance : {"1", "2"})
    check_output(neighbors({"-d", distance}, "C\nA\nC\nN\n"), pairs);
}

TEST_CASE("neighbors takes a whitelist with N, and an input without") {
  const TemporaryFolder folder;
  folder.write("w.txt", "NNNN\nACGN\n");
  check_output(run({"neighbors", "-q", "-", "--whitelist", "w.txt"},
                   {.input = "ACGT\n", .folder = folder.path()}),
               header + "ACGT\tACGN\t1\t1\t0\n");
  folder.write("w2.txt", "ACGT\n");
  check_output(run({"neighbors", "-q", "-", "--whitelist", "w2.txt", "-d", "2"},
                   {.input = "NCGN\n", .folder = folder.path()}),
               header + "NCGN\tACGT\t2\t1\t0\n");
}

TEST_CASE("clusters by hand") {
  // 9 explains 5 and 3, 3 explains 2; 5 does not explain its other neighbour, which has 4.
  const std::string list = "AAAA\t9\nAAAC\t5\nAAAG\t3\nAACG\t2\nCAAC\t4\nTTTT\n";
  check_output(neighbors({"--clusters"}, list),
               "centroid\tcount\tmembers\n"
               "AAAA\t19\tAAAC,AAAG,AACG\n"
               "CAAC\t4\t.\n"
               "TTTT\t1\t.\n");
  check_output(neighbors({"--clusters", "--no-header"}, "AC\nAA\nAG\n"), "AA\t3\tAC,AG\n");
}

TEST_CASE("corrections by counts and by a whitelist, by hand") {
  const std::string list = "AAAA\t9\nAAAC\t4\nAACC\t2\nTTTT\nTTTA\t3\nTTTC\t3\n";
  check_output(neighbors({"--correct"}, list),
               "sequence\tcorrected\tdistance\tcount\n"
               "AAAA\tAAAA\t0\t9\n"
               "AAAC\tAAAA\t1\t4\n"
               "AACC\tAAAA\t2\t2\n"
               "TTTA\tTTTA\t0\t3\n"
               "TTTC\tTTTC\t0\t3\n"
               "TTTT\tTTTT\t0\t1\n");
  const TemporaryFolder folder;
  folder.write("w.txt", "AAAA\nAAAC\nTTTA\nTTTC\nGGGG\n");
  const Outcome outcome =
      run({"neighbors", "-q", "-", "--correct", "--whitelist", "w.txt", "--summary", "s.json"},
          {.input = list + "AAAG\nGGGT\nCGCG\n", .folder = folder.path()});
  check_output(outcome,
               "sequence\tcorrected\tdistance\tcount\n"
               "AAAA\tAAAA\t0\t9\n"
               "AAAC\tAAAC\t0\t4\n"
               "AAAG\t.\t.\t1\n"
               "AACC\tAAAC\t1\t2\n"
               "CGCG\t.\t.\t1\n"
               "GGGT\tGGGG\t1\t1\n"
               "TTTA\tTTTA\t0\t3\n"
               "TTTC\tTTTC\t0\t3\n"
               "TTTT\t.\t.\t1\n");
  const std::string summary = folder.read("s.json");
  CHECK(is_json(summary));
  CHECK(holds(summary, "\"reads\":25,"));
  CHECK(holds(summary, "\"distinct\":9,"));
  CHECK(holds(summary, "\"exact\":19,"));
  CHECK(holds(summary, "\"corrected\":3,"));
  CHECK(holds(summary, "\"ambiguous\":2,"));
  CHECK(holds(summary, "\"unmatched\":1,"));
}

TEST_CASE("corrected FASTQ is the input, byte for byte, but for the symbols at their places") {
  const TemporaryFolder folder;
  const std::vector<std::string> reads = {"GGacgtTTCC", "GGACGATTCC",  "GGACGTTTCA",
                                          "GGACGTTTCC", "GGTTTTTTTTT", "GGACGNTTCC"};
  const std::string text = fastq_of(reads);
  // Another form: wrapped lines, CRLF, and no line end behind the last one.
  folder.write("a.fq", text + "@w\r\nGGAC\r\nGATT\r\nCC\r\n+\r\nIIIII\r\nIIIII");
  folder.write("b.fq", fastq_of({"GGACGTTTCC"}));
  std::string expected = text;
  expected.replace(expected.find("ACGATT"), 6, "ACGTTT");
  expected.replace(expected.find("ACGNTT"), 6, "ACGTTT");
  expected.replace(expected.find("TTCA"), 4, "TTCC");
  expected += "@w\r\nGGAC\r\nGTTT\r\nCC\r\n+\r\nIIIII\r\nIIIII\r\n" + fastq_of({"GGACGTTTCC"});
  for (const char* threads : {"1", "3"}) {
    check_output(run({"neighbors", "-q", "a.fq", "b.fq", "--at", "3-6,9-10", "--correct", "-o",
                      "out.fq", "--summary", "s.json", "-t", threads},
                     {.folder = folder.path()}),
                 "");
    CHECK(folder.read("out.fq") == expected);
    const std::string summary = folder.read("s.json");
    CHECK(is_json(summary));
    CHECK(holds(summary, "\"reads\":8,"));
    CHECK(holds(summary, "\"corrected\":4,"));
    CHECK(holds(summary, "\"exact\":4,"));
  }
  const Arguments to_gzip = {"neighbors", "-q",        "a.fq", "b.fq",     "--at",
                             "3-6,9-10",  "--correct", "-o",   "out.fq.gz"};
  check_output(run(to_gzip, {.folder = folder.path()}), "");
  check_output(run_shell("gzip -dc out.fq.gz", {.folder = folder.path()}), expected);
  folder.write("w.txt", "ACGTCA\n");
  const Outcome outcome = run({"neighbors", "a.fq", "--at", "3-6,9-10", "--correct", "--whitelist",
                               "w.txt", "--format", "fastq"},
                              {.folder = folder.path()});
  CHECK(outcome.exit_code == 0);
  CHECK(holds(outcome.out, "GGACGTTTCA\n"));
  CHECK(!holds(outcome.out, "GGacgtTTCC"));
  CHECK(holds(outcome.err, "1 exact, 2 corrected, 0 ambiguous, 4 unmatched"));
}

TEST_CASE("neighbors gives the same bytes for any form of input, threads and memory") {
  Random random(7);
  std::string list, fastq;
  for (int i = 0; i < 4000; ++i) {
    const std::string sequence = random_string(random, 6, "ACGTN");
    list += sequence + '\n';
    fastq += "@r\nGG" + sequence + "\n+\nIIIIIIII\n";
  }
  const TemporaryFolder folder;
  folder.write("l.txt", list);
  folder.write("l.txt.bz2", bzip2_bytes(list));
  folder.write("r.fq", fastq);
  REQUIRE(run_shell("gzip -k l.txt r.fq; xz -k l.txt; zstd -q l.txt", {.folder = folder.path()})
              .exit_code == 0);
  for (const std::string kind : {"-d1", "-d2", "--clusters", "--correct"}) {
    CAPTURE(kind);
    const auto with = [&](const std::string& line) {
      return run_shell("exec \"$gsx\" neighbors -q " + kind + ' ' + line,
                       {.folder = folder.path()});
    };
    const std::string expected = output_of(with("l.txt -t 1"));
    CHECK(expected.size() > 10'000);
    for (const char* line : {"l.txt -t 3", "l.txt.gz", "l.txt.bz2", "l.txt.xz", "l.txt.zst -t 2",
                             "- < l.txt", "<(cat l.txt)", "r.fq --at 3-8 -t 2", "r.fq.gz --at 3-8",
                             "- --at 3-8 < r.fq.gz", "r.fq --at 3-5,6-8"}) {
      CAPTURE(line);
      const Outcome outcome =
          run_shell("exec bash -c '\"$gsx\" neighbors -q " + kind + ' ' + line + "'",
                    {.folder = folder.path()});
      CHECK((output_of(outcome) == expected));
    }
  }
}

TEST_CASE("neighbors refuses what is no set of sequences") {
  const auto fails = [&](const std::string& input, const std::vector<std::string>& says,
                         const Arguments& more = {}) {
    CAPTURE(input);
    check_error(neighbors(more, input), 3, says);
  };
  fails("ACGT\nACG\n", {"standard input: line 2", "3 symbols", "have 4"});
  fails("# x\n\nACGT\t2\nACGTA\n", {"line 4", "5 symbols", "have 4"});
  fails("ACGT\nAC-T\n", {"line 2", "'-' is none of the letters"});
  fails(">a\nACGT\n>b\nAC-T\n", {"record 2 ('b')", "'-' is none of the letters"});
  fails("ACGT\nACRT\n", {"line 2", "'R'"});
  fails("AC GT\n", {"line 1", "blank inside"});
  fails("ACGT\t1\nACGA\tx\n", {"line 2", "'x' is not a count"});
  fails("ACGT\t0\n", {"'0' is not a count"});
  fails("ACGT\t05\n", {"'05' is not a count"});
  fails("ACGT\t-1\n", {"not a count"});
  fails("ACGT\t18446744073709551616\n", {"not a count"});
  fails("ACGT\t18446744073709551615\nACGA\n", {"line 2", "add up to 2^64"});
  fails(std::string(65, 'A') + '\n', {"line 1", "65 symbols", "at most 64"});
  fails(">a\nACGT\n>b\nACG\n", {"record 2 ('b')", "3 symbols"});
  fails(">a\n\n", {"record 1 ('a')", "empty"});
  fails("ACGT\n>a\nACGT\n", {"line 2"});
  fails(std::string("AC\0T\n", 5), {"line 1"});
  const TemporaryFolder folder;
  folder.write("empty.txt", "# none\n");
  folder.write("short.txt", "ACG\n");
  folder.write("good.txt", "ACGT\n");
  const auto with = [&](const Arguments& more) {
    Arguments arguments = {"neighbors", "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, {.input = "ACGT\n", .folder = folder.path()});
  };
  check_failure(with({"-", "--whitelist", "empty.txt"}), 3, {"empty.txt", "no sequences"});
  check_failure(with({"-", "--whitelist", "short.txt"}), 3, {"short.txt", "3 symbols", "have 4"});
  check_failure(with({"good.txt", "short.txt"}), 3, {"short.txt: line 1", "3 symbols"});
  check_failure(with({"missing.txt", "-o", "out"}), 3, {"missing.txt", "No such file"});
  CHECK(!folder.has("out"));
}

TEST_CASE("neighbors refuses options that contradict each other or the input") {
  const TemporaryFolder folder;
  folder.write("l.txt", "A\nC\n");
  folder.write("r.fq", fastq_of({"ACGT"}));
  const auto fails = [&](const Arguments& more, const std::vector<std::string>& says) {
    Arguments arguments = {"neighbors"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(run(arguments, {.input = fastq_of({"ACGT"}), .folder = folder.path()}), 2, says);
  };
  fails({"-q"}, {"no sequences"});
  fails({"l.txt", "--clusters", "--correct"}, {"--clusters and --correct"});
  fails({"l.txt", "--clusters", "--whitelist", "l.txt"}, {"--whitelist"});
  fails({"l.txt", "-d", "0"}, {"--mismatches"});
  fails({"l.txt", "-k", "3"}, {"--mismatches"});
  for (const char* at : {"3", "0-2", "5-2", "1-70", "1-4,4-6", "1-", "a-b", ""})
    fails({"r.fq", "--at", at}, {"--at"});
  fails({"r.fq", "-o", "out.fq"}, {"only --correct writes FASTQ"});
  fails({"r.fq", "-o", "out.sam"}, {"-o", "sam"});
  fails({"l.txt", "--correct", "--format", "fastq"}, {"only reads in FASTQ"});
  fails({"-", "--correct", "--format", "fastq"}, {"twice", "name a file"});
  fails({"r.fq", "--correct", "-o", "r.fq"}, {"replace the input"});
  fails({"r.fq", "--summary", "r.fq"}, {"replace the input"});
  fails({"-", "--whitelist", "-"}, {"only once"});
  CHECK(folder.names() == std::vector<std::string>{"l.txt", "r.fq"});
}

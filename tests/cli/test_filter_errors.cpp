// gsx filter: what it refuses, and how it ends on bad input.
#include <string>
#include <vector>

#include "support/filtered.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

TEST_CASE("filter refuses pairs that are out of step, and leaves no output") {
  const Genome index;
  const auto read = [](const std::string& name) { return "@" + name + "\nGATTACA\n+\nIIIIIII\n"; };
  index.folder.write("1.fq", read("a") + read("b") + read("c"));
  index.folder.write("swapped.fq", read("a") + read("c") + read("b"));
  index.folder.write("short.fq", read("a") + read("b"));
  index.folder.write("empty.fq", "");
  const std::string before = index.files();
  for (const char* batch : {"1", "2097152"}) {
    const auto pairs = [&](const char* first, const char* second) {
      return index.filter({"--keep", "-L", "7", "--batch", batch, first, second, "-o", "o1", "-O",
                           "o2", "--summary", "s"});
    };
    check_failure(pairs("1.fq", "swapped.fq"), 3,
                  {"out of step", "record 2 ('b') of 1.fq", "record 2 ('c') of swapped.fq"});
    check_failure(pairs("1.fq", "short.fq"), 3,
                  {"record 3 ('c') of 1.fq", "no mate", "record 2 ('b') of short.fq"});
    check_failure(pairs("short.fq", "1.fq"), 3,
                  {"record 3 ('c') of 1.fq", "no mate", "record 2 ('b') of short.fq"});
    check_failure(pairs("empty.fq", "1.fq"), 3, {"record 1 ('a') of 1.fq", "no records"});
    check_error(index.filter({"--keep", "--batch", batch, "--interleaved", "1.fq"}), 3,
                {"record 1 ('a') of 1.fq", "record 2 ('b') of 1.fq", "leave out --interleaved"});
    check_error(index.filter({"--keep", "--batch", batch, "--interleaved", "1.fq", "short.fq"}), 3,
                {"record 2 ('b') of 1.fq", "leave out --interleaved: two files"});
    check_error(index.filter({"--keep", "--batch", batch, "--interleaved", "-"},
                             read("a") + read("a") + read("b")),
                3, {"record 3 ('b') of standard input", "no mate"});
  }
  CHECK(index.files() == before);
}

TEST_CASE("filter writes the pairs before those that are out of step to a stream") {
  const Genome index;
  const auto read = [](const std::string& name) { return "@" + name + "\nGATTACA\n+\nIIIIIII\n"; };
  const std::string good = read("a") + read("a") + read("b") + read("b");
  for (const char* batch : {"1", "30", "2097152"}) {
    CAPTURE(batch);
    const Arguments pairs{"--keep", "-L", "7", "--batch", batch, "--interleaved", "-"};
    for (const char* rest : {"c", "d"}) {
      const Outcome outcome = index.filter(pairs, good + read("c") + read(rest) + read("e"));
      check_error(outcome, 3, {*rest == 'c' ? "record 7 ('e')" : "record 6 ('d')"});
      CHECK(outcome.out == good + (*rest == 'c' ? read("c") + read("c") : ""));
    }
  }
}

TEST_CASE("filter tells the first error of two files, whichever thread finds it") {
  const Genome index;
  const auto read = [](int i) { return "@r" + std::to_string(i) + "\nGATTACA\n+\nIIIIIII\n"; };
  std::string first, second;
  for (int i = 0; i < 600; ++i) {
    first += i == 500 ? "@bad\nGATTACA\n+\nI\n" : read(i);
    second += i == 450 ? "@other\nGATTACA\n+\nIIIIIII\n" : read(i);
  }
  index.folder.write("1.fq", first);
  index.folder.write("2.fq", second);
  for (int run = 0; run < 40; ++run) {
    const bool is_turned = run % 2 == 1;
    const Outcome outcome =
        index.filter({"--keep", "-L", "7", "--batch", "100", "-t", "8", is_turned ? "2.fq" : "1.fq",
                      is_turned ? "1.fq" : "2.fq", "-o", "-", "-O", "o"});
    check_error(outcome, 3, {"out of step", "record 451 ('other') of 2.fq"});
    CHECK(lines_of(outcome.out).size() == 450 * 4);
  }
}

TEST_CASE("filter ends on bad input with exit code 3, and leaves no output") {
  const Genome index;
  const std::string read = "@a\nGATTACA\n+\nIIIIIII\n";
  index.folder.write("good.fq", read + "@b\nGATTACA\n+\nIIIIIII\n");
  index.folder.write("bad.fq", read + "@b\nGATTACA\n+\nIII\n");
  CHECK(run_shell("for i in 1 2 3 4 5 6 7 8 9; do cat good.fq; done | gzip -c > g.fq.gz; "
                  "head -c 40 g.fq.gz > cut.fq.gz; rm g.fq.gz",
                  {.folder = index.folder.path()})
            .exit_code == 0);
  const std::string before = index.files();
  check_failure(index.filter({"--keep", "bad.fq", "-o", "o"}), 3, {"bad.fq", "record 2 ('b')"});
  check_failure(index.filter({"--keep", "cut.fq.gz", "-o", "o"}), 3, {"cut.fq.gz"});
  check_failure(index.filter({"--keep", "good.fq", "bad.fq", "-o", "o", "-O", "p"}), 3, {"bad.fq"});
  check_failure(index.filter({"--keep", "cut.fq.gz", "good.fq", "-o", "o", "-O", "p"}), 3,
                {"cut.fq.gz"});
  check_failure(index.filter({"--keep", "none.fq", "-o", "o"}), 3, {"none.fq"});
  CHECK(index.files() == before);
}

TEST_CASE("filter refuses FASTQ after FASTA, in one file and in one output") {
  const Genome index;
  const std::string fasta = ">a\nGATTACAGATTACA\n>b\nGATTACA\n",
                    fastq = "@c\nGATTACA\n+\nIIIIIII\n";
  index.folder.write("a.fa", fasta);
  index.folder.write("c.fq", fastq);
  index.folder.write("ac.fa", fasta + fastq);
  const std::string before = index.files();
  check_failure(index.filter({"--drop", "ac.fa", "-o", "o"}), 3,
                {"ac.fa", "record 2 ('b'), line 5", "a FASTQ record in a FASTA file"});
  check_failure(index.filter({"--drop", "--unpaired", "-L", "20", "a.fa", "c.fq", "-o", "o"}), 3,
                {"record 1 ('c') of c.fq is FASTQ, unlike those before"});
  check_failure(index.filter({"--drop", "--unpaired", "-L", "20", "c.fq", "a.fa", "-o", "o"}), 3,
                {"record 1 ('a') of a.fa is FASTA, unlike those before"});
  CHECK(index.files() == before);
  // The first mate of a pair may come a batch before the second.
  index.folder.write("aa.fa", ">a\nGATTACA\n>a\nGATTACA\n");
  index.folder.write("cc.fq", fastq + fastq);
  for (const char* batch : {"1", "2097152"}) {
    const Outcome pairs =
        index.filter({"--drop", "--interleaved", "-L", "20", "--batch", batch, "aa.fa", "cc.fq"});
    check_error(pairs, 3, {"record 1 ('c') of cc.fq is FASTQ, unlike those before"});
    CHECK(pairs.out == ">a\nGATTACA\n>a\nGATTACA\n");
  }
  for (const char* command : {"count", "locate", "mem", "ms"}) {
    CAPTURE(command);
    check_error(index.gsx({command, "ac.fa"}), 3,
                {"record 2 ('b'), line 5", "a FASTQ record in a FASTA file"});
  }
  check_error(index.gsx({"mem", "--pairs", "a.fa", "ac.fa", "-L", "5"}), 3,
              {"record 2 ('b'), line 5", "a FASTQ record in a FASTA file"});
  // Any byte may be a symbol of other texts.
  index.folder.write("b.fa", ">t\nab@cd\n");
  index.folder.write("q.fa", ">q\nab\n@cd\n");
  CHECK(index.gsx({"index", "--alphabet", "bytes", "b.fa", "-o", "b.gsx"}).exit_code == 0);
  check_output(index.gsx({"count", "--no-header", "-x", "b.gsx", "q.fa"}), "q\t5\t1\t1\t0\n");
}

TEST_CASE("filter names a header that is too long for the memory") {
  const Genome index;
  index.folder.write("long.fq", "@a " + std::string(3'000'000, 'n') + "\nACGT\n+\nIIII\n");
  check_failure(index.filter({"--keep", "--memory-limit", "30MB", "long.fq", "-o", "o"}), 6,
                {"long.fq: record 1, line 1: ", "header line"});
  // The records before it are whole.
  const std::string name(20'000'000, 'n'), fastq = "@a\nGATTACA\n+\nIIIIIII\n",
                                           fasta = ">a\nGATTACA\n";
  const auto check_before = [&](const std::string& good, const std::string& bad,
                                const std::string& place) {
    const Outcome outcome =
        index.filter({"--keep", "-L", "7", "--memory-limit", "40MB", "-t", "1", "-"}, good + bad);
    check_error(outcome, 6, {place, "header line"});
    CHECK(outcome.out == good);
  };
  check_before(fastq + fastq, "@" + name + "\nACGT\n+\nIIII\n", "record 3, line 9: ");
  check_before(fasta + fasta, ">" + name + "\nACGT\n", "record 3, line 5: ");
  // A header that fits counts once.
  const std::string fits = "@a " + name.substr(0, 2'000'000) + "\nGATTACA\n+\nIIIIIII\n";
  CHECK(index.filter({"--keep", "-L", "7", "--memory-limit", "40MB", "-t", "1", "-"}, fits).out ==
        fits);
}

TEST_CASE("filter refuses what it cannot do") {
  const Genome index;
  index.folder.write("1.fq", "@a\nGATTACA\n+\nIIIIIII\n");
  index.folder.write("2.fq", "@a\nGATTACA\n+\nIIIIIII\n");
  index.folder.write("1.fa", ">a\nGATTACA\n");
  const std::string before = index.files();
  const auto refused = [&](Arguments arguments, const std::vector<std::string>& words) {
    check_failure(index.filter(arguments), 2, words);
  };
  refused({"1.fq"}, {"--drop", "--keep"});
  refused({"--drop", "--keep", "1.fq"}, {"contradict"});
  refused({"--drop"}, {"no reads"});
  refused({"--drop", "1.fq", "2.fq", "-o", "o"}, {"-O"});
  refused({"--drop", "1.fq", "2.fq", "1.fq", "-o", "o", "-O", "p"}, {"3 files", "--unpaired"});
  refused({"--drop", "1.fq", "-O", "p"}, {"-O"});
  refused({"--drop", "1.fq", "2.fq", "--unpaired", "-O", "p"}, {"-O"});
  refused({"--drop", "--both", "1.fq"}, {"--both"});
  refused({"--drop", "--interleaved", "--unpaired", "1.fq"}, {"--interleaved"});
  refused({"--drop", "1.fq", "-o", "1.fq"}, {"replace the input"});
  refused({"--drop", "1.fq", "2.fq", "-o", "o", "-O", "2.fq"}, {"replace the input '2.fq'"});
  refused({"--drop", "1.fq", "-o", "g.gsx"}, {"replace the input"});
  refused({"--drop", "1.fq", "2.fq", "-o", "o", "-O", "./o"}, {"two outputs go to"});
  refused({"--drop", "1.fq", "-o", "o.bam"}, {"'o.bam'", "fastq or fasta"});
  refused({"--drop", "1.fq", "-o", "o.SAM.gz"}, {"filter does not write the format sam"});
  refused({"--drop", "1.fq", "2.fq", "-o", "o", "-O", "p.2bit"}, {"-O 'p.2bit'", "format 2bit"});
  refused({"--drop", "1.fq", "-o", "o.bed"}, {"'o.bed'", "format bed"});
  refused({"--drop", "1.fq", "-o", "o.fasta.gz"}, {"'o.fasta.gz'", "it writes fastq"});
  refused({"--drop", "1.fq", "2.fq", "-o", "o", "-O", "p.fa"}, {"'p.fa'", "it writes fastq"});
  refused({"--drop", "1.fq", "-o", "o.fq", "--rest", "r.fa"}, {"--rest 'r.fa'", "it writes fastq"});
  refused({"--drop", "1.fa", "-o", "o.fq.gz"}, {"'o.fq.gz'", "it writes fasta"});
  refused({"--keep", "--interleaved", "1.fq", "-O", "p"}, {"-O", "-o FILE"});
  refused({"--drop", "1.fq", "--summary", "-"}, {"standard output"});
  refused({"--drop", "-", "-", "-o", "o", "-O", "p"}, {"standard input"});
  refused({"--drop", "-L", "0", "1.fq"}, {"--min-length"});
  refused({"--drop", "1.fq", "g.gsx", "-o", "o", "-O", "p"}, {"g.gsx"});
  check_failure(index.filter({"--drop", "--device", "cuda:77", "-o", "o", "1.fq"}), 7);
  check_failure(index.filter({"--drop", "--device", "cuda:x", "1.fq"}), 2, {"cuda:x"});
  check_failure(index.gsx({"filter", "--drop", "-x", "none.gsx", "1.fq"}), 4, {"none.gsx"});
  // Before a reference is read, which may take minutes.
  const Arguments early{"filter", "--drop", "-r", "none.fa", "1.fq", "2.fq", "-o", "o"};
  check_failure(index.gsx(early), 2, {"-O"});
  CHECK(index.files() == before);
}

TEST_CASE("filter notices a closed pipe and a full disk") {
  const Genome index;
  std::string reads;
  for (int i = 0; i < 30'000; ++i)
    reads += "@a\nGATTACA\n+\nIIIIIII\n";
  index.folder.write("r.fq", reads);
  index.folder.write("s.fq", reads);
  const Outcome piped = run_shell(
      R"("$gsx" filter -q -x g.gsx --keep -L 7 r.fq | head -n 1; echo "${PIPESTATUS[0]}")",
      {.folder = index.folder.path()});
  CHECK(piped.out == "@a\n141\n");  // as by SIGPIPE
  CHECK(piped.err == "");
  const std::string before = index.files();
  check_failure(index.filter({"--keep", "-L", "7", "r.fq", "-o", "/dev/full"}), 6, {"/dev/full"});
  check_failure(index.filter({"--keep", "-L", "7", "r.fq", "s.fq", "-o", "o", "-O", "/dev/full"}),
                6, {"/dev/full"});
  CHECK(index.files() == before);
}

// gsx filter: the reads that gsx mem finds matches of, or the others, byte for byte.
#include <string>
#include <vector>

#include "support/indexed.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// chr1 without its N: ACGTACGT and ACGTTTGGGA; GATTACA
constexpr const char* genome = ">chr1\nACGTACGTNNACGTTTGGGA\n>chr3\nGATTACA\n";

struct Genome : IndexedFolder {
  explicit Genome(const std::string& fasta = genome) : IndexedFolder(fasta) {}
  Outcome filter(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), {"filter", "-q", "-x", "g.gsx"});
    return gsx(arguments, std::move(input));
  }
  bool has(const std::string& name) const {
    return run_shell("test -e " + name, {.folder = folder.path()}).exit_code == 0;
  }
  /// Names of what is in the folder.
  std::string files() const { return output_of(run_shell("ls -A", {.folder = folder.path()})); }
};

Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

struct Read {
  std::string record;
  bool matches;
};

/// Reads that match at L = 6 and others, with everything that a record may hold.
const std::vector<Read> odd_reads = {
    {"@r1/1 a comment\twith tab \r\nACGTTTG\r\n+r1 again\r\n@+!~I>#\r\n", true},
    {"@r2\nacguuuggg\n+\nIIIIIIIII\n", true},
    {"@empty\n\n+\n\n", false},
    {"@n x\nNNNNNNNNNN\n+\n##########\n", false},
    {"@short\nTACGT\n+\nIIIII\n", false},
    {"@reverse\nCCCCTGTAATC\n+\nIIIIIIIIIII\n", true},
    {"@wrapped\nGAT\nTACA\n+\nIII\nIIII\n\n \n", true},
    {"@across\nGTNNACGTT\n+\nIIIIIIIII\n", false},
    {"@border\nTACGTNACGT\n+\nIIIIIIIIII\n", false},
    {"@none\nCCCCCCCCCC\n+\nIIIIIIIIII\n", false},
    {"@last\nGATTACA\n+\nIIIIIII", true}};

std::string written(const std::vector<Read>& reads, bool matching) {
  std::string all;
  for (const Read& read : reads)
    if (read.matches == matching) all += read.record;
  return all;
}

}  // namespace

TEST_CASE("filter passes records on untouched, in any batches, from any kind of file") {
  const Genome index;
  std::string all;
  for (const Read& read : odd_reads)
    all += read.record;
  index.folder.write("r.fq", all);
  CHECK(run_shell("gzip -c r.fq > r.fq.gz", {.folder = index.folder.path()}).exit_code == 0);
  for (const bool keep : {true, false}) {
    const std::string option = keep ? "--keep" : "--drop", expected = written(odd_reads, keep);
    check_output(index.filter({option, "-L", "6", "r.fq"}), expected);
    check_output(index.filter({option, "-L", "6", "-"}, all), expected);
    check_output(index.filter({option, "-L", "6", "-o", "-", "r.fq.gz"}), expected);
    check_output(index.gsx({"filter", option, "-L", "6", "-r", "g.fa", "r.fq"}), expected);
    check_output(index.gsx({"filter", "g.gsx", option, "-L", "6", "r.fq"}), expected);
    for (const char* batch : {"1", "40", "100"}) {
      check_output(index.filter({option, "-L", "6", "--batch", batch, "-t", "2", "r.fq"}),
                   expected);
    }
    check_output(index.filter({option, "-L", "6", "-o", "o.fq.gz", "r.fq"}), "");
    CHECK(output_of(run_shell("gzip -dc o.fq.gz", {.folder = index.folder.path()})) == expected);
  }
  check_output(index.filter({"--drop", "-L", "40", "r.fq"}), all);
  check_output(index.filter({"--keep", "r.fq"}), "");
}

TEST_CASE("filter ends a last line that has no end only where more records follow") {
  const Genome index;
  index.folder.write("a.fq", "@a\nGATTACA\n+\nIIIIIII");
  index.folder.write("b.fq", "@b\nGATTAC\n+\nIIIIII");
  index.folder.write("none.fq", "@c\nCCCCCC\n+\nIIIIII");
  const Arguments asked{"--keep", "-L", "6", "--unpaired"};
  check_output(index.filter(asked + Arguments{"a.fq", "none.fq", "b.fq"}),
               "@a\nGATTACA\n+\nIIIIIII\n@b\nGATTAC\n+\nIIIIII");
  // As the other lines of its file end.
  index.folder.write("cr.fq", "@c\r\nGATTACA\r\n+\r\nIIIIIII");
  index.folder.write("half.fq", "@d\r\nGATTACA\r\n+\r\nIIIIIII\r");
  index.folder.write("cr.fa", ">e\r\nGATTACA");
  index.folder.write("lf.fa", ">f\nGATTACA");
  for (const char* batch : {"1", "2097152"}) {
    check_output(
        index.filter(asked + Arguments{"--batch", batch, "cr.fq", "half.fq", "a.fq", "cr.fq"}),
        "@c\r\nGATTACA\r\n+\r\nIIIIIII\r\n@d\r\nGATTACA\r\n+\r\nIIIIIII\r\n"
        "@a\nGATTACA\n+\nIIIIIII\n@c\r\nGATTACA\r\n+\r\nIIIIIII");
    check_output(index.filter(asked + Arguments{"--batch", batch, "cr.fa", "lf.fa", "cr.fa"}),
                 ">e\r\nGATTACA\r\n>f\nGATTACA\n>e\r\nGATTACA");
  }
}

TEST_CASE("filter takes FASTA, of several lines, and other alphabets on one strand") {
  const Genome index;
  index.folder.write("q.fa", ">a x\nACG\nTTTG\n\n>b\n>c\r\nCCC\r\nCCCC\r\n>d\nTAAAT\nGTAATC");
  check_output(index.filter({"--keep", "-L", "6", "q.fa"}), ">a x\nACG\nTTTG\n\n>d\nTAAAT\nGTAATC");
  check_output(index.filter({"--drop", "-L", "6", "q.fa"}), ">b\n>c\r\nCCC\r\nCCCC\r\n");

  const Genome protein(">p\nMKVLAAGYAGLLKWERTYIPSDFGHKLMCVNQ\n");
  protein.folder.write("q.fa", ">a\nLAAGYA\n>b\nAYGAAL\n>c\nWERTX\n>d\nWERT*Y\n");
  check_output(protein.filter({"--keep", "-L", "4", "q.fa"}),
               ">a\nLAAGYA\n>c\nWERTX\n>d\nWERT*Y\n");
  check_output(protein.filter({"--keep", "-L", "4", "--min-cover", "0.7", "q.fa"}),
               ">a\nLAAGYA\n>c\nWERTX\n");
}

TEST_CASE("filter with --min-cover asks how much of a read its matches cover") {
  const Genome index;
  // 14 of 20 symbols: ACGTTTG and GATTACA
  index.folder.write("r.fa", ">r\nACGTTTGCCCCCCGATTACA\n");
  const std::string record = index.folder.read("r.fa");
  check_output(index.filter({"--keep", "-L", "7", "--min-cover", "0.7", "r.fa"}), record);
  check_output(index.filter({"--keep", "-L", "7", "--min-cover", "0.71", "r.fa"}), "");
  check_output(index.filter({"--drop", "-L", "7", "--min-cover", "0.71", "r.fa"}), record);
  check_output(index.filter({"--keep", "-L", "8", "--min-cover", "0.01", "r.fa"}), "");
  for (const char* part : {"0", "-1", "1.1", "nan", "0.3x", "", "30%"}) {
    CAPTURE(part);
    check_failure(index.filter({"--keep", "--min-cover", part, "r.fa"}), 2, {"--min-cover"});
  }
}

TEST_CASE("filter decides on pairs together") {
  const Genome index;
  const std::string yes = "GATTACA\n+\nIIIIIII\n", no = "CCCCCCC\n+\nIIIIIII\n";
  std::string first, second, both, one, none;
  const auto add = [&](const std::string& name, bool a, bool b) {
    const std::string x = "@" + name + "/1 x\n" + (a ? yes : no);
    const std::string y = "@" + name + "/2\n" + (b ? yes : no);
    first += x;
    second += y;
    (a && b ? both : a || b ? one : none) += x + y;
  };
  for (int i = 0; i < 40; ++i)
    add("p" + std::to_string(i), i % 3 == 0, i % 5 < 2);
  index.folder.write("1.fq", first);
  index.folder.write("2.fq", second);
  // Interleaved answers, with the pairs in order, are those of both files.
  const auto interleave = [&](const Outcome& outcome, const char* x, const char* y) {
    check_output(outcome, "");
    std::string all;
    const auto a = lines_of(index.folder.read(x)), b = lines_of(index.folder.read(y));
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); i += 4) {
      for (std::size_t j = i; j < i + 4; ++j)
        all += a[j] + "\n";
      for (std::size_t j = i; j < i + 4; ++j)
        all += b[j] + "\n";
    }
    return all;
  };
  const std::string all =
      interleave(index.filter({"--drop", "-L", "30", "1.fq", "2.fq", "-o", "a.fq", "-O", "b.fq"}),
                 "a.fq", "b.fq");
  CHECK(index.folder.read("a.fq") == first);
  CHECK(index.folder.read("b.fq") == second);
  for (const Arguments& rules : {Arguments{"--keep"}, Arguments{"--drop"},
                                 Arguments{"--keep", "--both"}, Arguments{"--drop", "--both"}}) {
    CAPTURE(rules[0]);
    CAPTURE(rules.size());
    std::string expected;
    for (int i = 0; i < 40; ++i) {
      const bool a = i % 3 == 0, b = i % 5 < 2, matches = rules.size() == 2 ? a && b : a || b;
      if (matches != (rules[0] == "--keep")) continue;
      expected += "@p" + std::to_string(i) + "/1 x\n" + (a ? yes : no);
      expected += "@p" + std::to_string(i) + "/2\n" + (b ? yes : no);
    }
    for (const char* batch : {"1", "77", "2097152"}) {
      for (const char* threads : {"1", "3"}) {
        const Arguments common = rules + Arguments{"-L", "7", "--batch", batch, "-t", threads};
        CHECK(
            interleave(index.filter(common + Arguments{"1.fq", "2.fq", "-o", "a.fq", "-O", "b.fq"}),
                       "a.fq", "b.fq") == expected);
        check_output(index.filter(common + Arguments{"--interleaved", "-"}, all), expected);
        index.folder.write("i.fq", all);
        CHECK(interleave(index.filter(common + Arguments{"--interleaved", "i.fq", "-o", "a.fq",
                                                         "-O", "b.fq"}),
                         "a.fq", "b.fq") == expected);
      }
    }
  }
  check_output(index.filter({"--keep", "-L", "7", "--unpaired", "1.fq", "2.fq"}),
               output_of(index.filter({"--keep", "-L", "7", "1.fq"})) +
                   output_of(index.filter({"--keep", "-L", "7", "2.fq"})));
}

TEST_CASE("filter gives what mem and awk give, for random pairs") {
  Random random(run_seed());
  const std::string host = random_string(random, 20'000, "ACGT");
  const Genome index(">host\n" + host + "\n");
  std::string files[2];
  for (int i = 0; i < 1500; ++i) {
    for (int mate = 0; mate < 2; ++mate) {
      std::string read = random_string(random, below(random, 150), "ACGTN");
      if (below(random, 2) == 0) read += host.substr(below(random, host.size()), below(random, 60));
      read += random_string(random, below(random, 20), "ACGTacgtN");
      files[mate] += "@" + std::to_string(i) + "/" + std::to_string(mate + 1) + "\n" + read +
                     "\n+\n" + std::string(read.size(), 'I') + "\n";
    }
  }
  index.folder.write("1.fq", files[0]);
  index.folder.write("2.fq", files[1]);
  // Of mates side by side, prints those of pairs in which `matched` is true.
  const std::string script = R"sh(
for i in 1 2; do
  "$gsx" mem -q -x g.gsx -L "$1" --coverage --no-header $i.fq | awk '{print ($4 > 0 && $4 >= '$2' * $2)}' > $i.m
  paste -d '\t' - - - - < $i.fq > $i.lines
done
paste -d '\t' 1.m 2.m 1.lines 2.lines | awk -F '\t' -v OFS='\n' '('"$3"') {print $3, $4, $5, $6; print $7, $8, $9, $10}'
)sh";
  for (const char* least : {"12", "20"}) {
    for (const char* cover : {"0", "0.25"}) {
      for (const bool both : {false, true}) {
        const std::string condition = both ? "$1 && $2" : "$1 || $2";
        for (const bool keep : {false, true}) {
          Arguments arguments{"-L", least, keep ? "--keep" : "--drop", "1.fq", "2.fq", "-o", "-",
                              "-O", "o2"};
          if (both) arguments.emplace_back("--both");
          if (cover[1] != 0) arguments = arguments + Arguments{"--min-cover", cover};
          const std::string first = output_of(index.filter(arguments));
          index.folder.write("o1", first);
          const Outcome expected =
              run_shell("set -- " + std::string(least) + " " + cover + " '" + (keep ? "" : "!(") +
                            condition + (keep ? "'" : ")'") + ";" + script,
                        {.folder = index.folder.path()});
          const Outcome found = run_shell(
              R"(paste -d '\t' <(paste -d '\t' - - - - < o1) <(paste -d '\t' - - - - < o2) | tr '\t' '\n')",
              {.folder = index.folder.path()});
          CHECK(output_of(expected) == (first.empty() ? "" : output_of(found)));
          CHECK(first != "");
        }
      }
    }
  }
}

TEST_CASE("filter refuses pairs that are out of step, and leaves no output") {
  const Genome index;
  const auto read = [](const std::string& name) { return "@" + name + "\nGATTACA\n+\nIIIIIII\n"; };
  index.folder.write("1.fq", read("a/1") + read("b") + read("c"));
  index.folder.write("swapped.fq", read("a/2") + read("c") + read("b"));
  index.folder.write("short.fq", read("a/2") + read("b"));
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
    check_failure(pairs("empty.fq", "1.fq"), 3, {"record 1 ('a/1') of 1.fq", "no records"});
    check_error(index.filter({"--keep", "--batch", batch, "--interleaved", "1.fq"}), 3,
                {"record 1 ('a/1') of 1.fq", "record 2 ('b') of 1.fq", "leave out --interleaved"});
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
  const std::string good = read("a/1") + read("a/2") + read("b/1") + read("b/2");
  for (const char* batch : {"1", "30", "2097152"}) {
    CAPTURE(batch);
    const Arguments pairs{"--keep", "-L", "7", "--batch", batch, "--interleaved", "-"};
    for (const char* rest : {"c", "d"}) {
      const Outcome outcome = index.filter(pairs, good + read("c/1") + read(rest) + read("e"));
      check_error(outcome, 3, {*rest == 'c' ? "record 7 ('e')" : "record 6 ('d')"});
      CHECK(outcome.out == good + (*rest == 'c' ? read("c/1") + read("c") : ""));
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
  index.folder.write("good.fq", read + read);
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
  const std::string before = index.files();
  const auto refused = [&](Arguments arguments, const std::vector<std::string>& words) {
    check_failure(index.filter(arguments), 2, words);
  };
  refused({"1.fq"}, {"--drop", "--keep"});
  refused({"--drop", "--keep", "1.fq"}, {"contradict"});
  refused({"--drop"}, {"no reads"});
  refused({"--drop", "1.fq", "2.fq"}, {"-o", "-O"});
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
  refused({"--drop", "1.fq", "--summary", "-"}, {"standard output"});
  refused({"--drop", "-", "-", "-o", "o", "-O", "p"}, {"standard input"});
  refused({"--drop", "-L", "0", "1.fq"}, {"--min-length"});
  refused({"--drop", "1.fq", "g.gsx", "-o", "o", "-O", "p"}, {"g.gsx"});
  check_failure(index.filter({"--drop", "--device", "cuda:77", "-o", "o", "1.fq"}), 7);
  check_failure(index.filter({"--drop", "--device", "cuda:x", "1.fq"}), 2, {"cuda:x"});
  check_failure(index.gsx({"filter", "--drop", "-x", "none.gsx", "1.fq"}), 4, {"none.gsx"});
  // Before a reference is read, which may take minutes.
  check_failure(index.gsx({"filter", "--drop", "-r", "none.fa", "1.fq", "2.fq"}), 2, {"-O"});
  CHECK(index.files() == before);
}

TEST_CASE("filter notices a closed pipe and a full disk") {
  const Genome index;
  std::string reads;
  for (int i = 0; i < 30'000; ++i)
    reads += "@a\nGATTACA\n+\nIIIIIII\n";
  index.folder.write("r.fq", reads);
  const Outcome piped = run_shell(
      R"("$gsx" filter -q -x g.gsx --keep -L 7 r.fq | head -n 1; echo "${PIPESTATUS[0]}")",
      {.folder = index.folder.path()});
  CHECK(piped.out == "@a\n141\n");  // as by SIGPIPE
  CHECK(piped.err == "");
  const std::string before = index.files();
  check_failure(index.filter({"--keep", "-L", "7", "r.fq", "-o", "/dev/full"}), 6, {"/dev/full"});
  check_failure(index.filter({"--keep", "-L", "7", "r.fq", "r.fq", "-o", "o", "-O", "/dev/full"}),
                6, {"/dev/full"});
  CHECK(index.files() == before);
}

TEST_CASE("filter tells its figures, and that a file is empty") {
  const Genome index;
  index.folder.write("1.fq", "@a\nGATTACA\n+\nIIIIIII\n@b\nCCC\n+\nIII\n@c\nCC\n+\nII\n");
  index.folder.write("2.fq", "@a\nCCCCC\n+\nIIIII\n@b\nCCC\n+\nIII\n@c\nTGTAATC\n+\nIIIIIII\n");
  index.folder.write("empty.fq", "");
  const Outcome pairs = index.gsx({"filter", "-x", "g.gsx", "--drop", "-L", "7", "1.fq", "2.fq",
                                   "-o", "o", "-O", "p", "--summary", "s.json"});
  check_output(pairs, "");
  CHECK(pairs.err.find("3 pairs, 2 matched (66.67 %); 2 of 6 reads written") != std::string::npos);
  const std::string summary = index.folder.read("s.json");
  CHECK(summary.find("\"command\":\"filter\",\"reads\":6,\"reads_matched\":2,"
                     "\"reads_that_cannot_match\":4,\"reads_written\":2,\"pairs\":3,\"pairs_"
                     "matched\":2,\"bases\":27,\"bases_written\":6,"
                     "\"options\":{\"min_length\":7,\"min_cover\":0,\"written\":\"others\","
                     "\"pairs\":\"files\",\"both\":false}}\n") != std::string::npos);
  const Outcome single = index.gsx({"filter", "-x", "g.gsx", "--keep", "-L", "7", "1.fq"});
  CHECK(single.err.find("3 reads, 1 matched (33.33 %), 1 written") != std::string::npos);
  // A read that cannot match is one that does not match.
  const Outcome odd =
      index.gsx({"filter", "-x", "g.gsx", "--drop", "-"}, ">a\nNNNN\n>b\nACGT\n>c\n\n");
  check_output(odd, ">a\nNNNN\n>b\nACGT\n>c\n\n");
  CHECK(
      odd.err.find("warning: 3 of 3 reads have no 31 symbols in a row that the index has, so they "
                   "match nothing") != std::string::npos);
  CHECK(single.err.find("info: 2 of 3 reads have no 7 symbols in a row") != std::string::npos);
  CHECK(single.err.find("warning") == std::string::npos);
  const Outcome empty =
      index.gsx({"filter", "-x", "g.gsx", "--keep", "empty.fq", "empty.fq", "-o", "o", "-O", "p"});
  check_output(empty, "");
  CHECK(empty.err.find("empty.fq: the file has no reads") != std::string::npos);
  CHECK(index.folder.read("o") == "");
  check_output(index.filter({"--keep", "-o", "o.gz", "empty.fq"}), "");
  CHECK(run_shell("gzip -t o.gz", {.folder = index.folder.path()}).exit_code == 0);
}

TEST_CASE("filter takes reads of a million bases") {
  Random random(run_seed());
  const std::string host = random_string(random, 5000, "ACGT");
  const Genome index(">host\n" + host + "\n");
  const std::string other = random_string(random, 1'000'000, "ACGT");
  const auto record = [](const char* name, const std::string& symbols) {
    return std::string("@") + name + "\n" + symbols + "\n+\n" + std::string(symbols.size(), 'I') +
           "\n";
  };
  const std::string yes = record("yes", other + host.substr(700, 35)), no = record("no", other);
  check_output(index.filter({"--keep", "-t", "2", "-"}, no + yes + no), yes);
  check_output(index.filter({"--drop", "-t", "2", "--batch", "1000", "-"}, no + yes + no), no + no);
}

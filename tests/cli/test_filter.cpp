// gsx filter: the reads that gsx mem finds matches of, or the others, byte for byte.
#include <string>
#include <vector>

#include "support/filtered.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

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
  check_output(index.filter({"--drop", "-L", "11", "r.fq"}), all);
  check_output(index.filter({"--keep", "-L", "11", "r.fq"}), "");
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
  index.folder.write("cr2.fq", index.folder.read("cr.fq"));
  index.folder.write("cr2.fa", index.folder.read("cr.fa"));
  for (const char* batch : {"1", "2097152"}) {
    check_output(
        index.filter(asked + Arguments{"--batch", batch, "cr.fq", "half.fq", "a.fq", "cr2.fq"}),
        "@c\r\nGATTACA\r\n+\r\nIIIIIII\r\n@d\r\nGATTACA\r\n+\r\nIIIIIII\r\n"
        "@a\nGATTACA\n+\nIIIIIII\n@c\r\nGATTACA\r\n+\r\nIIIIIII");
    check_output(index.filter(asked + Arguments{"--batch", batch, "cr.fa", "lf.fa", "cr2.fa"}),
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
  protein.folder.write("dna.fa", ">a\nACGTTTG\n>b\nGGGGGNNN\n");
  const Arguments drop = {"filter", "--drop", "-L", "4", "-x", "g.gsx", "dna.fa"};
  const Outcome dna = run(drop, {.folder = protein.folder.path()});
  CHECK(dna.exit_code == 0);
  CHECK(dna.err.find("all look like DNA") != std::string::npos);
  protein.folder.write("dna.fa", ">a\nACGTTTG\n>b\nLAAGYA\n");
  CHECK(run(drop, {.folder = protein.folder.path()}).err.find("look like") == std::string::npos);
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
  std::string first, second, all;
  const auto add = [&](const std::string& name, bool a, bool b) {
    const std::string x = "@" + name + "/1 x\n" + (a ? yes : no);
    const std::string y = "@" + name + "/2\n" + (b ? yes : no);
    first += x;
    second += y;
    all += x + y;
  };
  for (int i = 0; i < 40; ++i)
    add("p" + std::to_string(i), i % 3 == 0, i % 5 < 2);
  index.folder.write("1.fq", first);
  index.folder.write("2.fq", second);
  // Interleaved answers, with the pairs in order, are those of both files.
  const auto interleave = [&](const Outcome& outcome, const char* x, const char* y) {
    check_output(outcome, "");
    std::string mates;
    const auto a = lines_of(index.folder.read(x)), b = lines_of(index.folder.read(y));
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); i += 4) {
      for (std::size_t j = i; j < i + 4; ++j)
        mates += a[j] + "\n";
      for (std::size_t j = i; j < i + 4; ++j)
        mates += b[j] + "\n";
    }
    return mates;
  };
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

TEST_CASE("filter tells its figures, and that a file is empty") {
  const Genome index;
  index.folder.write("1.fq", "@a\nGATTACA\n+\nIIIIIII\n@b\nCCC\n+\nIII\n@c\nCC\n+\nII\n");
  index.folder.write("2.fq", "@a\nCCCCC\n+\nIIIII\n@b\nCCC\n+\nIII\n@c\nTGTAATC\n+\nIIIIIII\n");
  index.folder.write("empty.fq", "");
  index.folder.write("none.fq", "");
  const Outcome pairs = index.gsx({"filter", "-x", "g.gsx", "--drop", "-L", "7", "1.fq", "2.fq",
                                   "-o", "o", "-O", "p", "--summary", "s.json"});
  check_output(pairs, "");
  CHECK(pairs.err.find("3 pairs, 2 matched (66.67 %); 2 of 6 reads written") != std::string::npos);
  const std::string summary = index.folder.read("s.json");
  CHECK(summary.find("\"command\":\"filter\",\"reads\":6,\"reads_matched\":2,"
                     "\"reads_that_cannot_match\":4,\"reads_too_short\":4,\"reads_written\":2,"
                     "\"pairs\":3,\"pairs_matched\":2,\"bases\":27,\"bases_written\":6,"
                     "\"index\":{\"file\":\"g.gsx\",") != std::string::npos);
  CHECK(summary.find("\"options\":{\"min_length\":7,\"min_cover\":0,\"written\":\"others\","
                     "\"pairs\":\"files\",\"both\":false}}\n") != std::string::npos);
  const Outcome single = index.gsx({"filter", "-x", "g.gsx", "--keep", "-L", "7", "1.fq"});
  CHECK(single.err.find("3 reads, 1 matched (33.33 %), 1 written") != std::string::npos);
  // A read that cannot match is one that does not match.
  const std::string odd_reads = ">a\n" + std::string(31, 'N') + "\n>b\nACGT\n>c\n\n";
  const Outcome odd = index.gsx({"filter", "-x", "g.gsx", "--drop", "-"}, odd_reads);
  check_output(odd, odd_reads);
  CHECK(
      odd.err.find("warning: 3 of 3 reads have no 31 symbols in a row that are A, C, G, T or U, so "
                   "they match nothing") != std::string::npos);
  CHECK(single.err.find("warning: 2 of 3 reads have no 7 symbols in a row") != std::string::npos);
  const Outcome empty =
      index.gsx({"filter", "-x", "g.gsx", "--keep", "empty.fq", "none.fq", "-o", "o", "-O", "p"});
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

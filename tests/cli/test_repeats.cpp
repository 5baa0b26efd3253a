// gsx repeats: classes, pairs, BED and dot plots, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "support/blocks.hpp"
#include "support/json.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* header = "repeat_id\tlength\tn_total\tn_reported\ttruncated\tplaces\n";
constexpr const char* pair_header =
    "target_id\tstart\tend\ttarget_id2\tstart2\tend2\tlength\tstrand\n";

std::string fasta_of(const std::vector<std::string>& records) {
  std::string fasta;
  for (std::size_t r = 0; r < records.size(); ++r)
    fasta += ">r" + std::to_string(r + 1) + '\n' + records[r] + '\n';
  return fasta;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("repeats of a small text by hand") {
  // AACCG is in both records, and in the second one turned, as CGGTT.
  const RunOptions input{.input = ">a\nAACCGA\n>b x\nTAACCGCCGGTTC\n"};
  check_output(run({"repeats", "-", "-L", "5"}, input),
               header + std::string("1\t5\t3\t3\tno\ta:0:+,b:1:+,b:7:-\n"));
  check_output(run({"repeats", "-", "-L", "5", "--strand", "fwd", "--no-header"}, input),
               "1\t5\t2\t2\tno\ta:0:+,b:1:+\n");
  check_output(run({"repeats", "-", "-L", "5", "--bed"}, input),
               "a\t0\t5\t1\t0\t+\nb\t1\t6\t1\t0\t+\nb\t7\t12\t1\t0\t-\n");
  check_output(run({"repeats", "-", "-L", "5", "--max-hits", "1", "-q"}, input),
               header + std::string("1\t5\t3\t1\tyes\ta:0:+\n"));
  check_output(run({"repeats", "-", "-L", "5", "--min-count", "4"}, input), header);
  check_output(run({"repeats", "-", "-L", "5", "--pairs"}, input),
               pair_header + std::string("a\t0\t5\tb\t1\t6\t5\t+\n"
                                         "b\t1\t6\tb\t7\t12\t5\t-\n"
                                         "a\t0\t5\tb\t7\t12\t5\t-\n"));
  // In the order of places.
  const auto sorted = [&](const Arguments& how) {
    Arguments arguments = {"repeats", "-", "-L", "4", "--sort", "position", "--no-header", "-q"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    return run(arguments, {.input = ">a\nTTCCATTCCATTCC\n>b\nCCATTCC\n"});
  };
  check_output(sorted({"--strand", "fwd", "--bed"}),
               "a\t0\t9\t2\t0\t+\na\t0\t4\t3\t0\t+\na\t2\t9\t1\t0\t+\na\t5\t14\t2\t0\t+\n"
               "a\t5\t9\t3\t0\t+\na\t7\t14\t1\t0\t+\na\t10\t14\t3\t0\t+\nb\t0\t7\t1\t0\t+\n"
               "b\t3\t7\t3\t0\t+\n");
  CHECK(lines_of(output_of(sorted({"--format", "gff3", "--max-hits", "2"})))[0].starts_with(
      "a\tgsx\trepeat_region\t1\t9\t"));
  check_output(sorted({"--strand", "fwd", "--pairs"}),
               "a\t0\t9\ta\t5\t14\t9\t+\na\t0\t4\ta\t10\t14\t4\t+\na\t0\t4\tb\t3\t7\t4\t+\n"
               "a\t2\t9\tb\t0\t7\t7\t+\na\t7\t14\tb\t0\t7\t7\t+\n");
  for (const char* format : {"--tsv", "--jsonl"})
    check_failure(sorted({format}), 2, {"--sort position", "one line per place"});
}

TEST_CASE("a string that is its own reverse complement has each place once") {
  const RunOptions input{.input = ">a\nAGAATTCA\n>b\nCGAATTCG\n"};
  check_output(run({"repeats", "-", "-L", "6", "--no-header"}, input),
               "1\t6\t2\t2\tno\ta:1:+,b:1:+\n");
  // The first row is that of ACGTA on the reverse strand.
  check_output(run({"repeats", "-", "-L", "4", "--no-header", "--max-hits", "1", "-q"},
                   {.input = ">a\nGACGTTCCCACGTAG\n"}),
               "1\t4\t2\t1\tyes\ta:9:+\n");
  // CGAATTCG is a pair with itself.
  check_output(run({"repeats", "-", "-L", "7", "--no-header"}, input), "");
  check_output(run({"repeats", "-", "-L", "7", "--pairs", "--no-header"}, input),
               "b\t0\t8\tb\t0\t8\t8\t-\n");
}

TEST_CASE("supermaximal repeats are part of no other") {
  const RunOptions input{.input = ">a\nACCCGGAT\n>b\nTACCCGGAC\n>c\nGCCCGGT\n"};
  const auto lines = [&](const Arguments& more) {
    Arguments all = {"repeats", "-", "-L", "3", "--strand", "fwd", "--no-header"};
    all.insert(all.end(), more.begin(), more.end());
    return output_of(run(all, input));
  };
  CHECK(lines({"--supermaximal"}) == "1\t7\t2\t2\tno\ta:0:+,b:1:+\n");
  CHECK(lines({}).find("\t5\t3\t3\tno\ta:1:+,b:2:+,c:1:+\n") != std::string::npos);
}

TEST_CASE("repeats of proteins, and names that hold separators") {
  check_output(run({"repeats", "-", "-L", "4", "--alphabet", "protein", "--no-header"},
                   {.input = ">x,1\nMKWVL\n>x:2\nAKWVLA\n>x\\x2C\nKWVLA\n"}),
               "1\t5\t2\t2\tno\tx:2:1:+,x\\\\x2C:0:+\n"
               "2\t4\t3\t3\tno\tx\\x2C1:1:+,x:2:1:+,x\\\\x2C:0:+\n");
}

TEST_CASE("four letters that are no DNA have no reverse complement") {
  const Arguments options{"repeats", "-", "-L", "3", "--no-header"};
  const auto repeats = [&](const char* alphabet, const std::string& sequence) {
    Arguments all = options;
    all.insert(all.end(), {"--alphabet", alphabet});
    return output_of(run(all, {.input = ">a\n" + sequence + "\n"}));
  };
  CHECK(repeats("bytes", "ABABABXYXYXYABXXYYAABB") ==
        "1\t4\t2\t2\tno\ta:0:+,a:2:+\n2\t3\t2\t2\tno\ta:4:+,a:12:+\n"
        "3\t4\t2\t2\tno\ta:6:+,a:8:+\n");
  CHECK(repeats("protein", "KLMKKLMMKLMNKLMKLNMMNLK").find('-') == std::string::npos);
}

TEST_CASE("the output does not depend on threads, blocks, the width of positions or an index") {
  Random random(31);
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("g.fa", fasta_of({random_string(random, 1'500'000, "ACGT"),
                                 mutated_copies(random, 5000, 20, 3000, "ACGT")}));
  REQUIRE(run({"index", "g.fa"}, here).exit_code == 0);
  const std::string limit = limit_for_blocks({"repeats", "g.fa", "-t", "2"}, here);
  for (const Arguments& work : std::vector<Arguments>{
           {"--max-hits", "7"}, {"--supermaximal", "--bed"}, {"-L", "600", "--pairs"}}) {
    std::string expected;
    for (const Arguments& way : std::vector<Arguments>{{"g.fa", "-t", "1"},
                                                       {"g.gsx", "-t", "3"},
                                                       {"g.fa", "-t", "2", "--wide"},
                                                       {"g.fa", "-t", "2", "--memory-limit", limit},
                                                       {"-", "-t", "2"}}) {
      Arguments all = {"repeats", "--device", "cpu", "-o", "out", "--dotplot", "out.svg"};
      all.insert(all.end(), way.begin(), way.end());
      all.insert(all.end(), work.begin(), work.end());
      RunOptions options = here;
      if (way.front() == "-") options.input = folder.read("g.fa");
      const Outcome outcome = run(all, options);
      CAPTURE(outcome.err);
      REQUIRE(outcome.exit_code == 0);
      CHECK(is_in_blocks(outcome) == (std::ranges::count(way, "--memory-limit") != 0));
      const std::string found = folder.read("out") + folder.read("out.svg");
      if (expected.empty()) expected = found;
      CHECK((found == expected));
      CHECK(found.size() > 1000);
    }
  }
}

TEST_CASE("texts that repeat themselves take little output and memory") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", fasta_of({std::string(50'000, 'A')}));
  folder.write("f.fa", fasta_of({fibonacci_word(200'000)}));
  const auto lines = [&](const Arguments& arguments) {
    return static_cast<std::size_t>(count_of(output_of(run(arguments, here)), "\n"));
  };
  CHECK(lines({"repeats", "a.fa", "--dotplot", "a.svg", "--no-header"}) == 49'900);
  CHECK(lines({"repeats", "a.fa", "--pairs", "--no-header"}) == 49'900);
  CHECK(lines({"repeats", "f.fa", "--dotplot", "f.svg"}) < 100);
  CHECK(folder.read("a.svg").size() < 100'000);
  CHECK(folder.read("f.svg").size() < 100'000);
}

TEST_CASE("a dot plot shows records, and lines of both directions") {
  Random random(32);
  const std::string unit = random_string(random, 3000, "ACGT");
  std::string turned = unit;
  std::reverse(turned.begin(), turned.end());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("g.fa", ">one\n" + unit + "\n>t<w>&o\n" + unit + "\n>three\n" + turned + "\n");
  REQUIRE(run({"repeats", "g.fa", "--dotplot", "g.svg"}, here).exit_code == 0);
  const std::string image = folder.read("g.svg");
  CHECK(image.starts_with("<svg "));
  CHECK(image.ends_with("</svg>\n"));
  CHECK(count_of(image, ">one</text>") == 2);
  CHECK(count_of(image, ">t&lt;w&gt;&amp;o</text>") == 2);
  // One line each for (one, two), (two, one); and for each of both with three, and back.
  const auto runs_in = [&](const char* colour) {
    const std::size_t end = image.find(std::string("\" stroke=\"") + colour);
    const std::size_t begin = image.rfind(" d=\"", end);
    return count_of(image.substr(begin, end - begin), "l");
  };
  CHECK(runs_in("#1c8fb0") >= 2);
  CHECK(runs_in("#1c8fb0") < 10);
  CHECK(runs_in("#e0632a") >= 4);
  CHECK(runs_in("#e0632a") < 20);
  REQUIRE(run({"repeats", "-", "--dotplot", "e.svg", "--alphabet", "dna"},
              {.input = ">e\nAC\n", .folder = folder.path()})
              .exit_code == 0);
  CHECK(folder.read("e.svg").ends_with("</svg>\n"));
  std::string many;
  for (int r = 0; r < 500; ++r)
    many += ">r\nMKWVL\n";
  REQUIRE(run({"repeats", "-", "-L", "4", "--dotplot", "m.svg", "-q"},
              {.input = many, .folder = folder.path()})
              .exit_code == 0);
  CHECK(folder.read("m.svg").find("in 500 records") != std::string::npos);
  CHECK(folder.read("m.svg").find("reverse") == std::string::npos);
}

TEST_CASE("what repeats cannot do is refused before work, and nothing is left behind") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACA\n>r\nACGTT\n");
  const auto refused = [&](const Arguments& more, int code, const std::vector<std::string>& words) {
    Arguments all = {"repeats", "a.fa"};
    all.insert(all.end(), more.begin(), more.end());
    check_failure(run(all, here), code, words);
  };
  refused({"-L", "0"}, 2, {"--min-length", "'0'"});
  refused({"--min-count", "1"}, 2, {"--min-count", "'1'"});
  refused({"--pairs", "--supermaximal"}, 2, {"--supermaximal", "--pairs"});
  refused({"--pairs", "--min-count", "3"}, 2, {"--min-count", "--pairs"});
  refused({"--pairs", "--max-hits", "3"}, 2, {"--max-hits", "--pairs"});
  refused({"--pairs", "--bed"}, 2, {"--pairs", "BED"});
  refused({"--pairs", "-o", "x.bed"}, 2, {"--pairs", "BED"});
  refused({"--bed", "--format", "tsv"}, 2, {"--bed", "--format tsv"});
  refused({"-o", "x.vcf"}, 2, {"vcf"});
  refused({"--pairs", "-o", "x.gff"}, 2, {"--pairs", "GFF3"});
  refused({"--jsonl", "--format", "gff3"}, 2, {"--jsonl", "--format gff3"});
  refused({"-o", "x.paf"}, 2, {"paf"});
  refused({"--dotplot", "x.png"}, 2, {"--dotplot", "png", "svg"});
  refused({"-o", "a.fa"}, 2, {"replace the input"});
  refused({"--dotplot", "a.fa"}, 2, {"replace the input"});
  refused({"-o", "x", "--dotplot", "x"}, 2, {"two outputs"});
  refused({"--memory-limit", "10M"}, 6, {"memory"});
  check_failure(run({"repeats", "b.fa", "-o", "x"}, here), 3, {"b.fa"});
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
}

TEST_CASE("memory that repeats take is counted against the limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", fasta_of({std::string(2'000'000, 'A')}));
  check_failure(
      run({"repeats", "a.fa", "-o", "x", "--memory-limit", "95M", "--device", "cpu"}, here), 6,
      {"repeats itself", "99614720"});
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
}

TEST_CASE("--plan says what repeats takes, and writes nothing") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACA\n");
  const std::string plan = output_of(
      run({"repeats", "a.fa", "--plan", "--device", "cpu", "-o", "x", "--dotplot", "y"}, here));
  CHECK(plan.find("symbols\t12\n") != std::string::npos);
  const auto host_bytes = [](const std::string& facts) {
    return std::stoull(facts.substr(facts.find("host_bytes\t") + 11));
  };
  const std::string sorting = output_of(run(
      {"repeats", "a.fa", "--plan", "--device", "cpu", "--bed", "--sort", "position", "-q"}, here));
  CHECK(host_bytes(sorting) > host_bytes(plan) + (1 << 20));
  CHECK(plan.find("conclusion\tmemory suffices, if few suffixes repeat\n") != std::string::npos);
  CHECK(is_json(lines_of(output_of(run({"repeats", "a.fa", "--plan", "--json", "-q"}, here)))[0]));
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
}

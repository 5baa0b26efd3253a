// gsx lz77: what it writes, what it reads back, and how it fails.
#include "support/columns.hpp"
#include "support/json.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

const std::string small = ">a first one\nACACACGNNACGT\n>empty\n>n\nNNN\n>b\ngac\n";

Outcome lz77(Arguments arguments, const std::string& input) {
  arguments.insert(arguments.begin(), {"lz77", "-q", "-"});
  return run(arguments, {.input = input});
}

/// Records of random and repetitive sequence, with N and lower case.
std::string mixed_fasta(std::uint64_t seed) {
  Random random(seed);
  std::string fasta;
  for (int r = 0; r < 30; ++r) {
    fasta += ">record" + std::to_string(r) + (r % 3 == 0 ? " a comment\n" : "\n");
    const std::string symbols = r % 4 == 0 ? "ACGTN" : r % 4 == 1 ? "ACgt" : "ACGT";
    fasta += mutated_copies(random, below(random, 200), below(random, 5), 30, symbols) + '\n';
  }
  return fasta;
}

}  // namespace

TEST_CASE("lz77: a table of phrases") {
  const std::string head = "record\tstart\tlength\tsource\tliteral";
  const std::string a =
      "a\t0\t1\t.\tA\n"
      "a\t1\t1\t.\tC\n"
      "a\t2\t4\t0\t.\n"
      "a\t6\t1\t.\tG\n"
      "a\t7\t2\t.\tN\n"
      "a\t9\t3\t4\t.\n"
      "a\t12\t1\t.\tT\n";
  const std::string n = "n\t0\t3\t.\tN\n";
  check_output(lz77({}, small),
               head + '\n' + a + n + "b\t0\t1\t.\tG\nb\t1\t1\t.\tA\nb\t2\t1\t.\tC\n");
  const std::string across = output_of(lz77({"--across-records", "--tsv"}, small));
  CHECK(across.starts_with(head + "\tsource_record\na\t0\t1\t.\tA\t.\n"));
  CHECK(across.ends_with("n\t0\t3\t.\tN\t.\nb\t0\t1\t6\t.\ta\nb\t1\t2\t0\t.\ta\n"));
}

TEST_CASE("lz77 --stats counts phrases and symbols, without runs of N") {
  check_output(lz77({"--stats"}, small),
               "record\tlength\tsymbols\tz\tz_log_n_over_n\n"
               "a\t13\t11\t6\t1.886963\n"
               "empty\t0\t0\t0\t.\n"
               "n\t3\t0\t0\t.\n"
               "b\t3\t3\t3\t1.584963\n");
  CHECK(output_of(lz77({"--stats"}, ">r\nA\n")).ends_with("r\t1\t1\t1\t0.000000\n"));
  check_output(lz77({"--stats", "--no-header"}, ">r\nA\n"), "r\t1\t1\t1\t0.000000\n");
  check_output(lz77({"--no-header", "--across-records"}, ">r\nA\n"), "r\t0\t1\t.\tA\t.\n");
}

TEST_CASE("lz77 --window writes a bedGraph of the phrases that begin in each window") {
  // Phrases begin at 0 1 2 6 (7, N) 9 12; windows of 4 have 4, 3, 3 and 1 symbols.
  check_output(lz77({"--window", "4"}, small),
               "a\t0\t4\t1.500000\n"
               "a\t4\t8\t0.528321\n"
               "a\t8\t12\t0.528321\n"
               "a\t12\t13\t0.000000\n"
               "b\t0\t3\t1.584963\n");
  check_output(lz77({"--window", "100"}, ">r\n" + std::string(250, 'N') + "ACGT\n"),
               "r\t200\t254\t2.000000\n");
  const std::string run = output_of(lz77({"--window", "10"}, ">r\n" + std::string(35, 'A') + '\n'));
  check_output(
      lz77({"--window", "10", "--format", "bedgraph"}, ">r\n" + std::string(35, 'A') + '\n'), run);
  CHECK(run ==
        "r\t0\t10\t0.664386\nr\t10\t20\t0.000000\nr\t20\t30\t0.000000\nr\t30\t35\t0.000000\n");
}

TEST_CASE("lz77 --inverse gives the sequences back, in upper case") {
  const TemporaryFolder folder;
  const std::string fasta = mixed_fasta(5);
  folder.write("g.fa", fasta);
  const RunOptions here{.folder = folder.path()};
  CHECK(run({"index", "-q", "g.fa"}, here).exit_code == 0);
  const std::string expected = output_of(run({"extract", "-q", "g.gsx"}, here));
  for (const Arguments& more : {Arguments{}, {"--across-records"}, {"--wide"}}) {
    Arguments arguments{"lz77", "-q", "g.fa", "-o", "g.lz77"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(run(arguments, here).exit_code == 0);
    check_output(run({"lz77", "-q", "--inverse", "g.lz77"}, here), expected);
  }
  const std::string phrases = folder.read("g.lz77");
  check_output(run({"lz77", "-q", "--inverse", "-"}, {.input = phrases}), expected);
  CHECK(run({"lz77", "-q", "--inverse", "g.lz77", "-o", "back.fa"}, here).exit_code == 0);
  CHECK(folder.read("back.fa") == expected);
}

TEST_CASE("lz77: the same bytes from a file, a pipe and an index, on any number of threads") {
  const TemporaryFolder folder;
  const std::string fasta = mixed_fasta(6) + ">protein no\n" + std::string(3000, 'A') + '\n';
  folder.write("g.fa", fasta);
  const RunOptions here{.folder = folder.path()};
  CHECK(run({"index", "-q", "g.fa"}, here).exit_code == 0);
  for (const Arguments& format :
       {Arguments{"--format", "lz77"}, {"--tsv"}, {"--stats"}, {"--window", "7"}}) {
    for (const bool across_records : {false, true}) {
      const auto with = [&](Arguments arguments) {
        arguments.insert(arguments.begin(), {"lz77", "-q"});
        arguments.insert(arguments.end(), format.begin(), format.end());
        if (across_records) arguments.emplace_back("--across-records");
        return arguments;
      };
      const std::string expected = output_of(run(with({"g.fa", "-t", "1"}), here));
      CHECK(output_of(run(with({"g.fa", "-t", "4"}), here)) == expected);
      CHECK(output_of(run(with({"-"}), {.input = fasta})) == expected);
      CHECK(output_of(run(with({"g.gsx"}), here)) == expected);
      CHECK(output_of(run(with({"-x", "g.gsx", "--wide"}), here)) == expected);
    }
  }
}

TEST_CASE("lz77: proteins and bytes") {
  check_output(lz77({"--alphabet", "protein"}, ">p\nMKVMKV*\n"),
               "record\tstart\tlength\tsource\tliteral\np\t0\t1\t.\tM\np\t1\t1\t.\tK\n"
               "p\t2\t1\t.\tV\np\t3\t3\t0\t.\np\t6\t1\t.\t*\n");
  check_output(lz77({"--alphabet", "bytes"}, ">b\n.aA.aA\n"),
               "record\tstart\tlength\tsource\tliteral\nb\t0\t1\t.\t\\x2E\nb\t1\t1\t.\ta\n"
               "b\t2\t1\t.\tA\nb\t3\t3\t0\t.\n");
}

TEST_CASE(
    "lz77: the suffix of -o and the options choose the format; two that disagree are refused") {
  const TemporaryFolder folder;
  folder.write("g.fa", small);
  const RunOptions here{.folder = folder.path()};
  const auto write = [&](Arguments arguments) {
    arguments.insert(arguments.begin(), {"lz77", "-q", "g.fa"});
    return run(arguments, here);
  };
  CHECK(write({"-o", "a.tsv"}).exit_code == 0);
  CHECK(folder.read("a.tsv") == output_of(write({})));
  CHECK(write({"-o", "a.any"}).exit_code == 0);
  CHECK(folder.read("a.any").starts_with("GSXLZ77\n"));
  CHECK(write({"-o", "b.any", "--stats"}).exit_code == 0);
  CHECK(folder.read("b.any") == output_of(write({"--format", "stats"})));
  CHECK(write({"-o", "c.tsv.gz"}).exit_code == 0);
  CHECK(folder.read("c.tsv.gz").starts_with("\x1F\x8B"));
  check_failure(write({"--tsv", "--stats"}), 2, {"--tsv", "--stats"});
  check_failure(write({"--tsv", "--format", "stats"}), 2, {"--tsv", "--format stats", "disagree"});
  check_failure(write({"--format", "lz77", "--window", "5"}), 2, {"--window", "not lz77"});
  check_failure(write({"--format", "bedgraph"}), 2, {"--window N"});
  for (const char* name : {"d.bedgraph", "d.bg", "d.bdg"})
    check_failure(write({"-o", name}), 2, {"--window N"});
  check_failure(write({"-o", "d.json"}), 2, {"-o", "format json"});
  check_failure(write({"-o", "d.lz77.gz"}), 2, {"d.lz77.gz", "not compressed"});
  check_failure(write({"--window", "1"}), 2, {"--window"});
  check_failure(write({"--json"}), 2, {"--json", "--plan"});
  check_failure(write({"-o", "g.fa"}), 2, {"g.fa"});
  check_failure(run({"lz77"}), 2, {"FILE is required"});
}

TEST_CASE("lz77 --inverse refuses what is no whole LZ77 file, and leaves nothing") {
  const TemporaryFolder folder;
  folder.write("g.fa", small);
  const RunOptions here{.folder = folder.path()};
  REQUIRE(run({"lz77", "-q", "g.fa", "-o", "g.lz77"}, here).exit_code == 0);
  const std::string good = folder.read("g.lz77");
  const auto names = [&] { return folder.names(); };
  const auto inverse = [&](const std::string& path) {
    return run({"lz77", "-q", "--inverse", path, "-o", "out"}, here);
  };
  std::string bad = good;
  bad[good.size() / 2] = static_cast<char>(bad[good.size() / 2] ^ 1);
  folder.write("bad", bad);
  folder.write("cut", good.substr(0, good.size() - 1));
  folder.write("empty", "");
  const auto before = names();
  check_failure(inverse("bad"), 5, {"'bad'", "damaged", "checksum"});
  check_failure(inverse("cut"), 5, {"'cut'", "damaged"});
  check_failure(inverse("g.fa"), 4, {"'g.fa'", "not an LZ77 file"});
  check_failure(inverse("empty"), 3, {"'empty'", "empty"});
  check_failure(inverse("missing"), 3, {"'missing'"});
  check_failure(run({"lz77", "--inverse", "g.lz77", "--stats"}, here), 2, {"--stats", "--inverse"});
  check_failure(run({"lz77", "--inverse", "g.lz77", "--alphabet", "dna"}, here), 2, {"--alphabet"});
  check_failure(run({"lz77", "--inverse", "g.lz77", "bad"}, here), 2, {"one file"});
  check_failure(run({"lz77", "--inverse", "-x", "g.lz77"}, here), 2, {"--index"});
  check_failure(run({"lz77", "--inverse"}, here), 2, {"FILE is required"});
  check_failure(run({"lz77", "--inverse", "g.lz77", "--device", "cuda"}, here), 2,
                {"--device", "--inverse"});
  check_failure(run({"lz77", "--inverse", "g.lz77", "--gpu-memory", "1GB"}, here), 2,
                {"--gpu-memory", "--inverse"});
  CHECK(names() == before);
}

TEST_CASE("lz77 --inverse keeps to the memory limit, whatever a file says") {
  const TemporaryFolder folder;
  // 30 million N take a few bytes.
  const std::string fasta = ">n\n" + std::string(30'000'000, 'N') + "\n>a\nA\n";
  REQUIRE(run({"lz77", "-q", "-", "-o", folder / "n.lz77"}, {.input = fasta}).exit_code == 0);
  CHECK(folder.read("n.lz77").size() < 100);
  check_failure(run({"lz77", "-q", "--inverse", folder / "n.lz77", "--memory-limit", "25MB"}), 6,
                {"too little memory", "--memory-limit"});
  CHECK(output_of(run({"lz77", "-q", "--inverse", folder / "n.lz77"})).size() == 30'500'008);
}

TEST_CASE("lz77 --plan and --memory-limit") {
  const TemporaryFolder folder;
  Random random(9);
  folder.write("g.fa", ">r\n" + random_string(random, 2'000'000, "ACGT") + "\n>s\nACGT\n");
  const RunOptions here{.folder = folder.path()};
  const std::string plan = output_of(run({"lz77", "-q", "g.fa", "--plan"}, here));
  CHECK(plan.find("part_symbols\t2000001\n") != std::string::npos);
  CHECK(plan.find("conclusion\tmemory suffices, unless short words") != std::string::npos);
  CHECK(is_json(lines_of(output_of(run({"lz77", "-q", "g.fa", "--plan", "--json"}, here)))[0]));
  check_failure(run({"lz77", "-q", "g.fa", "--memory-limit", "20MB", "-o", "out"}, here), 6,
                {"too little memory", "--memory-limit"});
  CHECK(folder.names() == std::vector<std::string>{"g.fa"});
  if (sanitized) return;  // whose memory is not the program's
  CHECK(run({"lz77", "-q", "g.fa", "--memory-limit", "60MB", "-o", "out"}, here).exit_code == 0);
}

TEST_CASE("an LZ77 file is not written to a terminal") {
  const TemporaryFolder folder;
  folder.write("g.fa", small);
  GSX_NEED("SCRIPT", has_command("script"), "there is no script(1) to make a terminal");
  const Outcome outcome = run_shell(
      "script -qec '\"$gsx\" lz77 g.fa --format lz77' log < /dev/null", {.folder = folder.path()});
  CHECK(outcome.exit_code == 2);
  CHECK(folder.read("log").find("not writing an LZ77 file to a terminal") != std::string::npos);
}

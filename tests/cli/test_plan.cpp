// index --plan and --memory-limit: the memory of a build is known beforehand, and kept within a
// limit.
#include <cmath>

#include "support/json.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr std::uint64_t megabyte = 1 << 20;

/// A number of a plan, or of another table of names and values.
double number(const std::string& table, const std::string& name) {
  for (const std::string& line : lines_of(table)) {
    if (line.starts_with(name + '\t')) return std::stod(line.substr(name.size() + 1));
  }
  FAIL("no line " << name << " in " << table);
  return 0;
}

/// Peak host memory in bytes, from the closing line of a run.
double peak_of(const Outcome& outcome) {
  const std::string before = "peak memory ";
  const auto at = outcome.err.find(before);
  REQUIRE(at != std::string::npos);
  return std::stod(outcome.err.substr(at + before.size())) * 1e6;
}

std::string fasta(const std::vector<std::string>& sequences) {
  std::string made;
  for (const std::string& sequence : sequences)
    made += ">record" + std::to_string(made.size()) + " with a comment\n" + sequence + '\n';
  return made;
}

struct Input {
  std::string name;
  std::string content;
  Arguments options = {};
};

std::string repeated(const std::string& unit, std::uint64_t length) {
  std::string made;
  while (made.size() < length)
    made += unit;
  return made;
}

/// Inputs that take memory in different ways, of about `length` symbols.
std::vector<Input> inputs(std::uint64_t length) {
  Random random(12);
  const std::string dna = random_string(random, length, "ACGT");
  std::string gaps = dna;
  for (std::size_t i = 0; i + 30 < gaps.size(); i += 700)
    gaps.replace(i, 30, 30, 'N');
  std::vector<std::string> reads;
  for (std::size_t i = 0; i + 120 <= dna.size(); i += 120)
    reads.push_back(dna.substr(i, 120));
  const std::string letters = random_string(random, length, "ACDEFGHIKLMNPQRSTVWY");
  return {{"dna", fasta({dna})},
          {"every row sampled", fasta({dna}), {"--sa-rate", "1"}},
          {"wide", fasta({dna}), {"--wide"}},
          {"copies", fasta({mutated_copies(random, length / 50, 30, 2000, "ACGT")})},
          {"period", fasta({repeated("AC", std::max<std::uint64_t>(length, 10'000'000))})},
          {"runs", fasta({repeated(std::string(1000, 'A') + "C", length)})},
          {"gaps", fasta({gaps})},
          {"reads", fasta(reads)},
          {"protein", fasta({letters})},
          {"bytes", fasta({letters + "#&!"}), {"--alphabet", "bytes"}}};
}

Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// gsx index on the CPU with two threads.
Arguments index(const Input& input, const std::string& file, const Arguments& more) {
  return Arguments{"index", "--device", "cpu", "-t", "2", file} + input.options + more;
}

}  // namespace

TEST_CASE("a plan predicts the build: memory within 15 %, the file to the byte") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  for (const Input& input : inputs(2'000'000)) {
    CAPTURE(input.name);
    const TemporaryFolder folder;
    const std::string file = folder.write("g.fa", input.content);
    const std::string plan = output_of(run(index(input, file, {"--plan"})));
    CHECK(folder.names() == std::vector<std::string>{"g.fa"});
    const Outcome built = run(index(input, file, {}));
    REQUIRE(built.exit_code == 0);
    // For periodic texts, a plan gives an upper bound.
    const bool periodic = input.name == "period" || input.name == "runs";
    const double planned = number(plan, "host_bytes"), peak = peak_of(built);
    CHECK(planned < peak * (periodic ? 1.35 : 1.2));
    CHECK(planned > peak * 0.8);
    CHECK(number(plan, "disk_bytes") == static_cast<double>(folder.read("g.gsx").size()));
    CHECK(number(plan, "parts") == 1);
    CHECK(number(plan, "device_bytes") == 0);
  }
}

TEST_CASE("a build keeps its memory limit, with the same bytes, as its plan says") {
  int kept = 0;
  for (const Input& input : inputs(5'000'000)) {
    if (sanitized && input.name != "copies" && input.name != "reads") continue;
    CAPTURE(input.name);
    const TemporaryFolder folder;
    const std::string file = folder.write("g.fa", input.content);
    const Outcome whole = run(index(input, file, {}));
    REQUIRE(whole.exit_code == 0);
    const std::string expected = folder.read("g.gsx");
    if (sanitized) {
      const Outcome limited = run(index(input, file, {"--memory-limit", "1MB"}));
      check_failure(limited, 6, {"--memory-limit", "at least"});
      continue;
    }
    // What the smallest blocks need, from the error message for a limit that is too small. Reading
    // is refused first; that gives what reading takes, but not what building takes.
    const Outcome reading = run(index(input, file, {"--memory-limit", "1MB", "-o", "none.gsx"}));
    check_failure(reading, 6, {"reading the input", "--memory-limit", "at least"});
    Outcome refused;
    for (double limit = 14e6; limit < 2 * peak_of(whole); limit *= 1.05) {
      const std::string bytes = std::to_string(static_cast<std::uint64_t>(limit));
      refused = run(index(input, file, {"--memory-limit", bytes, "-o", "none.gsx"}));
      if (refused.err.find("this build") != std::string::npos || refused.exit_code == 0) break;
    }
    check_failure(refused, 6, {"this build", "--memory-limit", "at least"});
    const std::string words = "takes at least ";
    const double least = std::stod(refused.err.substr(refused.err.find(words) + words.size()));
    for (const double share : {0.1, 0.6}) {
      // The memory that reading leaves behind varies by some megabytes from run to run.
      const double limit = least + share * (peak_of(whole) - least) + 6e6;
      if (limit > peak_of(whole) - 4e6) continue;
      ++kept;
      const std::string bytes = std::to_string(static_cast<std::uint64_t>(limit));
      CAPTURE(bytes);
      const Outcome limited = run(index(input, file, {"--memory-limit", bytes}));
      CAPTURE(limited.err);
      REQUIRE(limited.exit_code == 0);
      CHECK(limited.err.find("memory is short") != std::string::npos);
      CHECK(peak_of(limited) <= limit);
      CHECK((folder.read("g.gsx") == expected));
      const std::string plan =
          output_of(run(index(input, file, {"--plan", "--memory-limit", bytes})));
      CHECK(plan.starts_with("path\tcpu, in blocks\n"));
      CHECK(number(plan, "host_bytes") <= limit);
      CHECK(number(plan, "host_limit_bytes") == std::floor(limit));
    }
  }
  MESSAGE(kept << " limits kept");
  CHECK((sanitized || kept > 5));
}

TEST_CASE("DNA in blocks takes less than 3 bytes per base") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(3);
  const TemporaryFolder folder;
  const std::string file = folder.write("g.fa", fasta({random_string(random, 20'000'000, "ACGT")}));
  const Outcome built =
      run({"index", "--device", "cpu", "-t", "2", file, "--memory-limit", "55MB"});
  CAPTURE(built.err);
  REQUIRE(built.exit_code == 0);
  CHECK(peak_of(built) < 3 * 20e6);
}

TEST_CASE("an address space that is too small for a build in one piece is enough for blocks") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(4);
  const TemporaryFolder folder;
  const std::string file = folder.write("g.fa", fasta({random_string(random, 30'000'000, "ACGT")}));
  const std::string build = "\"$gsx\" index --device cpu -t 1 g.fa -o ";
  REQUIRE(run_shell(build + "whole.gsx", {.folder = folder.path()}).exit_code == 0);
  const Outcome limited =
      run_shell("ulimit -v 190000; " + build + "limited.gsx", {.folder = folder.path()});
  CAPTURE(limited.err);
  REQUIRE(limited.exit_code == 0);
  CHECK(limited.err.find("memory is short") != std::string::npos);
  CHECK((folder.read("limited.gsx") == folder.read("whole.gsx")));
}

TEST_CASE("a limit that is too small for anything is refused before work, and leaves no file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("g.fa", ">r\nACGTACGTTGCA\n");
  for (const Arguments& command :
       {Arguments{"index", file}, Arguments{"index", "--plan", file}, Arguments{"sa", file},
        Arguments{"sa", "--check", file}, Arguments{"bwt", file}}) {
    CAPTURE(command[0]);
    check_failure(run(command + Arguments{"--device", "cpu", "--memory-limit", "100k"}), 6,
                  {"too little memory", "at least", "--memory-limit allows 102400"});
    check_failure(
        run(command + Arguments{"--device", "cpu"}, {.environment = {"GSX_MEMORY_LIMIT=100k"}}), 6,
        {"GSX_MEMORY_LIMIT"});
    CHECK(folder.names() == std::vector<std::string>{"g.fa"});
  }
  check_failure(run({"index", file, "--memory-limit", "much"}), 2, {"--memory-limit"});
  write_file(folder / "b.bwt", "A$");
  check_failure(run({"bwt", "--inverse", folder / "b.bwt", "--memory-limit", "100k"}), 6,
                {"reading a BWT", "--memory-limit"});
}

TEST_CASE("sa and bwt keep a memory limit with the same output") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(6);
  const TemporaryFolder folder;
  const std::string file =
      folder.write("g.fa", fasta({random_string(random, 4'000'000, "ACGT"),
                                  mutated_copies(random, 100'000, 20, 3000, "ACGT"), "NNACGN"}));
  for (const Arguments& command :
       {Arguments{"sa", file}, Arguments{"sa", "--separators", "--width", "5", file},
        Arguments{"sa", "--text", file}, Arguments{"bwt", file}}) {
    CAPTURE(command[0]);
    const Arguments on_cpu = command + Arguments{"--device", "cpu", "-t", "2"};
    const std::string expected = output_of(run(on_cpu));
    const Outcome limited = run(on_cpu + Arguments{"--memory-limit", "30MB"});
    CAPTURE(limited.err);
    CHECK(limited.err.find("memory is short") != std::string::npos);
    CHECK(peak_of(limited) <= 30.0 * megabyte);
    CHECK((output_of(limited) == expected));
  }
  check_failure(run({"sa", "--check", "--device", "cpu", file, "--memory-limit", "30MB"}), 6,
                {"whole suffix array"});
}

TEST_CASE("a plan is a table or JSON, also for input from a pipe") {
  const std::string plan =
      output_of(run({"index", "--plan", "--device", "cpu", "-"}, {.input = ">r\nACGTN\n>s\nAC\n"}));
  CHECK(
      plan.starts_with("path\tcpu\ndevice\tcpu\nalphabet\tdna\nindexed_symbols\t6\nrecords\t2\n"
                       "segments\t2\nhost_bytes\t"));
  CHECK(plan.find("conclusion\tmemory and disk suffice\n") != std::string::npos);
  const std::string json = output_of(
      run({"index", "--plan", "--json", "--device", "cpu", "-"}, {.input = ">r\nACGTN\n"}));
  CHECK(is_json(json));
  CHECK(lines_of(json).size() == 1);
  check_failure(run({"index", "--json", "-"}, {.input = ">r\nA\n"}), 2, {"--plan"});
}

TEST_CASE("without the GPU, its plan is exit code 7, and the message says why") {
  const TemporaryFolder folder;
  const std::string file = folder.write("g.fa", ">r\nACGTN\n");
  const std::string why = "the plan for a GPU is made where the GPU is";
  for (const Arguments& command :
       {Arguments{"index", file, "-o", folder / "x.gsx"},
        Arguments{"index", "--shards", "1", file, "-o", folder / "x.gsx"},
        Arguments{"mappability", "-K", "3", file}, Arguments{"repeats", file},
        Arguments{"lz77", "--tsv", file}}) {
    CAPTURE(command[0]);
    check_failure(run(command + Arguments{"--device", "cuda:999", "--plan"}), 7,
                  {why, "--device cpu"});
    const Outcome outcome = run(command + Arguments{"--device", "cuda:999"});
    check_failure(outcome, 7);
    CHECK(outcome.err.find(why) == std::string::npos);
  }
  CHECK(folder.names() == std::vector<std::string>{"g.fa"});
}

TEST_CASE("a track of as many runs as positions keeps the memory limit on several threads") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(9);
  const TemporaryFolder folder;
  const std::string file = folder.write("g.fa", fasta({random_string(random, 4'000'000, "ACGT")}));
  const std::vector<std::string> work = {"mappability", "--device",          "cpu", "-t",
                                         "4",           "--shortest-unique", file};
  std::vector<std::string> planned = work, limited = work;
  planned.push_back("--plan");
  const double limit = number(output_of(run(planned)), "host_bytes");
  limited.insert(limited.end(), {"-v", "-o", folder / "out.tsv", "--memory-limit",
                                 std::to_string(static_cast<std::uint64_t>(limit))});
  const Outcome outcome = run(limited);
  REQUIRE(outcome.exit_code == 0);
  CHECK(peak_of(outcome) <= limit);
}

// The memory of locate does not grow with the number of hits.
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Peak memory from the closing line, in bytes. It includes pages of the program and of the mapped
/// index, so the index here is small.
std::uint64_t peak_bytes(Arguments command, const RunOptions& options) {
  const Outcome outcome = run(command, options);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const std::size_t begin = outcome.err.find("peak memory ");
  REQUIRE(begin != std::string::npos);
  return static_cast<std::uint64_t>(std::stod(outcome.err.substr(begin + 12)) * 1e6);
}

constexpr std::uint64_t megabyte = 1'000'000;
/// Bytes of pages of the program, its libraries and the index.
constexpr std::uint64_t mapped = 15 * megabyte;

struct Place {
  TemporaryFolder folder;
  RunOptions here;

  Place() {
    Random random(98);
    folder.write("g.fa", ">r\n" + random_string(random, 1'000'000, "ACGT") + '\n');
    here = {.folder = folder.path(), .timeout_seconds = 600};
    REQUIRE(run({"index", "-q", "g.fa"}, here).exit_code == 0);
  }
  /// Writes `count` queries of `length` bases.
  void write_queries(const std::string& name, int count, std::size_t length) const {
    Random random(99);
    std::string queries;
    for (int i = 0; i < count; ++i)
      queries += ">q" + std::to_string(i) + '\n' + random_string(random, length, "ACGT") + '\n';
    folder.write(name, queries);
  }
};

}  // namespace

TEST_CASE("ten times the hits take no more memory, in any format, on any number of threads") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const Place place;
  place.write_queries("few.fa", 4, 2);  // each pair of bases has half a million hits
  place.write_queries("many.fa", 20, 2);
  for (const Arguments& format :
       {Arguments{}, Arguments{"--bed"}, Arguments{"--paf"}, Arguments{"--jsonl"}}) {
    for (const char* threads : {"1", "4"}) {
      const auto peak = [&](const char* queries) {
        Arguments command = {"locate", "--device", "cpu", "-t", threads, queries, "-o", "out"};
        command.insert(command.end(), format.begin(), format.end());
        return peak_bytes(command, place.here);
      };
      CAPTURE(std::string(threads));
      const std::uint64_t few = peak("few.fa"), many = peak("many.fa");
      CHECK(many < few + 8 * megabyte * std::stoull(threads));
      CHECK(many < 60 * megabyte);
    }
  }
}

TEST_CASE("one query with millions of hits takes little memory, and loses none") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const Place place;
  CHECK(peak_bytes(
            {"locate", "--device", "cpu", "-t", "2", "-p", "A", "-p", "T", "--bed", "-o", "a.bed"},
            place.here) < 60 * megabyte);
  // A naive scan: A occurs wherever the text has A, and on the other strand wherever it has T.
  const std::string scan = R"(python3 -c "
import sys
text = open('g.fa').read().split('\n')[1]
for name, same, other in (('A', 'A', 'T'), ('T', 'T', 'A')):
    lines = {same: f'\t{name}\t0\t+\n', other: f'\t{name}\t0\t-\n'}
    sys.stdout.write(''.join(f'r\t{i}\t{i + 1}{lines[c]}' for i, c in enumerate(text) if c in lines))
" | cmp - a.bed && echo same)";
  CHECK(output_of(run_shell(scan, place.here)) == "same\n");
}

TEST_CASE("--memory-limit holds, gives the same bytes, and is refused if it is too small") {
  const Place place;
  place.write_queries("some.fa", 500, 6);
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    REQUIRE(run({command, "-q", "some.fa", "-o", "usual"}, place.here).exit_code == 0);
    for (const std::uint64_t limit : {15u, 20u, 30u, 60u}) {
      CAPTURE(limit);
      const std::uint64_t peak =
          peak_bytes({command, "--device", "cpu", "-t", "4", "some.fa", "-o", "limited",
                      "--memory-limit", std::to_string(limit) + "MB"},
                     place.here);
      if (!sanitized) CHECK(peak <= limit * megabyte + mapped);
      CHECK(place.folder.read("limited") == place.folder.read("usual"));
    }
    check_failure(run({command, "-q", "some.fa", "--memory-limit", "1MB"}, place.here), 6,
                  {"too little memory", "at least", "--memory-limit"});
    RunOptions by_variable = place.here;
    by_variable.environment = {"GSX_MEMORY_LIMIT=1MB"};
    check_failure(run({command, "-q", "some.fa"}, by_variable), 6, {"too little memory"});
    place.folder.write("long.fa", ">long\n" + std::string(3'000'000, 'A') + '\n');
    check_failure(
        run({command, "-q", "--no-header", "long.fa", "--memory-limit", "15MB"}, place.here), 6,
        {"'long'", "--memory-limit"});
  }
}

// Very many reads of a few bases: far more records than bases per record.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Three million, or $GSX_TEST_READS; a hundred million take a minute or two.
std::uint64_t read_count() {
  const char* count = std::getenv("GSX_TEST_READS");
  return count == nullptr ? (sanitized ? 300'000 : 3'000'000) : std::stoull(count);
}

/// Appends read i: the number i in base four.
void append_read(std::uint64_t i, std::string& fasta) {
  fasta += ">r" + std::to_string(i) + '\n';
  do {
    fasta += "ACGT"[i % 4];
    i /= 4;
  } while (i > 0);
  fasta += '\n';
}

void write_reads(const std::string& path, std::uint64_t count) {
  std::ofstream file(path, std::ios::binary);
  std::string some;
  for (std::uint64_t i = 0; i < count; ++i) {
    append_read(i, some);
    if (some.size() < (1 << 20) && i + 1 < count) continue;
    file << some;
    some.clear();
  }
  REQUIRE(file.flush());
}

/// The number before "MB host" in a closing line.
double peak_megabytes(const std::string& log) {
  const std::size_t begin = log.find("peak memory ");
  REQUIRE(begin != std::string::npos);
  return std::stod(log.substr(begin + 12));
}

}  // namespace

TEST_CASE("very many tiny reads are answered in order, in constant memory") {
  const TemporaryFolder folder;
  Random random(81);
  const std::uint64_t reads = read_count();
  const std::uint64_t some = reads / 10;
  folder.write("g.fa", ">r\n" + random_string(random, 50'000, "ACGT") + '\n');
  write_reads(folder / "reads.fa", reads);
  write_reads(folder / "some.fa", some);
  const RunOptions here = {.folder = folder.path(), .timeout_seconds = 800};
  REQUIRE(run({"index", "g.fa"}, here).exit_code == 0);
  for (const Arguments& command :
       {Arguments{"count", "--no-header"}, Arguments{"locate", "--no-header", "--max-hits", "1"}}) {
    CAPTURE(command[0]);
    Arguments on_cpu = command, on_any = command;
    on_cpu.insert(on_cpu.end(), {"reads.fa", "-o", "cpu.tsv", "--device", "cpu"});
    on_any.insert(on_any.end(), {"reads.fa", "-o", "any.tsv"});
    const Outcome outcome = run(on_cpu, here);
    REQUIRE(outcome.exit_code == 0);
    if (!sanitized) {
      Arguments of_some = command;
      of_some.insert(of_some.end(), {"some.fa", "-o", "some.tsv", "--device", "cpu"});
      // Batches in flight take 30 to 52 MB more, by the load of the machine; the lesser of two runs
      // is nearer to the lower end. Each of the further reads as an object would take 60 MB beside.
      const double peak =
          std::min(peak_megabytes(outcome.err), peak_megabytes(run(on_cpu, here).err));
      CHECK(peak < peak_megabytes(run(of_some, here).err) + 64);
    }
    REQUIRE(run(on_any, here).exit_code == 0);
    REQUIRE(run_shell("cmp cpu.tsv any.tsv", here).exit_code == 0);
  }
  // One line per read, in order: the first column of count is r0, r1, ...
  CHECK(output_of(run_shell("\"$gsx\" count --no-header reads.fa | cut -f1 | cmp - <(grep '^>' "
                            "reads.fa | cut -c2-) && echo same",
                            here)) == "same\n");
}

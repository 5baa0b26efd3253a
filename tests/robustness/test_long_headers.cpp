// Header lines that are longer than memory allows are refused before they are read whole.
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace gsx::testing;

TEST_CASE("a header line that is too long for the memory limit is refused early, with its place") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  constexpr std::uint64_t megabyte = 1'000'000;
  const std::string name(100 * megabyte, 'n');
  folder.write("plain.fa", ">a\nACGT\n>" + name + "\nACGT\n");
  write_gzip(folder / "packed.fa.gz", ">a\nACGT\n>" + name + "\nACGT\n");
  write_bgzf(folder / "blocks.fq.gz", "@a\nA\n+\nI\n@" + name + "\nACGT\n+\nIIII\n");
  const auto before = folder.names();
  for (const std::string command : {"index -o out", "bwt -o out", "sa -o out"}) {
    for (const std::string input : {"plain.fa", "packed.fa.gz", "blocks.fq.gz"}) {
      for (const std::string threads : {"1", "2"}) {
        CAPTURE(command);
        CAPTURE(input);
        const Outcome outcome = run_shell(
            "python3 -c 'import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)' "
            "\"$gsx\" " +
                command + " -q --device cpu --memory-limit 40MB -t " + threads + ' ' + input,
            {.folder = folder.path()});
        const std::string line = input.ends_with(".fa") || input[0] == 'p' ? "3" : "5";
        check_error(outcome, 6,
                    {input + ": record 2, line " + line +
                     ": too little memory for a header line of more than 5000000 bytes"});
        CHECK(std::stoull(outcome.out) * 1024 < 55 * megabyte);
        CHECK(folder.names() == before);
      }
    }
  }
}

TEST_CASE("a long header line that fits is kept, whatever the memory limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const std::string name(1'000'000, 'n');
  folder.write("f.fa", ">" + name + "\nACGT\n");
  CHECK(run({"index", "-q", "--device", "cpu", "--memory-limit", "40MB", folder / "f.fa"})
            .exit_code == 0);
  CHECK((output_of(run({"extract", "-q", folder / "f.gsx"})) == ">" + name + "\nACGT\n"));
}

TEST_CASE("a header line of a query of pairs, and of records that are only counted, has a bound") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTTGCATGCATTTACG\n");
  const auto header = [](std::size_t size) {
    return ">" + std::string(size, 'n') + "\nACGTTGCA\n";
  };
  folder.write("long.fa", header(20'000'000));
  const RunOptions here = {.folder = folder.path()};
  const Arguments limit = {"-q", "--device", "cpu", "-t", "1", "--memory-limit", "60MB"};
  for (Arguments command : {Arguments{"mem", "--pairs", "-L", "8", "g.fa", "long.fa"},
                            Arguments{"index", "--shards", "2", "long.fa", "-o", "out.gsx"}}) {
    CAPTURE(command[0]);
    command.insert(command.end(), limit.begin(), limit.end());
    check_failure(run(command, here), 6,
                  {"long.fa: record 1, line 1: too little memory for a header line of more than"});
  }
  folder.write("short.fa", header(1'000'000));
  Arguments command = {"mem", "--pairs", "-L", "8", "--no-header", "g.fa", "short.fa"};
  command.insert(command.end(), limit.begin(), limit.end());
  CHECK(output_of(run(command, here)).ends_with("\t0\t8\t8\tr\t0\t8\t+\n"));
}

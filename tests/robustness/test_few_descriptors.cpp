// Many files with few descriptors: a file waits until those before it are closed.
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace gsx::testing;

TEST_CASE("many small files are read with any number of descriptors that one file needs") {
  GSX_SKIP_IF(sanitized, "sanitizers need descriptors of their own");
  const TemporaryFolder folder;
  folder.write("g.fa", ">g\nACGTACGTTACGATTACA\n");
  REQUIRE(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  std::filesystem::create_directory(folder / "many");
  for (int i = 100; i < 400; ++i) {
    const std::string name = "many/" + std::to_string(i);
    const std::string record = "@" + std::to_string(i) + "\nACGT\n+\nIIII\n";
    i % 3 == 0 ? static_cast<void>(folder.write(name, record)) : write_gzip(folder / name, record);
  }
  const auto count = [&](int descriptors, int threads) {
    return run_shell("ulimit -n " + std::to_string(descriptors) +
                         "; \"$gsx\" count -q --device cpu -x g.gsx -t " + std::to_string(threads) +
                         " many/*",
                     {.folder = folder.path(), .timeout_seconds = 60});
  };
  const std::string expected = output_of(count(100, 1));
  CHECK(lines_of(expected).size() == 301);
  int least = 4;
  while (least < 100 && count(least, 1).exit_code != 0)
    ++least;
  REQUIRE(least < 20);
  for (int run = 0; run < 12; ++run) {
    CAPTURE(run);
    const Outcome outcome = count(least, 7);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK((outcome.out == expected));
  }
  // With no descriptor for even one file: not the fault of the file.
  const Outcome none = count(least - 1, 7);
  check_error(none, 6, {"Too many open files"});
}

TEST_CASE(
    "guides, primers and lists that cannot be opened for lack of descriptors are exit code 6") {
  GSX_SKIP_IF(sanitized, "sanitizers need descriptors of their own");
  const TemporaryFolder folder;
  folder.write("g.fa", ">g\n" + std::string(500, 'A') + "CAGCAAATACCGAAATATTTTGG\n");
  folder.write("guides.txt", "CAGCAAATACCGAAATATTT\n");
  folder.write("primers.tsv", "p\tCAGCAAATACCGAA\tCAGCAAATACCGAA\n");
  REQUIRE(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  for (const std::string command :
       {"offtarget -x g.gsx guides.txt", "amplicon -x g.gsx primers.tsv",
        "count -x g.gsx -f guides.txt", "extract g.gsx -R guides.txt"}) {
    CAPTURE(command);
    const auto with = [&](int descriptors) {
      return run_shell(
          "ulimit -n " + std::to_string(descriptors) + "; \"$gsx\" " + command + " -q -t 1 -o out",
          {.folder = folder.path(), .timeout_seconds = 60});
    };
    int refused = 0;
    // The loader takes one; with fewer than 5, it may not find the libraries.
    for (int descriptors = 5; descriptors < 12; ++descriptors) {
      CAPTURE(descriptors);
      const Outcome outcome = with(descriptors);
      CAPTURE(outcome.err);
      const bool lacks = outcome.err.find("Too many open files") != std::string::npos;
      CHECK(lacks == (outcome.exit_code == 6));
      refused += lacks ? 1 : 0;
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("an error ends a run that waits for descriptors which blocks behind it hold") {
  GSX_SKIP_IF(sanitized, "sanitizers need descriptors of their own");
  const TemporaryFolder folder;
  std::string reads;
  for (int i = 0; i < 8000; ++i)
    reads += "@" + std::to_string(i) + "\n" + std::string(100, "ACGT"[i % 4]) + "\n+\n" +
             std::string(100, 'I') + "\n";
  folder.write("0.fq", reads + "@bad\nACGT\n+\nII\n");
  std::filesystem::create_directory(folder / "many");
  for (int i = 10; i < 70; ++i)
    folder.write("many/" + std::to_string(i), "@" + std::to_string(i) + "\nACGT\n+\nIIII\n");
  for (int run = 0; run < 10; ++run) {
    CAPTURE(run);
    const Outcome outcome =
        run_shell("ulimit -n 20; \"$gsx\" index -q --device cpu -t 16 0.fq many/* -o x.gsx",
                  {.folder = folder.path(), .timeout_seconds = 60});
    check_failure(outcome, 3, {"0.fq", "bad"});
  }
}

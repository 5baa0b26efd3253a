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

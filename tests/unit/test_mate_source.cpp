// Reading the two files of mates at the same pace, by several threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "run/mate_source.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string fastq(int records, std::size_t length) {
  std::string all;
  for (int i = 0; i < records; ++i)
    all += "@r" + std::to_string(i) + "\n" + std::string(length, 'A') + "\n+\n" +
           std::string(length, 'I') + "\n";
  return all;
}

/// What threads got that asked until there was no more.
struct Given {
  std::array<std::atomic<std::uint64_t>, 2> records{};
  std::atomic<int> errors{0};
};

void read_all(MateSource& source, int threads, Given& given) {
  run_threads(threads, [&](int) {
    RecordBatch batch;
    try {
      while (source.next(batch))
        given.records.at(batch.file) += batch.size();
    } catch (const InputError&) {
      ++given.errors;
    }
  });
}

/// Checks that the error behind the `good` records of a file comes, whatever the threads do.
/// `others` are the records of the other file. A long block takes longer to parse than it takes
/// another thread to learn that there is no further block.
void check_error_comes(int damaged, int good, int others, std::size_t length) {
  CAPTURE(damaged);
  CAPTURE(others);
  const TemporaryFolder folder;
  const std::string paths[] = {folder.path() + "/1.fq", folder.path() + "/2.fq"};
  folder.write(damaged == 0 ? "1.fq" : "2.fq", fastq(good, length) + "@bad\nACGT\n+\nIIIII\n");
  folder.write(damaged == 0 ? "2.fq" : "1.fq", fastq(others, 4));
  for (const int threads : {1, 2, 4}) {
    CAPTURE(threads);
    for (int run = 0; run < 20; ++run) {
      MateSource source(paths[0], paths[1],
                        {.threads = threads, .block_bytes = std::uint64_t{1} << 25});
      Given given;
      read_all(source, threads, given);
      REQUIRE(given.errors > 0);
      REQUIRE(given.records.at(static_cast<std::size_t>(damaged)) ==
              static_cast<std::uint64_t>(good));
    }
  }
}

}  // namespace

TEST_CASE("the error of a file of mates comes, although another thread saw the end of the file") {
  for (const int damaged : {0, 1}) {
    check_error_comes(damaged, 200, 200, 5000);
    check_error_comes(damaged, 200, 201, 5000);
  }
}

// BgzfEncoder: the bytes that htslib writes, for any threads and pieces.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/out_of_memory.hpp"
#include "bytes/compression/bgzf_encoder.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// What htslib makes of it.
std::string bgzf_of(std::string_view content) {
  const TemporaryFolder folder;
  write_bgzf(folder / "file", content);
  return folder.read("file");
}

}  // namespace

TEST_CASE("BGZF on threads: the bytes that htslib writes, however they arrive") {
  Random random(1);
  const std::string text = random_string(random, 1'500'000, "ACGTN\n");
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{BGZF_BLOCK_SIZE},
                                 std::size_t{4 * BGZF_BLOCK_SIZE} + 1, text.size()}) {
    CAPTURE(size);
    const std::string content = text.substr(0, size), expected = bgzf_of(content);
    for (const int threads : {0, 1, 2, 3, 7}) {
      CAPTURE(threads);
      for (const std::uint64_t most : {std::uint64_t{900}, std::uint64_t{2'000'000}}) {
        BgzfEncoder encoder(threads);
        std::string out;
        const auto take = [&](std::string_view some) { out += some; };
        std::string_view left = content;
        while (!left.empty()) {
          const std::size_t some = std::min<std::size_t>(1 + below(random, most), left.size());
          encoder.add(left.substr(0, some), take);
          left.remove_prefix(some);
          if (below(random, 50) == 0) encoder.flush(take);
        }
        encoder.finish(take);
        CHECK(out == expected);
      }
    }
  }
}

TEST_CASE("BGZF on threads: a flush gives the whole blocks, and what the taker throws comes out") {
  Random random(2);
  const std::string text = random_string(random, 2 * BGZF_BLOCK_SIZE + 5, "ACGT");
  const std::string whole = bgzf_of(text.substr(0, 2 * BGZF_BLOCK_SIZE)), end = bgzf_of("");
  BgzfEncoder encoder(4);
  std::string out;
  const auto take = [&](std::string_view some) { out += some; };
  encoder.add(text, take);
  CHECK(out.empty());
  encoder.flush(take);
  CHECK(out + end == whole);
  const auto fail = [](std::string_view) { throw std::runtime_error("the disk is full"); };
  CHECK_THROWS_AS(encoder.finish(fail), std::runtime_error);
}

TEST_CASE("BGZF without memory for the compressor is out of memory, and no other error") {
  GSX_SKIP_IF(sanitized, "sanitizers need the address space");
  enum End { none = 40, memory, other };
  const pid_t child = fork();
  if (child == 0) {
    BgzfEncoder encoder(1);
    const auto take = [](std::string_view) {};
    encoder.add(std::string(BGZF_BLOCK_SIZE, 'A'), take);
    encoder.add("ACGT", take);
    const rlimit limit{1, 1};
    setrlimit(RLIMIT_AS, &limit);
    void* volatile taken = nullptr;  // the compressor takes more than this at once
    do
      taken = std::malloc(1 << 15);
    while (taken != nullptr);
    try {
      encoder.finish(take);
    } catch (const OutOfMemoryError&) {
      _exit(memory);
    } catch (...) {
      _exit(other);
    }
    _exit(none);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == memory);
}

// Rows and codes from the GPU, in chunks: those of the CPU, and the sink is the caller's.
#include <doctest/doctest.h>

#include "device_calls/contexts.hpp"
#include "device_calls/device_api_checks.hpp"
#include "gsx/error.hpp"
#include "gsx/suffix_array.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("the GPU's rows and codes come in chunks of any size, on the caller's device") {
  GSX_NEED_GPU();
  Random random(97);
  const int last = visible_devices() - 1;
  const Text text = make_text({random_string(random, share_of(3'000'000, 100'000), "ACGT"), "A",
                               mutated_copies(random, 900, 30, 300, "ACGTN")});
  const SuffixArray rows = suffix_array(text, {.device = "cpu"});
  const Buffer<std::uint8_t> codes = bwt(text, {.device = "cpu"});
  for (const std::uint64_t most : {std::uint64_t{4097}, unlimited}) {
    const SortOptions options{.device = "cuda", .rows_at_once = most};
    std::uint64_t next = 0, wrong = 0;
    set_current_device(last);
    const auto before = device_state(last);
    stream_suffix_array(text, options, [&](const RowChunk& chunk) {
      wrong += chunk.first != next || chunk.size() > most;
      for (std::uint64_t i = 0; i < chunk.size(); ++i)
        wrong += chunk[i] != rows[next++];
      wrong += device_state(last) != before;
    });
    CHECK(next == text.length());
    next = 0;
    stream_bwt(text, options, [&](const CodeChunk& chunk) {
      wrong += chunk.first != next || chunk.codes.size() > most;
      for (const std::uint8_t code : chunk.codes)
        wrong += code != codes[next++];
      wrong += device_state(last) != before;
    });
    CHECK(next == text.length());
    CHECK(wrong == 0);
    set_current_device(0);
  }
}

TEST_CASE("what a sink throws ends a stream from the GPU, and the CPU is not tried") {
  GSX_NEED_GPU();
  const Text text = make_text({"ACGTACGTAAAA"});
  for (const char* device : {"cuda", "auto"}) {
    int calls = 0;
    CHECK_THROWS_WITH_AS(stream_suffix_array(text, {.device = device, .rows_at_once = 2},
                                             [&](const RowChunk&) {
                                               ++calls;
                                               throw ResourceError("the disk is full");
                                             }),
                         "the disk is full", ResourceError);
    CHECK(calls == 1);
  }
  // The rows need room in host memory, which a GPU has no blocks for.
  CHECK_THROWS_AS(stream_suffix_array(text, {.device = "cuda", .memory_limit = 1},
                                      [](const RowChunk&) { FAIL("called"); }),
                  ResourceError);
}

// With how many threads the CPU builds, by the memory there is.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "device/registry.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("a build takes fewer threads only where that makes it fit") {
  Random random(3);
  const Text text = make_text({random_string(random, 3'000'000, "ACGT")});
  const auto backend = make_cpu_backend();
  const auto bytes_of = [&](int threads, std::uint64_t limit, bool hard) {
    BuildOptions options;
    options.threads = threads;
    options.memory = {.limit = limit, .limited_by = "the test", .hard = hard};
    return backend->plan(text.view(), BuildTarget::index, options).host_bytes;
  };
  // Nothing fits: a limit that is not hard is tried with all threads.
  const std::uint64_t one = bytes_of(1, 1, false), many = bytes_of(64, 1, false);
  CHECK(many > one + (std::uint64_t{32} << 20));
  CHECK_THROWS_AS(bytes_of(1, one - 1, true), ResourceError);
  CHECK_THROWS_AS(bytes_of(64, one - 1, true), ResourceError);
  for (const bool hard : {false, true}) {
    CAPTURE(hard);
    for (const std::uint64_t limit : {one, (one + many) / 2, many - 1}) {
      CAPTURE(limit);
      CHECK(bytes_of(64, limit, hard) <= limit);
    }
    CHECK(bytes_of(64, many, hard) > (one + many) / 2);  // all threads
  }
}

// If a GPU fails during the work, an error says so, and auto uses the CPU.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "device/fallback.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "device_calls/faulty_kernel.hpp"
#include "support/gpu.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

// A fault makes the GPU unusable for its whole process, so it happens in a child process.
TEST_CASE("child: a kernel has written where it must not" * doctest::skip()) {
  const Text text = make_text({"GATTACAGATTACA"});
  const BuildOptions options;
  const auto gpu = make_cuda_backend(0);
  const auto either = make_fallback_backend(make_cuda_backend(0), make_cpu_backend());
  CHECK(build_suffix_array(*either, text.view(), options).size() == 15);
  CHECK(either->name() != "cpu");
  run_faulty_kernel();
  CHECK_THROWS_AS((void)build_suffix_array(*gpu, text.view(), options), DeviceError);
  CHECK_THROWS_AS((void)gpu->build_index(text.view(), options), DeviceError);
  CHECK(build_suffix_array(*either, text.view(), options).size() == 15);
  CHECK(either->name().ends_with(", then cpu"));
  CHECK_THROWS_AS((void)make_cuda_backend(0), DeviceError);
}

TEST_CASE("after a kernel fault: cuda says so, auto takes the CPU") {
  GSX_NEED_GPU();
  GSX_SKIP_IF(sanitized, "a sanitizer ends a process at the fault");
  Process child({"/proc/self/exe", "--no-skip", "--test-case=child: a kernel*"});
  const Outcome outcome = child.wait();
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
}

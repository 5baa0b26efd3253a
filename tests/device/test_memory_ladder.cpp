// With less and less GPU memory: smaller batches, rows not kept, the CPU; always the same bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "device/fallback.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "device_calls/memory_hog.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/index/sa/sort_plan.hpp"
#include "support/gpu.hpp"
#include "support/log_capture.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

BuildOptions on_4_threads() {
  BuildOptions options;
  options.threads = 4;
  return options;
}

bool same_rows(const SuffixArray& a, const SuffixArray& b) {
  if (a.size() != b.size()) return false;
  for (std::uint64_t row = 0; row < a.size(); ++row) {
    if (a[row] != b[row]) return false;
  }
  return true;
}

bool same_codes(const Buffer<std::uint8_t>& a, const Buffer<std::uint8_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same_parts(const FmIndex& a, const FmIndex& b) {
  const auto same = [](const PackedArray& x, const PackedArray& y) {
    return std::ranges::equal(x.bytes(), y.bytes());
  };
  const QuadView x = a.wavelet().view().levels[0], y = b.wavelet().view().levels[0];
  return x.size == y.size &&
         std::equal(reinterpret_cast<const char*>(x.blocks),
                    reinterpret_cast<const char*>(x.blocks + QuadVector::block_count(x.size)),
                    reinterpret_cast<const char*>(y.blocks)) &&
         same(a.samples(), b.samples()) && same(a.kmers().bounds(), b.kmers().bounds());
}

cuda::SortShape shape_of(const Text& text) {
  cuda::SortShape shape;
  shape.length = text.view().length();
  shape.symbol_bits = text.view().symbols.bits;
  shape.most_at_once = 2;
  return shape;
}

/// The name of a rung in the log.
std::string name_of(const cuda::SortPlan& plan) {
  return "batches of " + std::to_string(plan.batch_suffixes) + " suffixes" +
         (plan.at_once > 1 ? ", 2 at once" : "") +
         (plan.keep_rows ? "\n" : ", rows not kept on the GPU\n");
}

std::unique_ptr<Backend> backend_with(std::uint64_t bytes) {
  return make_cuda_backend(0, bytes);
}

}  // namespace

TEST_CASE("each rung of the ladder gives the same arrays, within its limit") {
  GSX_NEED_GPU();
  GSX_SKIP_IF(!full_tests(), "a shorter text is sorted in one batch");
  Random random(81);
  const Text text = make_text({random_string(random, 40'000'000, "ACGT")});
  const BuildOptions options = on_4_threads();
  const auto cpu = make_cpu_backend();
  const SuffixArray rows = build_suffix_array(*cpu, text.view(), options);
  const Buffer<std::uint8_t> codes = build_bwt(*cpu, text.view(), options);
  const FmIndex index = cpu->build_index(text.view(), options);

  std::set<std::uint64_t> batches;
  int not_kept = 0, pairs = 0;
  const cuda::SortShape shape = shape_of(text);
  for (const cuda::SortPlan& plan : cuda::sort_plans(shape, unlimited)) {
    CAPTURE(plan.batch_suffixes);
    CAPTURE(plan.keep_rows);
    const std::uint64_t bytes = cuda::sorting_bytes(shape, plan);
    const cuda::SortPlan first = cuda::sort_plans(shape, bytes).front();
    batches.insert(first.batch_suffixes);
    not_kept += first.keep_rows ? 0 : 1;
    // The rung that the plan promised is the one that ran; none below it was tried.
    const LogCapture log(spdlog::level::info);
    CHECK(same_rows(build_suffix_array(*backend_with(bytes), text.view(), options), rows));
    const std::string said = log.text();
    CAPTURE(said);
    CHECK(said.find("trying again") == std::string::npos);
    const cuda::SortPlan best = cuda::sort_plans(shape, unlimited).front();
    const bool is_best = first.batch_suffixes == best.batch_suffixes && first.keep_rows &&
                         first.at_once == best.at_once;
    pairs += first.at_once == 2 ? 1 : 0;
    CHECK((said.find("sorting in " + name_of(first)) != std::string::npos) == !is_best);
    // The results also take device memory: a BWT one byte per symbol, an index its samples as well.
    constexpr std::uint64_t with_bwt = 40'000'000,
                            with_index = with_bwt + 4 * (40'000'000 / 8 + 1000);
    CHECK(same_codes(build_bwt(*backend_with(bytes + with_bwt), text.view(), options), codes));
    CHECK(same_parts(backend_with(bytes + with_index)->build_index(text.view(), options), index));
  }
  CHECK(batches.size() >= 3);
  CHECK(not_kept >= 1);
  CHECK(pairs == 1);
}

TEST_CASE("below the last rung: cuda says how much is missing, auto takes the CPU") {
  GSX_NEED_GPU();
  Random random(82);
  const Text text = make_text({random_string(random, 1'000'000, "ACGT")});
  const BuildOptions options = on_4_threads();
  const SuffixArray rows = build_suffix_array(*make_cpu_backend(), text.view(), options);
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20}) {
    const auto gpu = backend_with(bytes);
    CHECK_THROWS_WITH_AS((void)build_suffix_array(*gpu, text.view(), options),
                         doctest::Contains("out of GPU memory"), ResourceError);
    CHECK_THROWS_AS((void)build_bwt(*gpu, text.view(), options), ResourceError);
    CHECK_THROWS_AS((void)gpu->build_index(text.view(), options), ResourceError);
    const auto either = make_fallback_backend(backend_with(bytes), make_cpu_backend());
    CHECK(same_rows(build_suffix_array(*either, text.view(), options), rows));
    CHECK(either->name().ends_with(", then cpu"));
  }
}

TEST_CASE("repeats that the last rung cannot rank end on the CPU") {
  GSX_NEED_GPU();
  GSX_SKIP_IF(!full_tests(), "a shorter text is sorted in one batch");
  const Text text = make_text({std::string(20'000'000, 'A')});
  const BuildOptions options = on_4_threads();
  const SuffixArray rows = build_suffix_array(*make_cpu_backend(), text.view(), options);
  const cuda::SortShape shape = shape_of(text);
  const std::uint64_t bytes = cuda::sorting_bytes(shape, cuda::sort_plans(shape, unlimited).back());
  CHECK_THROWS_AS((void)build_suffix_array(*backend_with(bytes), text.view(), options),
                  ResourceError);
  const auto either = make_fallback_backend(backend_with(bytes), make_cpu_backend());
  CHECK(same_rows(build_suffix_array(*either, text.view(), options), rows));
  CHECK(either->name().ends_with(", then cpu"));
  CHECK(same_rows(build_suffix_array(*backend_with(unlimited), text.view(), options), rows));
}

TEST_CASE("memory that others hold is not planned with") {
  GSX_NEED_GPU();
  GSX_SKIP_IF(!full_tests(), "a shorter text is sorted in one batch");
  Random random(83);
  const Text text = make_text({random_string(random, 40'000'000, "ACGT")});
  const BuildOptions options = on_4_threads();
  const SuffixArray rows = build_suffix_array(*make_cpu_backend(), text.view(), options);
  const cuda::SortShape shape = shape_of(text);
  const auto plans = cuda::sort_plans(shape, unlimited);
  for (const std::uint64_t spare : {std::uint64_t{64} << 20, std::uint64_t{256} << 20}) {
    const std::uint64_t left = cuda::sorting_bytes(shape, plans.back()) + spare;
    const auto either = make_fallback_backend(make_cuda_backend(0), make_cpu_backend());
    const MemoryHog hog(left);
    {
      cuda::DeviceLink gpu(0, unlimited);
      const cuda::CurrentDevice current = gpu.make_current();
      CHECK(gpu.pool()->available() < cuda::sorting_bytes(shape, plans.front()));
    }
    CHECK(same_rows(build_suffix_array(*either, text.view(), options), rows));
    CHECK_FALSE(either->name().ends_with(", then cpu"));
  }
  const MemoryHog hog(std::size_t{4} << 20);
  CHECK_THROWS_AS((void)build_suffix_array(*make_cuda_backend(0), text.view(), options),
                  ResourceError);
}

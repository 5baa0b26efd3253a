// What the GPU finds that suffixes share while it sorts them is what the rows of the suffix array
// tell.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mappability/build.hpp"
#include "base/error.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "index/sa/builder.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/index/lcp/shared_lengths_collector.hpp"
#include "kernels/text/device_text.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"
#include "text/both_strands.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

SharedLengths expected_lengths(const BothStrandsView& text) {
  const SuffixArray rows = build_suffix_array(text.text, 2);
  SharedLengthsBuilder<std::uint32_t> builder(text, 2);
  const auto all = rows.entries<std::uint32_t>();
  builder.add(all.data(), all.size());
  return builder.finish();
}

void check_same(const SmallNumbers& found, const SmallNumbers& expected) {
  REQUIRE(found.size() == expected.size());
  std::uint64_t different = 0, first = found.size();
  for (std::uint64_t p = found.size(); p-- > 0;) {
    if (found[p] == expected[p]) continue;
    ++different;
    first = p;
  }
  CAPTURE(first);
  CHECK(different == 0);
}

void check_same(const SharedLengths& found, const SharedLengths& expected) {
  check_same(found.left, expected.left);
  check_same(found.forward, expected.forward);
  REQUIRE(found.reverse.has_value() == expected.reverse.has_value());
  if (found.reverse) check_same(*found.reverse, *expected.reverse);
}

void check_text(const Text& text) {
  const auto gpu = make_cuda_backend(0);
  for (const bool both : {false, true}) {
    CAPTURE(both);
    const ChosenStrands strands(text.view(), text.alphabet, both, 2);
    const SharedLengths expected = expected_lengths(strands.view());
    for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
      BuildOptions options;
      options.threads = 2;
      options.width = width;
      CHECK(gpu->plan_measure<SharedPrefixMeasure>(strands.view(), {}, options));
      const std::optional<SharedLengths> found =
          gpu->measure<SharedPrefixMeasure>(strands.view(), {}, options);
      REQUIRE(found);
      check_same(*found, expected);
    }
  }
}

/// With many batches, some of which hold rows of one strand only, or few rows.
template <class Pos>
void check_plan(cuda::DeviceLink& gpu, const BothStrandsView& text, const cuda::SortPlan& plan,
                const SharedLengths& expected) {
  CAPTURE(plan.batch_suffixes);
  CAPTURE(plan.keep_rows);
  CAPTURE(plan.at_once);
  const cuda::DeviceText d_text(text.text, gpu.transfer(2), gpu.stream());
  cuda::SharedLengthsCollector<Pos> lengths(d_text.view(), text.half, unlimited, gpu.stream());
  cuda::sort_suffixes<Pos>(d_text.view(), plan, lengths, gpu.stream(), {});
  check_same(lengths.result(2, gpu.transfer(2), {}), expected);
}

void check_all_plans(const Text& text) {
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  for (const bool both : {false, true}) {
    CAPTURE(both);
    const ChosenStrands strands(text.view(), text.alphabet, both, 2);
    const BothStrandsView& view = strands.view();
    const SharedLengths expected = expected_lengths(view);
    for (const std::uint64_t batch : {std::uint64_t{50}, view.text.length() / 3 + 1}) {
      check_plan<std::uint32_t>(gpu, view, {batch, true}, expected);
      check_plan<std::uint64_t>(gpu, view, {batch, true, 2}, expected);
      check_plan<std::uint32_t>(gpu, view, {batch, false}, expected);
      if (view.text.symbols.bits > 2)
        check_plan<std::uint32_t>(gpu, view, {batch, true, 2, cuda::Keying::words}, expected);
    }
  }
}

using Line = std::vector<std::uint64_t>;
std::vector<Line> spectrum_of(const UniqueKmers& unique) {
  std::vector<Line> lines;
  const KmerSpectrum spectrum = unique.spectrum(2);
  for (std::uint64_t i = 0; i < spectrum.size(); ++i)
    lines.push_back({spectrum[i].k, spectrum[i].distinct, spectrum[i].unique, spectrum[i].total});
  return lines;
}

Line shortest_of(const UniqueKmers& unique, std::uint64_t size) {
  Line shortest;
  unique.for_each(0, size, [&](std::uint64_t, std::uint64_t k) { shortest.push_back(k); });
  return shortest;
}

}  // namespace

TEST_CASE("what suffixes share on the GPU: adversarial collections") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(91);
  for (std::size_t i = 0; i < collections.size(); i += test_share()) {
    CAPTURE(i);
    check_text(make_text(collections[i]));
  }
}

TEST_CASE("what suffixes share on the GPU: repeats, one-sided strands, other alphabets") {
  GSX_NEED_GPU();
  Random random(92);
  const std::uint64_t n = share_of(200'000, 4000);
  const std::string some = random_string(random, n / 4, "ACGT");
  check_text(make_text({mutated_copies(random, 900, 30, 300, "ACGT")}));
  // Equal halves, and a text that is its own reverse complement.
  check_text(make_text({some + some, some}));
  std::string turned(some.rbegin(), some.rend());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  check_text(make_text({some + turned, some}));
  // Batches that hold rows of one strand only.
  check_text(make_text({std::string(n / 4, 'A'), random_string(random, n / 4, "AC")}));
  check_text(make_text({"ACGT", std::string(300, 'C'), "", "A", "TTTTT"}));
  check_text(make_text({random_string(random, n / 4, "ACDEFGHIKLMNPQRSTVWY"), "ACD"},
                       SymbolPolicy::protein));
  check_text(make_text({random_string(random, n / 4, "abcxyz"), std::string(600, 'z')},
                       SymbolPolicy::bytes));
}

TEST_CASE("what suffixes share on the GPU: many batches") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(95);
  for (std::size_t i = 0; i < collections.size(); i += test_share()) {
    CAPTURE(i);
    check_all_plans(make_text(collections[i]));
  }
  Random random(96);
  const std::uint64_t n = share_of(60'000, 300);
  check_all_plans(make_text({random_string(random, n, "ACGT")}));
  check_all_plans(make_text({std::string(n / 2, 'A'), random_string(random, n / 2, "AC")}));
  check_all_plans(
      make_text({mutated_copies(random, share_of(400, 60), 3, 300, "ACGT"), "ACG", "T"}));
  check_all_plans(
      make_text({random_string(random, n, "ACDEFGHIKLMNPQRSTVWY")}, SymbolPolicy::protein));
}

TEST_CASE("what suffixes share on the GPU: spectrum and shortest unique k-mers") {
  GSX_NEED_GPU();
  Random random(93);
  const Text text = make_text({mutated_copies(random, share_of(2000, 400), 12, 300, "ACGT"),
                               random_string(random, 500, "AT")});
  for (const bool both : {false, true}) {
    const ChosenStrands strands(text.view(), text.alphabet, both, 2);
    BuildOptions options;
    options.threads = 2;
    const UniqueKmers found(*make_cuda_backend(0), strands.view(), options);
    const UniqueKmers expected(*make_cpu_backend(), strands.view(), options);
    CHECK(spectrum_of(found) == spectrum_of(expected));
    CHECK(shortest_of(found, text.length()) == shortest_of(expected, text.length()));
  }
}

TEST_CASE("what suffixes share on the GPU: with too little memory, rows tell") {
  GSX_NEED_GPU();
  Random random(94);
  const std::string some = random_string(random, share_of(200'000, 50'000), "ACGT");
  const Text plain = make_text({random_string(random, 2 * some.size(), "ACGT")});
  const Text twice = make_text({some + some});
  BuildOptions options;
  options.threads = 2;
  for (const Text* text : {&plain, &twice}) {
    const bool repeats = text == &twice;
    CAPTURE(repeats);
    const BothStrandsView view{text->view(), text->length()};
    const SharedLengths expected = expected_lengths(view);
    const auto plan = make_cuda_backend(0)->plan_measure<SharedPrefixMeasure>(view, {}, options);
    REQUIRE(plan);
    // What is planned suffices, but not for a text that repeats as a whole; with more memory, that
    // is compared, too.
    const auto tight = make_cuda_backend(0, plan->device_bytes);
    const std::optional<SharedLengths> found =
        tight->measure<SharedPrefixMeasure>(view, {}, options);
    REQUIRE(found.has_value() == !repeats);
    if (found) check_same(*found, expected);
    CHECK(tight->peak_device_bytes() <= plan->device_bytes);
    const auto ample = make_cuda_backend(0, 2 * plan->device_bytes)
                           ->measure<SharedPrefixMeasure>(view, {}, options);
    REQUIRE(ample);
    check_same(*ample, expected);
    const UniqueKmers unique(*tight, view, options), by_rows(*make_cpu_backend(), view, options);
    CHECK(shortest_of(unique, view.half) == shortest_of(by_rows, view.half));
    const auto little = make_cuda_backend(0, plan->device_bytes / 2);
    CHECK_FALSE(little->plan_measure<SharedPrefixMeasure>(view, {}, options));
    CHECK_FALSE(little->measure<SharedPrefixMeasure>(view, {}, options));
  }
}

TEST_CASE("what suffixes share on the GPU: with too little memory on the host, the CPU tells") {
  GSX_NEED_GPU();
  const Text text = make_text({"ACGTTGCA"});
  const BothStrandsView view{text.view(), text.length()};
  BuildOptions tight;
  tight.memory.limit = 50'000'000;  // what crosses the bus takes more
  CHECK_THROWS_AS(make_cuda_backend(0)->plan_measure<SharedPrefixMeasure>(view, {}, tight),
                  ResourceError);
  CHECK_THROWS_AS(make_cuda_backend(0)->measure<SharedPrefixMeasure>(view, {}, tight),
                  ResourceError);
  const auto either = make_fallback_backend(make_cuda_backend(0), make_cpu_backend());
  CHECK_FALSE(either->plan_measure<SharedPrefixMeasure>(view, {}, tight));
  CHECK_FALSE(either->measure<SharedPrefixMeasure>(view, {}, tight));
  CHECK(either->measure<SharedPrefixMeasure>(view, {}, {}));
}

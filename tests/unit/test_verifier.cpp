// Which device checks what was built, and what happens if it cannot.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "bench/device_bench.hpp"
#include "device/fallback.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "support/index_file.hpp"
#include "support/log_capture.hpp"
#include "support/sequence_files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

class BrokenVerifier final : public Verifier {
 public:
  std::string name() const override { return "broken"; }
  std::optional<std::uint64_t> find_wrong_row(const TextView&, const SuffixArray&, int) override {
    throw ResourceError("it has no room");
  }
  std::uint64_t verify_bwt(const Index&, int, const ProgressReport&) override {
    throw DeviceError("it fell off the bus");
  }
};

}  // namespace

TEST_CASE("what the GPU cannot check the CPU does, which the log says; both are named") {
  const Text text = make_text({"ACGTACGTAAAA"});
  const TemporaryFolder folder;
  const auto backend = make_cpu_backend();
  const SuffixArray rows = build_suffix_array(*backend, text.view(), {});
  Output out(folder / "g.gsx");
  write_index(out, text, backend->build_index(text.view(), {}), 1);
  out.commit();
  const Index index = Index::open(folder / "g.gsx", Load::map, 1);
  const auto use = [&](bool whole_index) {
    const auto either =
        make_fallback_verifier(std::make_unique<BrokenVerifier>(), make_cpu_verifier());
    CHECK(either->name() == "broken");
    if (whole_index) {
      CHECK(either->verify_bwt(index, 1, {}) == make_cpu_verifier()->verify_bwt(index, 1, {}));
    } else {
      CHECK_FALSE(either->find_wrong_row(text.view(), rows, 1).has_value());
    }
    CHECK(either->name() == "broken, then cpu");
  };
  for (const bool whole_index : {false, true}) {
    const LogCapture usual(spdlog::level::info);
    use(whole_index);
    // A GPU that fails is worth a warning, one without room is not.
    CHECK(usual.text() == (whole_index ? "using the CPU from here on: it fell off the bus\n" : ""));
    const LogCapture verbose(spdlog::level::debug);
    use(whole_index);
    CHECK(verbose.text() == (whole_index ? "using the CPU from here on: it fell off the bus\n"
                                         : "using the CPU: it has no room\n"));
  }
}

TEST_CASE("the BWT of a large index is checked everywhere, on any number of threads") {
  constexpr std::uint64_t first_record = 400'000;
  Random random(seed());
  const Text text = make_text({random_string(random, first_record, "ACGT"), "ACGT",
                               random_string(random, 30'000, "AC"), std::string(5000, 'A')});
  const TemporaryFolder folder;
  Output out(folder / "g.gsx");
  write_index(out, text, make_cpu_backend()->build_index(text.view(), {}), 1);
  out.commit();
  const IndexFile whole(folder.read("g.gsx"));
  std::uint64_t samples = 0;
  std::uint32_t bits = 0;
  std::vector<std::uint64_t> walked_first;  // positions that the walks from some samples see first
  {
    const Index index = Index::open(folder / "g.gsx", Load::map, 1);
    const FmView fm = index.fm();
    samples = fm.samples.size;
    bits = fm.samples.bits;
    for (std::uint64_t sample = samples; sample-- > 0;) {
      const std::uint64_t position = fm.samples[sample];
      if (position == 0 || position > first_record) continue;
      if (walked_first.empty() || sample % 1000 == 0) walked_first.push_back(position - 1);
    }
    std::uint64_t longest = 0;
    for (std::uint64_t i = 0; i < fm.rows(); ++i) {
      std::uint64_t row = i, steps = 0, position = 0;
      while (!fm.step_back(row, steps, position)) {
      }
      longest = std::max(longest, steps);
    }
    for (const int threads : {1, 3})
      CHECK(make_cpu_verifier()->verify_bwt(index, threads, {}) == longest);
  }
  REQUIRE(samples > 10'000);
  // Changes one bit of a section, and says what all threads must find.
  const auto check_fault = [&](const char* section, std::uint64_t bit, const char* fault) {
    CAPTURE(section);
    CAPTURE(bit);
    IndexFile file = whole;
    file.bytes[file.at(section) + bit / 8] ^= static_cast<char>(0x80 >> bit % 8);
    file.seal();
    folder.write("bad.gsx", file.bytes);
    const Index index = Index::open(folder / "bad.gsx", Load::map, 1);
    for (const int threads : {1, 3})
      CHECK_THROWS_WITH_AS(make_cpu_verifier()->verify_bwt(index, threads, {}),
                           doctest::Contains(fault), CorruptIndexError);
  };
  for (const std::uint64_t sample : {std::uint64_t{0}, samples / 2, samples - 1})
    check_fault("samples", (sample + 1) * bits - 1, "the suffix array sample of row");
  // A symbol of the text is seen by one walk only: by that from the last sample, too.
  for (const std::uint64_t position : walked_first)
    check_fault("text", 2 * position + 1, "the BWT differs from the text at row");
}

TEST_CASE("devices by name") {
  CHECK(devices_named("cpu").gpus.empty());
  CHECK_FALSE(devices_named("cpu").or_cpu);
  CHECK(devices_named("auto").gpus == std::vector{0});
  CHECK(devices_named("auto").or_cpu);
  CHECK(devices_named("cuda").gpus == std::vector{0});
  CHECK_FALSE(devices_named("cuda").or_cpu);
  CHECK(devices_named("cuda:3").gpus == std::vector{3});
  CHECK(devices_named("cuda:2,0").gpus == std::vector{2, 0});
  for (const char* wrong : {"", "gpu", "cuda:", "cuda:0,0", "CPU"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(devices_named(wrong), UsageError);
    CHECK_THROWS_AS(make_verifier(wrong), UsageError);
    CHECK_THROWS_AS(make_device_bench(wrong), UsageError);
  }
  CHECK_THROWS_AS(make_verifier("cuda:999"), DeviceError);
  CHECK_THROWS_AS(make_device_bench("cuda:999"), DeviceError);
  CHECK(make_verifier("cpu")->name() == "cpu");
}

// Several GPUs build what one builds.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "device_calls/contexts.hpp"
#include "index/store/writer.hpp"
#include "kernels/index/sa/sort_ladder.hpp"
#include "kernels/index/sa/sort_texts.hpp"
#include "support/files.hpp"
#include "support/gpu.hpp"
#include "support/log_capture.hpp"
#include "support/suffix_sorting.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::cuda;
using namespace gsx::testing;

namespace {

/// The second GPU, or a second link to the only one: the same copies, of one GPU to itself.
int another_gpu() {
  return visible_devices() >= 2 ? 1 : 0;
}

/// Copies of a text for helpers, which take batches whatever their number is.
class Helpers {
 public:
  Helpers(const Text& text, const std::vector<int>& devices) {
    for (const int device : devices) {
      links_.push_back(std::make_shared<DeviceLink>(device, unlimited));
      const CurrentDevice current = links_.back()->make_current();
      texts_.push_back(std::make_unique<DeviceText>(text.view(), links_.back()->transfer(1),
                                                    links_.back()->stream()));
      helpers_.push_back({texts_.back()->view(), links_.back()->stream()});
    }
  }
  ~Helpers() {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const CurrentDevice current = links_[i]->make_current();
      texts_[i].reset();
    }
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  std::span<const SortHelper> all() const { return helpers_; }
  const std::vector<std::shared_ptr<DeviceLink>>& links() const { return links_; }

 private:
  std::vector<std::shared_ptr<DeviceLink>> links_;
  std::vector<std::unique_ptr<DeviceText>> texts_;
  std::vector<SortHelper> helpers_;
};

void check_with_helpers(const Text& text, const std::vector<int>& devices) {
  const SortedText expected = sort_on_cpu(text);
  const auto first = std::make_shared<DeviceLink>(0, unlimited);
  DeviceLink& gpu = *first;
  const CurrentDevice current = gpu.make_current();
  const Helpers helpers(text, devices);
  std::vector<std::shared_ptr<DeviceLink>> links = helpers.links();
  links.push_back(first);
  link_memory(links);
  for (const bool keep_rows : {true, false}) {
    for (const std::uint64_t batch : {std::uint64_t{50}, text.length() / 5 + 1, text.length()}) {
      CAPTURE(batch);
      CAPTURE(keep_rows);
      CHECK(sorts<std::uint32_t>(gpu, text, {batch, keep_rows}, expected, helpers.all()));
      CHECK(sorts<std::uint64_t>(gpu, text, {batch, keep_rows}, expected, helpers.all()));
      CHECK(sorts<std::uint32_t>(gpu, text, {batch, keep_rows, 2}, expected, helpers.all()));
    }
  }
}

std::string index_bytes(Backend& backend, const Text& text, const BuildOptions& options,
                        const TemporaryFolder& folder) {
  Output out(folder / "built.gsx");
  write_index(out, text, backend.build_index(text.view(), options), 2);
  out.commit();
  return read_file(folder / "built.gsx");
}

}  // namespace

TEST_CASE("helpers: adversarial collections") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(177);
  for (std::size_t i = 0; i < collections.size(); i += std::min<std::uint64_t>(test_share(), 8))
    check_with_helpers(make_text(collections[i]), {another_gpu()});
}

TEST_CASE("helpers: repeats that need ranks, other alphabets, several helpers") {
  GSX_NEED_GPU();
  Random random(178);
  const std::uint64_t size = share_of(30'000, 900);
  const std::vector<int> two = {another_gpu(), 0};
  check_with_helpers(make_text({std::string(size, 'A')}), {another_gpu()});
  check_with_helpers(make_text({fibonacci_word(size), thue_morse_word(size)}), two);
  check_with_helpers(make_text({mutated_copies(random, 300, size / 300, 5000, "ACGT")}), two);
  const std::string word = random_string(random, size / 2, "ACGT");
  check_with_helpers(make_text({word, word}), {another_gpu()});
  check_with_helpers(
      make_text({random_string(random, size, "ACDEFGHIKLMNPQRSTVWY")}, SymbolPolicy::protein), two);
  check_with_helpers(
      make_text({mutated_copies(random, 100, size / 100, 1000, "abcdefgh")}, SymbolPolicy::bytes),
      {another_gpu()});
}

TEST_CASE("several GPUs build the bytes of the CPU, whatever their memory") {
  GSX_NEED_GPU();
  GSX_SKIP_IF(!full_tests(), "a shorter text is sorted in one batch");
  Random random(179);
  std::string record = random_string(random, 90'000'000, "ACGT");
  record.replace(50'000'000, 3'000'000, record.substr(1'000'000, 3'000'000));  // needs ranks
  const Text text = make_text({record});
  BuildOptions options;
  options.threads = 4;
  const TemporaryFolder folder;
  const auto expected = index_bytes(*make_cpu_backend(), text, options, folder);
  const std::vector<int> devices = {0, another_gpu()};
  for (const std::uint64_t megabytes : {2000, 900, 700}) {
    CAPTURE(megabytes);
    const LogCapture log(spdlog::level::debug);
    const auto gpus = make_cuda_backend(devices, megabytes << 20);
    CHECK(index_bytes(*gpus, text, options, folder) == expected);
    CHECK(log.text().find("does not help") == std::string::npos);
  }
}

TEST_CASE("memory that one of a GPU's pools keeps is there for the other") {
  GSX_NEED_GPU();
  GSX_SKIP_IF(visible_devices() < 2, "memory is linked between two GPUs");
  const std::vector<std::shared_ptr<DeviceLink>> links = {
      std::make_shared<DeviceLink>(0, unlimited), std::make_shared<DeviceLink>(1, unlimited)};
  link_memory(links);
  for (const auto& link : links) {
    const CurrentDevice current = link->make_current();
    const DeviceStream stream = link->stream();
    const std::uint64_t most = link->pool()->available() / 4 * 3;
    for (const MemoryKind kind : {MemoryKind::own, MemoryKind::linked, MemoryKind::own}) {
      const DeviceBuffer<std::uint8_t> large(most, stream, kind);
      CHECK_THROWS_AS(DeviceBuffer<std::uint8_t>(most, stream, MemoryKind::own), ResourceError);
      CHECK_THROWS_AS(DeviceBuffer<std::uint8_t>(most, stream, MemoryKind::linked), ResourceError);
      CHECK(link->pool()->available() < most);
    }
    CHECK_NOTHROW(DeviceBuffer<std::uint8_t>(most, stream));
  }
}

TEST_CASE("a GPU without room does not help, and the log says so") {
  GSX_NEED_GPU();
  Random random(180);
  const Text text = make_text({random_string(random, 100'000, "ACGT")});
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  const SortShape shape{.length = text.length(), .symbol_bits = 2, .helpers = 2};
  const SortPlan plan{30'000};
  const std::uint64_t enough = helping_bytes(shape, plan);
  const std::vector<std::shared_ptr<DeviceLink>> others = {
      std::make_shared<DeviceLink>(another_gpu(), enough - 1),
      std::make_shared<DeviceLink>(another_gpu(), enough)};
  const LogCapture log(spdlog::level::info);
  const SortTexts texts(text.view(), shape, plan, {gpu, others}, 2);
  CHECK(texts.helpers().size() == 1);
  CHECK(log.text().find("cuda:" + std::to_string(another_gpu()) + " does not help: sorting takes " +
                        std::to_string(enough) + " bytes") != std::string::npos);
  // One batch is nobody else's business.
  CHECK(SortTexts(text.view(), shape, {text.length()}, {gpu, others}, 2).helpers().empty());
}

TEST_CASE(
    "plans of several GPUs: as many batches for one as for the next, and none helps in the end") {
  const SortShape one{.length = 12'000'000'000, .symbol_bits = 2, .position_bytes = 8};
  SortShape two = one;
  two.helpers = 1;
  const std::vector<SortPlan> plans = sort_plans(two, unlimited);
  CHECK(divide_up(two.length, plans.front().batch_suffixes) % 2 == 0);
  CHECK_FALSE(plans.front().alone);
  CHECK(plans.back().alone);
  const auto alone = std::ranges::count_if(plans, [](const SortPlan& plan) { return plan.alone; });
  CHECK(static_cast<std::size_t>(alone) == sort_plans(one, unlimited).size());
  std::uint64_t least_together = unlimited, least_alone = unlimited;
  for (const SortPlan& plan : plans) {
    std::uint64_t& least = plan.alone ? least_alone : least_together;
    least = std::min(least, sorting_bytes(two, plan));
    if (plan.keep_rows) CHECK(helping_bytes(two, plan) < sorting_bytes(two, plan));
  }
  CHECK(least_alone < least_together);
  // Each of two lanes of a helper holds what it sent last.
  const SortShape small{.length = 1'000'000'000, .symbol_bits = 2, .helpers = 1};
  const std::uint64_t batch = 1 << 26;
  CHECK(helping_bytes(small, {batch, true, 2}) >=
        helping_bytes(small, {batch, true, 1}) + batch * (small.position_bytes + 1));
  const std::vector<SortPlan> little = sort_plans(two, least_together - 1);
  CHECK_FALSE(little.empty());
  CHECK(std::ranges::all_of(little, [](const SortPlan& plan) { return plan.alone; }));
}

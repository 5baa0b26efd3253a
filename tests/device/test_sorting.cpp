// All ways of sorting on the GPU give the same suffix array and the same BWT.
#include <doctest/doctest.h>

#include "backend/products.hpp"
#include "backend/registry.hpp"
#include "base/error.hpp"
#include "kernels/bwt/collectors.hpp"
#include "kernels/runtime/device_link.hpp"
#include "kernels/text/device_text.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::cuda;
using namespace gsx::testing;

namespace {

struct Expected {
  SuffixArray rows;
  Buffer<std::uint8_t> bwt;
};

Expected build_on_cpu(const Text& text) {
  const auto cpu = make_cpu_backend();
  BuildOptions options;
  options.threads = 2;
  return {build_suffix_array(*cpu, text.view(), options), build_bwt(*cpu, text.view(), options)};
}

/// Whether a plan sorts the text correctly. A plan that does not keep rows may give up.
template <class Pos>
bool sorts(DeviceLink& gpu, const Text& text, const SortPlan& plan, const Expected& expected) {
  Transfer& transfer = gpu.transfer(2);
  const DeviceStream stream = gpu.stream();
  const DeviceText d_text(text.view(), transfer, stream);
  SuffixArrayCollector<Pos> rows(text.length(), transfer, stream);
  BwtCollector<Pos> bwt(d_text.view(), transfer, stream);
  try {
    sort_suffixes<Pos>(d_text.view(), plan, rows, stream, {});
    sort_suffixes<Pos>(d_text.view(), plan, bwt, stream, {});
  } catch (const ResourceError&) {
    return !plan.keep_rows;
  }
  const Buffer<Pos> sorted = rows.result();
  const Buffer<std::uint8_t> codes = bwt.result();
  for (std::uint64_t row = 0; row < text.length(); ++row) {
    if (sorted[row] != expected.rows[row] || codes[row] != expected.bwt[row]) return false;
  }
  return true;
}

void check_all_plans(const Text& text) {
  const Expected expected = build_on_cpu(text);
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  for (const bool keep_rows : {true, false}) {
    for (const std::uint64_t batch : {std::uint64_t{50}, text.length() / 3 + 1, text.length()}) {
      CAPTURE(batch);
      CAPTURE(keep_rows);
      CHECK(sorts<std::uint32_t>(gpu, text, {batch, keep_rows}, expected));
      CHECK(sorts<std::uint64_t>(gpu, text, {batch, keep_rows}, expected));
    }
  }
}

}  // namespace

TEST_CASE("plans: adversarial collections") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(77);
  for (std::size_t i = 0; i < collections.size(); i += test_share())
    check_all_plans(make_text(collections[i]));
}

TEST_CASE("plans: repeats of every kind, other alphabets") {
  GSX_NEED_GPU();
  Random random(78);
  const std::uint64_t size = std::max<std::uint64_t>(600, 30000 / test_share());
  check_all_plans(make_text({std::string(size, 'A')}));
  check_all_plans(make_text({fibonacci_word(size), thue_morse_word(size)}));
  check_all_plans(make_text({mutated_copies(random, 300, size / 300, 5000, "ACGT")}));
  check_all_plans(
      make_text(std::vector<std::string>(size / 100, random_string(random, 90, "ACGT"))));
  check_all_plans(
      make_text({random_string(random, size, "ACDEFGHIKLMNPQRSTVWY")}, SymbolPolicy::protein));
  check_all_plans(make_text({fibonacci_word(size, 'M', 'K')}, SymbolPolicy::protein));
  check_all_plans(make_text({fibonacci_word(size, 'a', 'b')}, SymbolPolicy::bytes));
  check_all_plans(
      make_text({mutated_copies(random, 100, size / 100, 1000, "abcdefgh")}, SymbolPolicy::bytes));
  check_all_plans(make_text({std::string(size, 'x'), "y"}, SymbolPolicy::bytes));
}

// Work on one GPU leaves the others alone. Runs in its own process, because other tests use the
// first GPU.
#include <doctest/doctest.h>

#include "device/products.hpp"
#include "device/registry.hpp"
#include "device_calls/contexts.hpp"
#include "index/store/writer.hpp"
#include "support/files.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("building, searching and checking on the second GPU make no context on the first") {
  GSX_NEED_GPU();
  GSX_NEED("TWO_GPUS", visible_devices() >= 2, "there is one");
  GSX_NEED("FRESH_PROCESS", !has_context(0), "another test has used the first GPU");
  Random random(3);
  const Text text = make_text({random_string(random, share_of(3'000'000, 50'000), "ACGT")});
  const auto gpu = make_cuda_backend(1);
  CHECK_FALSE(has_context(0));
  BuildOptions options;
  options.threads = 4;
  CHECK(build_suffix_array(*gpu, text.view(), options).size() == text.length());
  CHECK_FALSE(has_context(0));
  CHECK(build_bwt(*gpu, text.view(), options).size() == text.length());
  const TemporaryFolder folder;
  Output out(folder / "a.gsx");
  write_index(out, text, gpu->build_index(text.view(), options), 2);
  out.commit();
  CHECK_FALSE(has_context(0));
  const Index index = Index::open(folder / "a.gsx", Load::map, 2);
  CHECK(make_cuda_verifier(1)->verify_bwt(index, 2, {}) > 0);
  CHECK_FALSE(has_context(0));
  const auto searcher = gpu->open<ExactSearch>({index, 2});
  const std::vector<std::uint8_t> codes = {0, 1, 2, 3};
  const std::vector<std::uint64_t> ends = {4};
  std::vector<StrandCounts> counts;
  searcher->count({codes, ends}, Strands::both, counts);
  CHECK(counts[0].total() > 0);
  CHECK(has_context(1));
  CHECK_FALSE(has_context(0));
}

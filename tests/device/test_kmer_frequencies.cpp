// K-mers that the GPU counts while it sorts are those that the rows of the suffix array tell.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "analysis/mappability/build.hpp"
#include "base/error.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"
#include "text/both_strands.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

void check_text(const Text& text, const std::vector<std::uint64_t>& lengths, bool counted = true) {
  const auto gpu = make_cuda_backend(0);
  const auto cpu = make_cpu_backend();
  for (const bool both : {false, true}) {
    CAPTURE(both);
    const ChosenStrands strands(text.view(), text.alphabet, both, 2);
    for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
      BuildOptions options;
      options.threads = 2;
      options.width = width;
      CHECK(gpu->measure<KmerMeasure>(strands.view(), lengths, options).empty() != counted);
      CHECK(gpu->plan_measure<KmerMeasure>(strands.view(), lengths, options).has_value() ==
            counted);
      const auto found = count_kmers(*gpu, strands.view(), lengths, {}, options);
      const auto expected = count_kmers(*cpu, strands.view(), lengths, {}, options);
      REQUIRE(found.size() == lengths.size());
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        CAPTURE(lengths[i]);
        std::uint64_t different = 0;
        for (std::uint64_t p = 0; p < text.length(); ++p)
          different += (*found[i])[p] != (*expected[i])[p] ? 1 : 0;
        CHECK(different == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("k-mers on the GPU: adversarial collections") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(78);
  for (std::size_t i = 0; i < collections.size(); i += test_share())
    check_text(make_text(collections[i]), {6, 7, 31, 100, 1024});
}

TEST_CASE("k-mers on the GPU: palindromes, frequent k-mers, repeats, other alphabets") {
  GSX_NEED_GPU();
  Random random(79);
  const std::uint64_t n = share_of(200'000, 4000);
  std::string period;
  for (std::uint64_t i = 0; i < n / 4; ++i)
    period += "ACGT";
  check_text(make_text({std::string(n, 'A'), period}), {6, 8, 9, 200});
  check_text(make_text({random_string(random, n, "ACGT"), random_string(random, n, "AC")}),
             {6, 8, 12, 20});
  check_text(make_text({mutated_copies(random, 900, 30, 300, "ACGT")}), {16, 64});
  check_text(make_text({random_string(random, n, "ACDEFGHIKLMNPQRSTVWY")}, SymbolPolicy::protein),
             {3, 4, 9});
}

TEST_CASE("k-mers on the GPU: short and long ones are left to the rows") {
  GSX_NEED_GPU();
  Random random(80);
  const Text text = make_text({random_string(random, 3000, "ACGT")});
  check_text(text, {5}, false);
  check_text(text, {20, 1025}, false);
}

TEST_CASE("k-mers on the GPU: where counting takes too much memory, rows tell") {
  GSX_NEED_GPU();
  Random random(81);
  const Text text = make_text({mutated_copies(random, 3000, 60, 5000, "ACGT")});
  const BothStrandsView view{text.view(), text.length()};
  const std::vector<std::uint64_t> lengths = {16, 17, 18, 19, 20, 21, 22, 23};
  BuildOptions options;
  options.threads = 2;
  const auto expected = count_kmers(*make_cpu_backend(), view, lengths, {}, options);
  int counted = 0;
  const std::uint64_t step = full_tests() ? 2'000'000 : 11'000'000;
  for (std::uint64_t limit = 48'000'000; limit < 72'000'000; limit += step) {
    CAPTURE(limit);
    std::vector<std::unique_ptr<FrequencyCodes>> found;
    try {
      found = count_kmers(*make_cuda_backend(0, limit), view, lengths, {}, options);
    } catch (const ResourceError&) {
      const auto gpu = make_cuda_backend(0, limit);
      CHECK_THROWS_AS(build_suffix_array(*gpu, text.view(), options), ResourceError);
      continue;
    }
    ++counted;
    for (std::uint64_t p = 0; p < text.length(); ++p)
      REQUIRE((*found[7])[p] == (*expected[7])[p]);
  }
  CHECK(counted > 0);
}

TEST_CASE("k-mers on the GPU: equal numbers above 2^15") {
  GSX_NEED_GPU();
  // Codes of so many occurrences stand for entries of a list.
  std::string period;
  for (int i = 0; i < 33'000; ++i)
    period += "AC";
  const Text text = make_text({period, "CACACACA"});  // ACACACAC and CACACACA as often
  const BothStrandsView view{text.view(), text.length()};
  const std::vector<std::uint64_t> lengths = {8};
  BuildOptions options;
  options.threads = 2;
  const auto found = count_kmers(*make_cuda_backend(0), view, lengths, {}, options);
  const auto expected = count_kmers(*make_cpu_backend(), view, lengths, {}, options);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    CHECK(found[i]->largest() == expected[i]->largest());
    CHECK(found[i]->codes() == expected[i]->codes());
    for (std::uint64_t p = 0; p < text.length(); ++p)
      REQUIRE((*found[i])[p] == (*expected[i])[p]);
  }
}

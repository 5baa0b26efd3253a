// K-mers that a device counts itself, instead of giving the rows of the suffix array.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "mappability/build.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("k-mers that a device counts itself are taken from it, and planned by it") {
  class Counting final : public Backend {
   public:
    std::string name() const override { return "counting"; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { fail(); }
    void build_rows(const TextView& text, const BuildOptions& build,
                    const TakeRows& take) override {
      ++sorted;
      cpu_->build_rows(text, build, take);
    }
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override { fail(); }
    FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }
    std::unique_ptr<Searcher> open(const Index&, int, const SearchMemory&) override { fail(); }
    std::vector<KmerFrequencies> count_kmers(const BothStrandsView& text,
                                             std::span<const std::uint64_t> lengths,
                                             const BuildOptions&) override {
      std::vector<KmerFrequencies> all;
      if (lengths[0] < 3) return all;
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        all.push_back({Buffer<std::uint16_t>(text.half, "counts"), {70'000, 40'000}});
        for (std::uint64_t p = 0; p < text.half; ++p)
          all.back().codes[p] =
              static_cast<std::uint16_t>(p < 2 ? KmerFrequencies::first_large + p : p + lengths[i]);
      }
      return all;
    }
    std::optional<BuildPlan> plan_kmers(const BothStrandsView&, std::span<const std::uint64_t>,
                                        const BuildOptions&) override {
      BuildPlan plan;
      plan.path = "counting";
      return plan;
    }
    int sorted = 0;

   private:
    [[noreturn]] static void fail() { throw ResourceError("it only counts k-mers"); }
    std::unique_ptr<Backend> cpu_ = make_cpu_backend();
  };
  const Text text = make_text({"ACGTTGCA"});
  const BothStrandsView view{text.view(), text.length()};
  Counting backend;
  const std::vector<std::uint64_t> lengths = {3, 5};
  const auto counted = count_kmers(backend, view, lengths, {}, {});
  CHECK(backend.sorted == 0);
  REQUIRE(counted.size() == 2);
  CHECK((*counted[1])[0] == 70'000);
  CHECK((*counted[1])[1] == 40'000);
  CHECK((*counted[1])[2] == 7);
  CHECK(counted[0]->largest() == 70'000);
  CHECK(counted[0]->code_of(40'000) == KmerFrequencies::first_large + 1);
  CHECK(counted[0]->code_of(50'000) == KmerFrequencies::first_large + 2);
  CHECK(plan_kmers(backend, view, lengths, {}, {})->path == "counting");
  // Not with mismatches, and not where neighbours may share much: rows are compared otherwise then.
  CHECK_FALSE(plan_kmers(backend, view, lengths, {1, 255}, {}));
  CHECK_FALSE(plan_kmers(backend, view, std::vector<std::uint64_t>{3, 2000}, {}, {}));
  CHECK(count_kmers(backend, view, std::vector<std::uint64_t>{2}, {}, {}).size() == 1);
  CHECK(backend.sorted == 1);
}

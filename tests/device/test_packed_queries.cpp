// Queries whose bases were packed as they were read: the GPU finds what the CPU finds of their
// codes, wherever in a batch they begin.
#include <doctest/doctest.h>

#include <algorithm>

#include "device/registry.hpp"
#include "run/patterns.hpp"
#include "support/gpu.hpp"
#include "support/open_index.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Pieces of `text`, of any length, some with symbols that are no bases.
RecordBatch queries_of(const std::string& text, Random& random, int count) {
  RecordBatch batch;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t length = below(random, i % 3 == 0 ? 40 : 200);
    std::string query = text.substr(below(random, text.size() - length), length);
    if (i % 11 == 2 && length != 0) query[below(random, length)] = 'N';
    if (i % 7 == 3) std::ranges::reverse(query);
    batch.begin_record("q", "");
    batch.append(query);
  }
  return batch;
}

}  // namespace

TEST_CASE("packed queries on the GPU: counts and places as of their codes, from any one on") {
  GSX_NEED_GPU();
  Random random(311);
  std::string symbols = random_string(random, 30'000, "ACGT");
  symbols += symbols.substr(5'000, 9'000);
  const Text text = make_text({symbols});
  const OpenIndex index(text);
  RecordBatch batch = queries_of(symbols, random, 700);
  PatternBuffer codes, bases;
  codes.encode(batch, text.alphabet);
  batch.bases.keep(true);
  batch.bases.finish(batch.symbols, 0, CpuPath::baseline);
  bases.encode(batch, text.alphabet);
  REQUIRE(bases.patterns().are_packed());

  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 2});
  const auto backend = make_backend("cuda:0");
  const auto gpu = backend->open<ExactSearch>({*index, 2});
  REQUIRE(gpu->takes_packed());
  CHECK(!cpu->takes_packed());
  for (std::size_t first = 0; first < 9; ++first) {
    const std::size_t last = first == 8 ? first : batch.size() - first;
    const Patterns of_codes = codes.patterns().some(first, last),
                   of_bases = bases.patterns().some(first, last);
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      std::vector<StrandCounts> expected, found;
      cpu->count(of_codes, strands, expected);
      gpu->count(of_bases, strands, found);
      REQUIRE(expected.size() == found.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const bool same =
            expected[i].forward == found[i].forward && expected[i].reverse == found[i].reverse;
        REQUIRE(same);
      }
      Hits cpu_hits, gpu_hits;
      cpu->locate(of_codes, strands, 5, cpu_hits);
      gpu->locate(of_bases, strands, 5, gpu_hits);
      const bool same =
          std::ranges::equal(cpu_hits.hits, gpu_hits.hits, [](const Hit& a, const Hit& b) {
            return a.position() == b.position() && a.is_reverse() == b.is_reverse();
          });
      CHECK(same);
      CHECK(cpu_hits.hit_ends == gpu_hits.hit_ends);
    }
  }
}

// Guides have the same sites and scores on the GPU as on the CPU.
#include <doctest/doctest.h>

#include <algorithm>

#include "gsx/guides.hpp"
#include "support/gpu.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("guides: the GPU finds and scores what the CPU does") {
  GSX_NEED_GPU();
  Random random(31);
  const std::vector<std::string> records = {random_string(random, 200'000, "ACGT"),
                                            mutated_copies(random, 500, 40, 12, "ACGTN")};
  const Index index = build_index(text_of_records(records), {.device = "cpu"});
  std::vector<std::string_view> guides;
  while (guides.size() < share_of(400))
    guides.push_back(std::string_view(records[0]).substr(below(random, 199'000), 20));
  for (const std::vector<std::string>& pams : {std::vector<std::string>{"NGG"}, {"NGG", "NAG"}}) {
    const GuideOptions options{.pams = pams, .mismatches = 6, .max_hits = 20};
    std::vector<Hit> hits[2];
    std::vector<double> scores[2];
    std::vector<GuideSites> figures[2];
    const std::string devices[] = {"cpu", "cuda"};
    for (const int n : {0, 1}) {
      const GuideSearcher searcher(index, {.device = devices[n], .threads = 2});
      CHECK(searcher.device().starts_with(devices[n]));
      figures[n] = searcher.locate(guides, options, [&](const ScoredHitChunk& chunk) {
        hits[n].insert(hits[n].end(), chunk.hits.begin(), chunk.hits.end());
        scores[n].insert(scores[n].end(), chunk.scores.begin(), chunk.scores.end());
      });
    }
    CHECK(hits[0] == hits[1]);
    CHECK(scores[0] == scores[1]);
    CHECK(std::equal(figures[0].begin(), figures[0].end(), figures[1].begin(), figures[1].end(),
                     [](const GuideSites& a, const GuideSites& b) {
                       return a.total() == b.total() && a.specificity == b.specificity;
                     }));
  }
}

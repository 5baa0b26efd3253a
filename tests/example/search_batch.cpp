// Searches many patterns on all cores or a GPU:  search_batch INDEX.gsx PATTERN...
#include <gsx/search.hpp>
#include <iostream>

int main(int argc, char** argv) {
  const gsx::Index index = gsx::Index::open(argv[1], gsx::Load::read);
  const std::vector<std::string_view> patterns(argv + 2, argv + argc);
  const gsx::BatchSearcher searcher(index, {.device = "auto"});
  searcher.locate(patterns, {.max_hits = 3}, [&](const gsx::HitChunk& chunk) {
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::string_view pattern = patterns[chunk.first + i];
      std::cout << pattern << ": " << chunk.counts[i].total() << '\n';
      for (const gsx::Hit hit : chunk.of(i))
        std::cout << gsx::occurrence_of(index, hit, pattern.size()).begin << '\n';
    }
  });
}

// Finds the sites of CRISPR guides with up to 5 mismatches:  find_offtargets GENOME.fa GUIDE...
#include <gsx/guides.hpp>
#include <iostream>

int main(int argc, char** argv) {
  const gsx::Text text = gsx::read_text({argv[1]});
  const std::vector<std::string_view> guides(argv + 2, argv + argc);
  const gsx::GuideOptions options{.pams = {"NGG"}, .mismatches = 5};
  const gsx::GuideSearcher searcher(text);
  const auto found = searcher.locate(guides, options, [&](const gsx::ScoredHitChunk& chunk) {
    for (std::size_t guide = 0, hit = 0; guide < chunk.patterns(); ++guide)
      for (; hit < chunk.ends[guide]; ++hit)
        std::cout << searcher.site(chunk.hits[hit], guides[chunk.first + guide], options) << '\t'
                  << gsx::occurrence_of(text, chunk.hits[hit],
                                        guides[chunk.first + guide].size() + 3)
                         .begin
                  << '\t' << chunk.scores[hit] << '\n';
  });
  for (std::size_t guide = 0; guide < guides.size(); ++guide)
    std::cout << guides[guide] << ": specificity " << found[guide].specificity.value_or(0) << '\n';
}

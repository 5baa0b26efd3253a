// Shards whose alphabets differ, on the GPU: what the CPU finds in them.
#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "index/store/shard_manifest.hpp"
#include "support/files.hpp"
#include "support/gpu.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("shards of proteins with different symbols are searched on the GPU as on the CPU") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const TemporaryFolder folder;
  ShardManifest manifest;
  std::vector<std::string> patterns = {"", "J", "A", "AJ"};
  for (const char* letters : {"KLM", "ACDEFGHIKLMNPQRSTVWY", "WYAC", "VT*"}) {
    const std::string record = random_string(random, share_of(20'000, 500), letters) + "KLMWYVT";
    for (int i = 0; i < 200; ++i)
      patterns.push_back(record.substr(random() % (record.size() - 6), 1 + random() % 6));
    const std::string name = std::to_string(manifest.shards.size()) + ".gsx";
    const Sequence sequence{name, record};
    ReadTextOptions options;
    options.text.alphabet = SymbolPolicy::protein;
    const Index shard = build_index(gsx::make_text({&sequence, 1}, options), {.device = "cpu"});
    shard.save(folder / name);
    manifest.shards.push_back({name, shard.file_bytes(), shard.checksum_of_header()});
  }
  folder.write("s.gsx", manifest.to_text());
  const Index shards = open_index(folder / "s.gsx");
  const std::vector<std::string_view> all(patterns.begin(), patterns.end());
  using Place = std::tuple<std::size_t, std::uint64_t>;
  const auto found_on = [&](const char* device) {
    const BatchSearcher searcher(shards, {.device = device, .threads = 2});
    std::vector<Place> places;
    std::size_t pattern = 0;
    for (const StrandCounts& count : searcher.count(all))
      places.emplace_back(pattern++, count.total());
    searcher.locate(all, {}, [&](const HitChunk& chunk) {
      std::uint64_t next = 0;
      for (std::size_t i = 0; i < chunk.patterns(); ++i)
        for (; next < chunk.ends[i]; ++next)
          places.emplace_back(chunk.first + i, chunk.hits[next].position());
    });
    return places;
  };
  CHECK((found_on("cuda") == found_on("cpu")));
}

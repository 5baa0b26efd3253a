// The public header's searches of an index in shards: what one index of all records gives.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gsx/error.hpp"
#include "gsx/guides.hpp"
#include "gsx/index.hpp"
#include "gsx/mappability.hpp"
#include "gsx/matches.hpp"
#include "gsx/primers.hpp"
#include "gsx/search.hpp"
#include "index/store/shard_manifest.hpp"
#include "support/files.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Place = std::tuple<std::uint64_t, std::uint64_t, bool, std::uint64_t>;

std::vector<Place> places_of(const std::vector<Occurrence>& found) {
  std::vector<Place> places;
  for (const Occurrence& at : found)
    places.emplace_back(at.record, at.begin, at.reverse, at.mismatches);
  return places;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_of(
    const std::vector<StrandCounts>& counts) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const StrandCounts& count : counts)
    pairs.emplace_back(count.forward, count.reverse);
  return pairs;
}

std::vector<std::vector<std::uint32_t>> values_of(const std::vector<Buffer<std::uint32_t>>& all) {
  std::vector<std::vector<std::uint32_t>> values;
  for (const Buffer<std::uint32_t>& one : all)
    values.emplace_back(one.data(), one.data() + one.size());
  return values;
}

/// Records in one index, and in one to four shards.
struct Sample {
  TemporaryFolder folder;
  std::vector<std::string> records, names;

  Index whole, shards;

  explicit Sample(Random& random, SymbolPolicy policy = SymbolPolicy::dna)
      : records(policy == SymbolPolicy::dna ? random_dna(random) : random_letters(random)),
        whole(build(0, records.size(), policy)),
        shards(cut(random, policy)) {}

  /// Records of proteins or text, of which each has some letters only.
  static std::vector<std::string> random_letters(Random& random) {
    const std::string repeat = random_string(random, 12, "KLMNWY");
    std::vector<std::string> all;
    for (std::size_t count = 4 + random() % 5; count > 0; --count) {
      const char* letters[] = {"KLM", "WYAC", "NACDEFGH", "ABCDEFGHIJKLMNOPQRSTUVWXYZ*", "VT"};
      std::string record = random_string(random, 30 + random() % 200, letters[random() % 5]);
      if (random() % 2 == 0) record += repeat;
      all.push_back(record);
    }
    return all;
  }
  static std::vector<std::string> random_dna(Random& random) {
    const std::string repeat = random_string(random, 40, "ACGT");
    std::vector<std::string> all;
    for (std::size_t count = 4 + random() % 5; count > 0; --count) {
      std::string record = random_string(random, 30 + random() % 200, "ACGTacgtN");
      if (random() % 2 == 0) record += repeat + "NN" + repeat.substr(0, 20);
      all.push_back(record);
    }
    return all;
  }
  Index build(std::size_t first, std::size_t last, SymbolPolicy policy) const {
    std::vector<Sequence> sequences;
    std::vector<std::string> own;
    for (std::size_t i = first; i < last; ++i)
      own.push_back("r" + std::to_string(i));
    for (std::size_t i = first; i < last; ++i)
      sequences.push_back({own[i - first], records[i]});
    ReadTextOptions options;
    options.text.alphabet = policy;
    return build_index(make_text(sequences, options), {.device = "cpu", .threads = 2, .md5 = true});
  }
  Index cut(Random& random, SymbolPolicy policy) const {
    ShardManifest manifest;
    const std::size_t count = 1 + random() % 4;
    for (std::size_t k = 0; k < count; ++k) {
      const Index shard =
          build(k * records.size() / count, (k + 1) * records.size() / count, policy);
      const std::string name = "s" + std::to_string(k) + ".gsx";
      shard.save(folder / name);
      manifest.shards.push_back({name, shard.file_bytes(), shard.checksum_of_header()});
    }
    folder.write("s.gsx", manifest.to_text());
    return open_index(folder / "s.gsx");
  }
  std::vector<std::string> patterns(Random& random) const {
    std::vector<std::string> all = {"", "A", "ACGTACGTACGTACGT", "NN"};
    for (int i = 0; i < 40; ++i) {
      const std::string& from = records[random() % records.size()];
      const std::size_t at = random() % (from.size() - 5);
      std::string pattern = from.substr(at, 1 + random() % 25);
      if (i % 3 == 0) pattern[pattern.size() / 2] = "ACGTJ"[random() % 5];
      all.push_back(pattern);
    }
    return all;
  }
};

std::vector<std::string_view> views_of(const std::vector<std::string>& all) {
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("searches of shards give what the index of all records gives") {
  Random random(run_seed());
  for (int round = 0; round < rounds(30); ++round) {
    CAPTURE(round);
    const SymbolPolicy policy = round % 3 == 1   ? SymbolPolicy::protein
                                : round % 6 == 2 ? SymbolPolicy::bytes
                                                 : SymbolPolicy::dna;
    const Sample sample(random, policy);
    CHECK(sample.whole.parts().empty());
    REQUIRE_FALSE(sample.shards.parts().empty());
    const std::vector<std::string> all = sample.patterns(random);
    const SearchOptions options{.device = "cpu", .threads = 2};
    const BatchSearcher whole(sample.whole, options), shards(sample.shards, options);
    const auto hits_of = [&](const BatchSearcher& searcher, const Index& index) {
      std::vector<Place> found;
      searcher.locate(views_of(all), {}, [&](const HitChunk& chunk) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < chunk.patterns(); ++i)
          for (; next < chunk.ends[i]; ++next) {
            const Occurrence at = occurrence_of(index, chunk.hits[next], 1);
            found.emplace_back(at.record, at.begin, at.reverse, chunk.first + i);
          }
      });
      return found;
    };
    CHECK((hits_of(shards, sample.shards) == hits_of(whole, sample.whole)));
    CHECK(places_of(locate(sample.shards, all[4])) == places_of(locate(sample.whole, all[4])));
    CHECK((pairs_of({count(sample.shards, all[5])}) == pairs_of({count(sample.whole, all[5])})));
    CHECK((pairs_of(shards.count(views_of(all))) == pairs_of(whole.count(views_of(all)))));
    for (std::uint64_t r = 0; r < sample.records.size(); ++r)
      CHECK(extract(sample.shards, r) == extract(sample.whole, r));
    if (policy != SymbolPolicy::dna) continue;
    MismatchOptions near;
    near.mismatches = 1;
    const MismatchBatchSearcher near_whole(sample.whole, options),
        near_shards(sample.shards, options);
    CHECK((pairs_of(near_shards.count(views_of(all), near)) ==
           pairs_of(near_whole.count(views_of(all), near))));
    CHECK((pairs_of(count_with_mismatches(sample.shards, "ACGT", near)) ==
           pairs_of(count_with_mismatches(sample.whole, "ACGT", near))));
    CHECK((places_of(locate_with_mismatches(sample.shards, "ACGTA", near)) ==
           places_of(locate_with_mismatches(sample.whole, "ACGTA", near))));
    CHECK((values_of(kmer_frequencies(sample.shards, 6)) ==
           values_of(kmer_frequencies(sample.whole, 6))));
    const auto limited = [&](const Index& index) {
      std::vector<std::uint64_t> kept(all.size());
      LocateRequest few;
      few.max_hits = 3;
      BatchSearcher(index, options).locate(views_of(all), few, [&](const HitChunk& chunk) {
        for (std::size_t i = 0; i < chunk.patterns(); ++i)
          kept[chunk.first + i] += chunk.ends[i] - (i == 0 ? 0 : chunk.ends[i - 1]);
      });
      return kept;
    };
    CHECK(limited(sample.shards) == limited(sample.whole));
    const auto sites_of = [&](const Index& index) {
      GuideOptions guide;
      guide.mismatches = 2;
      guide.mit_scores = false;
      std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;
      const std::vector<std::string_view> guides = {"ACGTACGTACGTACGTACGT", "GATTACA"};
      for (const GuideSites& sites : GuideSearcher(index, options).count(guides, guide))
        for (const auto& pair : pairs_of(sites.counts))
          counts.push_back(pair);
      return counts;
    };
    CHECK((sites_of(sample.shards) == sites_of(sample.whole)));
    const PrimerPair primers{"pair", "ACG", "CGT"};
    CHECK((find_amplicons(sample.shards, primers) == find_amplicons(sample.whole, primers)));
  }
}

TEST_CASE("joined shards are the index of all records, byte for byte") {
  Random random(run_seed());
  for (int round = 0; round < rounds(12); ++round) {
    const SymbolPolicy policies[] = {SymbolPolicy::dna, SymbolPolicy::protein, SymbolPolicy::bytes};
    const Sample sample(random, policies[round % 3]);
    const Index joined = join_shards(sample.shards, {.device = "cpu", .threads = 2});
    CHECK(joined.parts().empty());
    joined.save(sample.folder / "joined.gsx");
    sample.whole.save(sample.folder / "whole.gsx");
    CHECK((sample.folder.read("joined.gsx") == sample.folder.read("whole.gsx")));
    CHECK_THROWS_AS(join_shards(sample.whole), UsageError);
  }
}

TEST_CASE("what needs one index says so of shards") {
  Random random(run_seed());
  const Sample sample(random);
  const auto refused = [&](const auto& call) {
    try {
      call();
    } catch (const UsageError& error) {
      return std::string(error.what()).find("join_shards()") != std::string::npos;
    }
    return false;
  };
  CHECK(refused([&] { maximal_matches(sample.shards, "ACGT", {}); }));
  CHECK(refused([&] { match_lengths(sample.shards, "ACGT"); }));
  CHECK(refused([&] { MaximalMatchSearcher(sample.shards, {.device = "cpu"}); }));
  CHECK(refused([&] { Cursor(sample.shards).extend_left('A'); }));
  CHECK_THROWS_AS(sample.shards.save(sample.folder / "x.gsx"), UsageError);
}

// Maximal matches on the GPU are those that comparing every place finds, and those of the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/matches/cuda_match_searcher.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "support/gpu.hpp"
#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(const Text& text, std::uint32_t rate = 8) {
  BuildOptions build;
  build.sample_rate = rate;
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

/// Options that cut queries, and leave them little room, in some way.
cuda::MatchOptions draw_options(Random& random, int round) {
  cuda::MatchOptions options;
  options.width = round % 3 == 2 ? PositionWidth::wide : PositionWidth::automatic;
  options.whole_suffix_array = round % 2 == 0;
  options.wide_offsets = below(random, 3) == 0;
  if (round == 0) return options;
  options.cutting = {.group_symbols = 1 + below(random, 400),
                     .piece_symbols = 1 + below(random, 60),
                     .most_pieces = 1 + below(random, 200)};
  options.alone_symbols = (full_tests() ? 1 : 100) + below(random, 300);
  if (below(random, 2) == 0) options.first_room = 1 + below(random, 10);
  // One piece may have more matches than that, and they are given nevertheless.
  if (below(random, 3) == 0) options.host_hits = 40 + below(random, 400);
  return options;
}

/// `record` with about one symbol in `per` changed.
std::string changed(Random& random, std::string record, std::uint64_t per) {
  for (std::uint64_t i = below(random, per); i < record.size(); i += 1 + below(random, 2 * per))
    record[i] = "ACGTN"[below(random, 5)];
  return record;
}

std::vector<std::string> reads_of(Random& random, const std::string& genome, std::uint64_t count,
                                  std::uint64_t length) {
  std::vector<std::string> reads;
  for (std::uint64_t i = 0; i < count; ++i) {
    reads.push_back(changed(random, genome.substr(below(random, genome.size() - length), length),
                            40 + below(random, 400)));
    if (below(random, 2) == 0) reverse_complement(reads.back());
  }
  return reads;
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols) {
  CAPTURE(records.size());
  const Text text = gsx::testing::make_text(records, policy);
  const Index index = index_of(text, static_cast<std::uint32_t>(1 + below(random, 10)));
  const bool complements = index.alphabet().has_reverse_complement();
  std::vector<std::string> queries{"", records[0], std::string(70, 'N'), records.back()};
  while (queries.size() < 12)
    queries.push_back(match_query(random, records, symbols, complements));
  const QueryCodes codes(queries, index.alphabet());
  const PlainMatchSearcher plain(text.view(), complements);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  for (int round = 0; round < (full_tests() ? 4 : 2); ++round) {
    CAPTURE(round);
    const cuda::MatchOptions options = draw_options(random, round);
    CAPTURE(options.cutting.group_symbols);
    CAPTURE(options.cutting.piece_symbols);
    CAPTURE(options.alone_symbols);
    CAPTURE(options.first_room);
    CAPTURE(options.host_hits);
    const auto searcher = cuda::make_match_searcher(index, gpu.pool(), gpu.transfer(2), options);
    for (const std::uint64_t least : {std::uint64_t{1}, 2 + below(random, 14)}) {
      const auto strands = static_cast<Strands>(below(random, 3));
      CAPTURE(least);
      CAPTURE(static_cast<int>(strands));
      const auto expected = matches_of(plain, codes.patterns(), {strands, least});
      const auto found = matches_of(*searcher, codes.patterns(), {strands, least});
      CHECK(found.queries() == expected.queries());
      CHECK(found.gaps() == 0);
    }
  }
}

}  // namespace

TEST_CASE("matches: texts that are hard to search") {
  GSX_NEED_GPU();
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const auto collections = adversarial_collections(random());
  for (std::size_t i = 0; i < collections.size(); i += std::min<std::uint64_t>(test_share(), 12))
    check_text(random, collections[i], SymbolPolicy::dna, "ACGTN");
}

TEST_CASE("matches: Fibonacci words, runs of N, many records, all small lengths") {
  GSX_NEED_GPU();
  Random random(run_seed());
  check_text(random, {fibonacci_word(share_of(400, 100), 'A', 'C')}, SymbolPolicy::dna, "ACGTN");
  check_text(random, {random_string(random, share_of(600, 200), "ACGTNN")}, SymbolPolicy::dna,
             "ACGTN");
  std::vector<std::string> many;
  for (std::uint64_t i = 0; i < share_of(300, 40); ++i)
    many.push_back(random_string(random, below(random, 8), "ACGTN"));
  many.push_back("ACGTACGTTAGG");
  check_text(random, many, SymbolPolicy::dna, "ACGT");
  const std::string record = random_string(random, 300, "ACGT");
  const Text text = gsx::testing::make_text({record, record.substr(20, 100)});
  const Index index = index_of(text);
  const QueryCodes codes(reads_of(random, record, 5, 60));
  const PlainMatchSearcher plain(text.view(), true);
  const auto searcher = make_cuda_backend(0)->open<MatchSearch>({index, 1});
  for (std::uint64_t least = 1; least < 62; least += full_tests() ? 1 : 12) {
    CAPTURE(least);
    CHECK(matches_of(*searcher, codes.patterns(), {Strands::both, least}).queries() ==
          matches_of(plain, codes.patterns(), {Strands::both, least}).queries());
  }
}

TEST_CASE("matches: protein and bytes") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", all = every_symbol();
  check_text(
      random,
      {mutated_copies(random, 50, 4, 20, letters), "M", "", random_string(random, 300, "LKA")},
      SymbolPolicy::protein, letters);
  check_text(random,
             {mutated_copies(random, 60, 4, 20, all), random_string(random, 200, all.substr(0, 3))},
             SymbolPolicy::bytes, all);
}

TEST_CASE("matches: many reads, and several threads with one searcher") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, share_of(300'000, 20'000), "ACGT") +
                             mutated_copies(random, 300, share_of(200, 10), 100, "ACGT");
  const Index index = index_of(gsx::testing::make_text({genome, genome.substr(1000, 5000)}));
  const auto backend = make_cuda_backend(0);
  const auto searcher = backend->open<MatchSearch>({index, 4});
  const CpuMatchSearcher cpu(index, 2);
  std::vector<std::string> reads = reads_of(random, genome, share_of(20'000, 300), 150);
  for (std::size_t i = 0; i < reads.size(); i += 97)
    reads[i] = std::string(i % 200, "NA"[i % 2]);
  const QueryCodes codes(reads);
  for (const std::uint64_t least : {12, 31}) {
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      CHECK(matches_of(*searcher, codes.patterns(), {strands, least}).queries() ==
            matches_of(cpu, codes.patterns(), {strands, least}).queries());
    }
  }
  const MatchRequest request{Strands::both, 19};
  const auto expected = matches_of(cpu, codes.patterns(), request).queries();
  std::atomic<int> wrong{0};
  run_threads(4, [&](int) {
    for (int round = 0; round < 3; ++round)
      wrong += matches_of(*searcher, codes.patterns(), request).queries() == expected ? 0 : 1;
  });
  CHECK(wrong == 0);
  CHECK_THROWS_AS(
      searcher->stream(codes.patterns(), request,
                       [](const MatchChunk&) { throw std::runtime_error("the disk is full"); }),
      std::runtime_error);
  CHECK(matches_of(*searcher, codes.patterns(), request).queries() == expected);
  int chunks = 0;
  searcher->stream(QueryCodes({}).patterns(), request, [&](const MatchChunk&) { ++chunks; });
  CHECK(chunks == 0);
}

TEST_CASE("matches: their places come from the searcher of the same index, in the sink") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = mutated_copies(random, 500, share_of(60, 6), 50, "ACGT");
  const Index index = index_of(gsx::testing::make_text({genome}));
  const QueryCodes codes(reads_of(random, genome, share_of(300, 30), 120));
  const auto hits_of = [&](Backend& backend) {
    const auto searcher = backend.open<ExactSearch>({index, 2});
    const std::uint64_t peak = backend.peak_device_bytes();
    const auto matches = backend.open<MatchSearch>({index, 2});
    CHECK(backend.peak_device_bytes() < peak + peak / 2 + (1 << 20));  // the index lies there once
    Hits hits;
    std::uint64_t unlike = 0;
    matches->stream(codes.patterns(), {Strands::both, 20}, [&](const MatchChunk& chunk) {
      MatchPatterns places;
      for (std::size_t i = 0; i < chunk.queries(); ++i) {
        for (const MaximalMatch& match : chunk.of(i))
          places.add(codes.patterns()[chunk.first + i], match);
      }
      Hits some;
      searcher->locate(places.patterns(), Strands::both, unlimited, some);
      for (std::size_t k = 0; k < some.counts.size(); ++k) {
        unlike += some.counts[k].forward != chunk.matches[k].counts.forward ||
                  some.counts[k].reverse != chunk.matches[k].counts.reverse;
      }
      hits.hits.insert(hits.hits.end(), some.hits.begin(), some.hits.end());
    });
    CHECK(unlike == 0);
    return hits.hits;
  };
  const auto gpu = make_cuda_backend(0), cpu = make_cpu_backend();
  CHECK(hits_of(*gpu) == hits_of(*cpu));
}

TEST_CASE("matches: long queries, whole records, and queries that are the text") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, share_of(1'000'000, 30'000), "ACGT") +
                             mutated_copies(random, 700, share_of(60, 4), 200, "ACGT");
  const Index index = index_of(gsx::testing::make_text({genome, genome.substr(1000, 20'000)}));
  std::string complement = changed(random, genome, 150);
  reverse_complement(complement);
  const QueryCodes codes({"ACGT", genome, complement, "", changed(random, genome, 1000), "T",
                          std::string(genome.size(), 'N'), genome.substr(500, 3000)});
  const CpuMatchSearcher cpu(index, 2);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  std::vector<cuda::MatchOptions> all(4);
  all[1].cutting.group_symbols = 5000;
  all[2].cutting = {.group_symbols = 100, .piece_symbols = 300, .most_pieces = 1000};
  all[2].alone_symbols = 10'000;
  all[2].first_room = 7;
  all[3].cutting = all[2].cutting;
  all[3].host_hits = 16'000;  // matches do not fit at once
  for (const cuda::MatchOptions& options : all) {
    CAPTURE(options.cutting.group_symbols);
    CAPTURE(options.host_hits);
    const auto searcher = cuda::make_match_searcher(index, gpu.pool(), gpu.transfer(2), options);
    for (const std::uint64_t least : {10, 31}) {
      const MatchRequest request{Strands::both, least};
      const auto expected = matches_of(cpu, codes.patterns(), request);
      std::uint64_t largest = 0;
      CollectedMatches found;
      searcher->stream(codes.patterns(), request, [&](const MatchChunk& chunk) {
        largest = std::max<std::uint64_t>(largest, chunk.matches.size());
        found.take(chunk);
      });
      CHECK(found.queries() == expected.queries());
      CHECK(found.gaps() == 0);
      CHECK(largest <= options.host_hits / 4);
      CHECK(found.queries()[1] == std::vector<MaximalMatch>{{0, genome.size(), {1, 0}}});
    }
  }
}

TEST_CASE("matches: with little memory, batches are split; without, the CPU finds them") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, 100'000, "ACGT");
  const Index index = index_of(gsx::testing::make_text({genome}));
  std::vector<std::string> reads = reads_of(random, genome, share_of(30'000, 500), 100);
  reads.push_back(changed(random, genome, 100));
  const QueryCodes codes(reads);
  const MatchRequest request{Strands::both, 20};
  const auto expected = matches_of(CpuMatchSearcher(index, 2), codes.patterns(), request).queries();
  int worked = 0, refused = 0;
  for (const std::uint64_t kilobytes : {10u, 1000u, 2000u, 3000u, 5000u, 20'000u}) {
    CAPTURE(kilobytes);
    try {
      const auto gpu = make_cuda_backend(0, kilobytes << 10);
      const auto found = matches_of(*gpu->open<MatchSearch>({index, 2}), codes.patterns(), request);
      ++worked;  // a CHECK around it would take what it throws for a failure
      CHECK(found.queries() == expected);
    } catch (const ResourceError&) {
      ++refused;
    }
    const auto either =
        make_fallback_backend(make_cuda_backend(0, kilobytes << 10), make_cpu_backend());
    CHECK(matches_of(*either->open<MatchSearch>({index, 2}), codes.patterns(), request).queries() ==
          expected);
  }
  CHECK(worked >= 2);
  CHECK(refused >= 1);
}

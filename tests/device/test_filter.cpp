// Which queries match, on the GPU: those of which comparing every place says so, and the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/matches/cuda_match_searcher.hpp"
#include "run/filter_rules.hpp"
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

using Matched = std::vector<std::uint8_t>;

Index index_of(const Text& text, std::uint32_t rate = 8) {
  BuildOptions build;
  build.sample_rate = rate;
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

Matched detected(const MatchSearcher& searcher, const QueryCodes& codes,
                 const MatchRequest& request) {
  Matched matched{7};  // what was there is replaced
  searcher.count(codes.patterns(), request, matched);
  return matched;
}

/// What a filter finds that asks how much of a query its matches cover.
Matched covered(const MatchSearcher& searcher, const QueryCodes& codes, std::uint64_t least,
                double part) {
  Matched matched;
  find_matching(searcher, codes.patterns(), {.request = {Strands::both, least}, .min_cover = part},
                matched);
  return matched;
}

/// Options that cut queries in some way.
cuda::MatchOptions draw_options(Random& random, int round) {
  cuda::MatchOptions options;
  options.width = round % 3 == 2 ? PositionWidth::wide : PositionWidth::automatic;
  options.whole_suffix_array = round % 2 == 0;
  options.wide_offsets = below(random, 3) == 0;
  if (round == 0) return options;
  options.cutting = {.group_symbols = below(random, 400),
                     .piece_symbols = 1 + below(random, 60),
                     .most_pieces = 1 + below(random, 200)};
  return options;
}

/// Reads of a genome, of both strands, of which few are as they are there.
std::vector<std::string> reads_of(Random& random, const std::string& genome, std::uint64_t count,
                                  std::uint64_t length) {
  std::vector<std::string> reads;
  while (reads.size() < count) {
    std::string read = genome.substr(below(random, genome.size() - length), length);
    const std::uint64_t per = 5 + below(random, 100);
    for (std::uint64_t i = below(random, per); i < read.size(); i += 1 + below(random, 2 * per))
      read[i] = "ACGTN"[below(random, 5)];
    if (below(random, 2) == 0) reverse_complement(read);
    reads.push_back(read);
    if (below(random, 4) == 0) reads.push_back(random_string(random, below(random, 150), "ACGTN"));
  }
  return reads;
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols, std::uint64_t step) {
  CAPTURE(records.size());
  const Text text = gsx::testing::make_text(records, policy);
  const Index index = index_of(text, static_cast<std::uint32_t>(1 + below(random, 10)));
  const bool complements = index.alphabet().has_reverse_complement();
  std::vector<std::string> queries{"", records[0], std::string(70, 'N'), records.back()};
  while (queries.size() < 14)
    queries.push_back(match_query(random, records, symbols, complements));
  const QueryCodes codes(queries, index.alphabet());
  const PlainMatchSearcher plain(text.view(), complements);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  for (int round = 0; round < (full_tests() ? 4 : 2); ++round) {
    const cuda::MatchOptions options = draw_options(random, round);
    CAPTURE(round);
    CAPTURE(options.cutting.group_symbols);
    CAPTURE(options.cutting.piece_symbols);
    const auto searcher = cuda::make_match_searcher(index, gpu.pool(), gpu.transfer(2), options);
    for (std::uint64_t least = 1; least <= 40; least += step) {
      CAPTURE(least);
      CHECK(detected(*searcher, codes, {Strands::both, least}) ==
            detected(plain, codes, {Strands::both, least}));
    }
    for (const Strands strands : {Strands::forward, Strands::reverse}) {
      const MatchRequest request{strands, 1 + below(random, 30)};
      CHECK(detected(*searcher, codes, request) == detected(plain, codes, request));
    }
    const double part = 0.01 * static_cast<double>(1 + below(random, 100));
    CHECK(covered(*searcher, codes, 5, part) == covered(plain, codes, 5, part));
  }
}

}  // namespace

TEST_CASE("filter: texts that are hard to search, and every length") {
  GSX_NEED_GPU();
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const std::uint64_t step = full_tests() ? 1 : 6;
  const auto collections = adversarial_collections(random());
  for (std::size_t i = 0; i < collections.size(); i += std::min<std::uint64_t>(test_share(), 12))
    check_text(random, collections[i], SymbolPolicy::dna, "ACGTN", step);
  check_text(random, {random_string(random, share_of(600, 200), "ACGTNN")}, SymbolPolicy::dna,
             "ACGTN", 1);
  std::vector<std::string> many{"ACGTACGTTAGG"};
  while (many.size() < share_of(300, 40))
    many.push_back(random_string(random, below(random, 8), "ACGTN"));
  check_text(random, many, SymbolPolicy::dna, "ACGT", step);
}

TEST_CASE("filter: protein and bytes") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", all = every_symbol();
  const std::vector<std::string> proteins{mutated_copies(random, 50, 4, 20, letters), "M", "",
                                          random_string(random, 300, "LKA")};
  check_text(random, proteins, SymbolPolicy::protein, letters, 3);
  const std::vector<std::string> bytes{mutated_copies(random, 60, 4, 20, all),
                                       random_string(random, 200, all.substr(0, 3))};
  check_text(random, bytes, SymbolPolicy::bytes, all, 3);
  // Codes of two bits, of which not all are there.
  check_text(random, {random_string(random, 200, "abc")}, SymbolPolicy::bytes, "abcd", 3);
}

TEST_CASE("filter: many reads, and several threads with one searcher") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, share_of(300'000, 20'000), "ACGT") +
                             mutated_copies(random, 300, share_of(200, 10), 100, "ACGT");
  const Index index = index_of(gsx::testing::make_text({genome, genome.substr(1000, 5000)}));
  const auto backend = make_cuda_backend(0);
  const auto searcher = backend->open<MatchSearch>({index, 4});
  const CpuMatchSearcher cpu(index, 2);
  const QueryCodes codes(reads_of(random, genome, share_of(20'000, 300), 150));
  for (const std::uint64_t least : {12, 25, 31, 60, 150, 151}) {
    CAPTURE(least);
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse})
      CHECK(detected(*searcher, codes, {strands, least}) == detected(cpu, codes, {strands, least}));
    CHECK(covered(*searcher, codes, least, 0.5) == covered(cpu, codes, least, 0.5));
  }
  const MatchRequest request{Strands::both, 31};
  const Matched expected = detected(cpu, codes, request);
  CHECK(std::count(expected.begin(), expected.end(), 0) > 20);
  CHECK(std::count(expected.begin(), expected.end(), 1) > 20);
  std::atomic<int> wrong{0};
  run_threads(4, [&](int) {
    for (int round = 0; round < 3; ++round)
      wrong += detected(*searcher, codes, request) == expected ? 0 : 1;
  });
  CHECK(wrong == 0);
  CHECK(detected(*searcher, QueryCodes({}), request).empty());
  CHECK(detected(*searcher, QueryCodes({"", "ACGT"}), request) == Matched{0, 0});
}

TEST_CASE("filter: reads of a million bases match wherever they do") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::uint64_t size = share_of(1'000'000, 30'000);
  const std::string sequence = random_string(random, share_of(200'000, 10'000), "ACGT");
  const Index index = index_of(gsx::testing::make_text({sequence}));
  const std::string other = random_string(random, size, "ACGTN");
  std::vector<std::string> queries{other, std::string(size, 'N')};
  for (const std::uint64_t place : {std::uint64_t{0}, size / 2 + below(random, 1000), size - 32}) {
    std::string part = sequence.substr(below(random, 5000), 32), query = other;
    if (below(random, 2) == 0) reverse_complement(part);
    queries.push_back(query.replace(place, part.size(), part));
  }
  queries.push_back(sequence);
  const QueryCodes codes(queries);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  std::vector<cuda::MatchOptions> all(3);
  all[1].cutting = {.group_symbols = 5000, .piece_symbols = 300, .most_pieces = 1000};
  all[2].cutting = {.group_symbols = 100, .piece_symbols = 5000, .most_pieces = 1};
  for (const cuda::MatchOptions& options : all) {
    CAPTURE(options.cutting.group_symbols);
    const auto searcher = cuda::make_match_searcher(index, gpu.pool(), gpu.transfer(2), options);
    CHECK(detected(*searcher, codes, {Strands::both, 32}) == Matched{0, 0, 1, 1, 1, 1});
    CHECK(detected(*searcher, codes, {Strands::both, 52}) == Matched{0, 0, 0, 0, 0, 1});
    CHECK(detected(*searcher, codes, {Strands::both, sequence.size()}) ==
          Matched{0, 0, 0, 0, 0, 1});
    CHECK(detected(*searcher, codes, {Strands::both, size + 1}) == Matched(6));
  }
}

TEST_CASE("filter: with little memory, batches are split; without, the CPU goes on") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, 100'000, "ACGT");
  const Index index = index_of(gsx::testing::make_text({genome}));
  const QueryCodes codes(reads_of(random, genome, share_of(60'000, 2000), 100));
  const MatchRequest request{Strands::both, 31};
  const Matched expected = detected(CpuMatchSearcher(index, 2), codes, request);
  int worked = 0, refused = 0;
  for (const std::uint64_t kilobytes : {10u, 600u, 700u, 800u, 1000u, 2000u, 20'000u}) {
    CAPTURE(kilobytes);
    try {
      const auto gpu = make_cuda_backend(0, kilobytes << 10);
      const Matched found = detected(*gpu->open<MatchSearch>({index, 2}), codes, request);
      ++worked;  // a CHECK around it would take what it throws for a failure
      CHECK(found == expected);
    } catch (const ResourceError&) {
      ++refused;
    }
    const auto either =
        make_fallback_backend(make_cuda_backend(0, kilobytes << 10), make_cpu_backend());
    CHECK(detected(*either->open<MatchSearch>({index, 2}), codes, request) == expected);
  }
  CHECK(worked >= 2);
  CHECK(refused >= 1);
}

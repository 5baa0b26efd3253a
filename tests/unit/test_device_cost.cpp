// The model by which `auto` chooses a device.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "device/cost.hpp"

using namespace gsx;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t million = 1'000'000, chromosome = 60 * million, genome = 3000 * million;

bool takes_cpu(const WorkCost& cost, int threads = 1) {
  return faster_device("auto", cost, threads) == "cpu";
}

}  // namespace

TEST_CASE("only auto is decided by the costs, by those of all threads and with a GPU's start") {
  for (const std::string device : {"cpu", "cuda", "cuda:1", "cuda:all", "no such device"}) {
    CHECK(faster_device(device, {1e9, 0}, 1) == device);
    CHECK(faster_device(device, {0, 1e9}, 1) == device);
  }
  CHECK(takes_cpu({0.9 * gpu_start_seconds, 0}));
  CHECK_FALSE(takes_cpu({1.1 * gpu_start_seconds, 0}));
  CHECK(takes_cpu({1.1 * gpu_start_seconds, 0}, 2));
  CHECK(takes_cpu({10, 9}, 2));
  CHECK_FALSE(takes_cpu({0, 0, 1.1 * gpu_start_seconds}, 1024));
  CHECK_FALSE(takes_cpu({gpu_start_seconds, 0, 0.6 * gpu_start_seconds}, 2));
  CHECK_FALSE(takes_cpu({10, 1}, 2));
}

TEST_CASE("nothing is left to the CPU, and an unknown amount to a GPU") {
  const std::uint64_t nothing = 0;
  for (const WorkCost& cost :
       {cost_of_sorting(nothing), cost_of_inverting(nothing), cost_of_verifying(nothing),
        cost_of_kmers(nothing, 30, 2), cost_of_any_queries(nothing),
        cost_of_queries(QueryWork::exact, nothing, genome),
        cost_of_mismatches({0, 0, 3, genome, genome}), cost_of_guides(nothing, 1000, 2),
        cost_of_guides(genome, 0, 0), cost_of_all_guides(nothing),
        cost_of_match_pairs(nothing, nothing), cost_of_neighbors(nothing, 2),
        cost_of_prefixes(nothing, genome)}) {
    CHECK(takes_cpu(cost));
  }
  for (const WorkCost& cost :
       {cost_of_sorting({}), cost_of_inverting({}), cost_of_kmers({}, 30, 2),
        cost_of_queries(QueryWork::exact, {}, genome),
        cost_of_mismatches({infinity, 20, 3, genome, genome}), cost_of_match_pairs({}, million),
        cost_of_match_pairs(million, {}), cost_of_prefixes({}, genome)}) {
    CHECK_FALSE(takes_cpu(cost, 1024));
  }
}

TEST_CASE("queries with mismatches cost time in the smallest text, and no estimate is no number") {
  CHECK(takes_cpu(cost_of_mismatches({1e4, 150, 3, 3000, 3000})));
  CHECK_FALSE(takes_cpu(cost_of_mismatches({1e7, 150, 3, 3000, 3000})));
  CHECK_FALSE(takes_cpu(cost_of_mismatches({1e9, 20, 3, 3000, 0}), 16));
  CHECK_FALSE(takes_cpu(cost_of_kmers({}, 1024, 1)));
  CHECK(takes_cpu(cost_of_kmers(million / 10, 1 << 30, 1)));
  CHECK_FALSE(takes_cpu({std::numeric_limits<double>::quiet_NaN(), 0}));
}

TEST_CASE("more work of a kind never goes back to the CPU") {
  for (const int threads : {1, 2, 16, 64}) {
    CAPTURE(threads);
    std::vector<bool> cpu;  // of each kind, by less work
    for (std::uint64_t amount = 1; amount <= std::uint64_t{1} << 36; amount *= 2) {
      CAPTURE(amount);
      const WorkCost costs[] = {
          cost_of_sorting(amount),
          cost_of_inverting(amount),
          cost_of_kmers(amount, 50, 1),
          cost_of_any_queries(amount),
          cost_of_queries(QueryWork::exact, amount, chromosome),
          cost_of_queries(QueryWork::match_lengths, amount, chromosome),
          cost_of_mismatches({static_cast<double>(amount), 20, 3, chromosome, 0}),
          cost_of_guides(amount, 1000, 1),
          cost_of_guides(chromosome, static_cast<double>(amount), 0),
          cost_of_all_guides(amount),
          cost_of_match_pairs(amount, million),
          cost_of_match_pairs(chromosome, amount),
          cost_of_neighbors(amount, 1)};
      cpu.resize(std::size(costs), true);
      for (std::size_t kind = 0; kind < std::size(costs); ++kind) {
        CAPTURE(kind);
        const bool now = takes_cpu(costs[kind], threads);
        CHECK((cpu[kind] || !now));
        cpu[kind] = now;
      }
    }
  }
}

TEST_CASE("so much work is given to a GPU, and so little is not") {
  constexpr std::uint64_t reads = 320 * million;  // bytes of FASTQ with a million reads of 150
  CHECK(takes_cpu(cost_of_sorting(5 * million), 2));
  CHECK(takes_cpu(cost_of_sorting(50 * million), 16));
  CHECK_FALSE(takes_cpu(cost_of_sorting(500 * million), 16));
  CHECK(takes_cpu(cost_of_inverting(50 * million), 16));
  CHECK_FALSE(takes_cpu(cost_of_inverting(500 * million), 16));
  CHECK_FALSE(takes_cpu(cost_of_verifying(500 * million), 16));

  CHECK(takes_cpu(cost_of_queries(QueryWork::exact, reads / 1000, genome), 16));
  CHECK(takes_cpu(cost_of_queries(QueryWork::exact, reads, chromosome), 16));
  CHECK_FALSE(takes_cpu(cost_of_queries(QueryWork::exact, 24 * reads, genome), 16));
  CHECK(takes_cpu(cost_of_queries(QueryWork::any_match, reads, chromosome), 16));
  CHECK(takes_cpu(cost_of_queries(QueryWork::match_lengths, reads / 1000, chromosome), 16));
  CHECK_FALSE(takes_cpu(cost_of_queries(QueryWork::match_lengths, reads, chromosome), 16));
  CHECK_FALSE(takes_cpu(cost_of_queries(QueryWork::maximal_matches, 24 * reads, genome), 16));

  CHECK(takes_cpu(cost_of_mismatches({1, 20, 3, genome, genome}), 16));
  CHECK(takes_cpu(cost_of_mismatches({1000, 150, 3, genome, genome}), 2));  // pieces of 37
  CHECK_FALSE(takes_cpu(cost_of_mismatches({1000, 20, 3, genome, genome}), 2));
  CHECK(takes_cpu(cost_of_mismatches({1e6, 150, 3, chromosome, chromosome}), 16));
  CHECK_FALSE(takes_cpu(cost_of_mismatches({1e6, 150, 3, 500 * million, 500 * million}), 16));
  CHECK_FALSE(takes_cpu(cost_of_mismatches({1e8, 150, 3, genome, genome}), 16));
  CHECK_FALSE(takes_cpu(cost_of_mismatches({4000, 20, 2, genome, 0}), 16));  // primers

  CHECK(takes_cpu(cost_of_guides(5 * million, 1000, 0), 2));
  CHECK(takes_cpu(cost_of_guides(500 * million, 1, 2), 16));
  CHECK_FALSE(takes_cpu(cost_of_guides(500 * million, 1000, 2), 16));
  CHECK(takes_cpu(cost_of_guides(genome, 1, 0), 16));
  CHECK_FALSE(takes_cpu(cost_of_guides(genome, 1, 2), 16));
  CHECK_FALSE(takes_cpu(cost_of_guides(genome, 312, 0), 16));

  CHECK(takes_cpu(cost_of_kmers(million / 2, 50, 1), 2));
  CHECK_FALSE(takes_cpu(cost_of_sorting(50 * million) + cost_of_kmers(50 * million, 50, 0), 16));
  CHECK_FALSE(takes_cpu(cost_of_kmers(10 * million, 24, 3), 2));

  CHECK(takes_cpu(cost_of_match_pairs(50 * million, reads), 16));
  CHECK_FALSE(takes_cpu(cost_of_match_pairs(500 * million, 300), 16));
  CHECK_FALSE(takes_cpu(cost_of_match_pairs(500 * million, reads), 16));
  CHECK(takes_cpu(cost_of_prefixes(8000 * million, 1000), 2));  // a small set stays in the cache
}

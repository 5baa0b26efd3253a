// Pairs of matches on the GPU are those that comparing every place finds, and those of the CPU, in
// the same order, however little room there is.
#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "device/fallback.hpp"
#include "device/multi_device.hpp"
#include "device/registry.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/matches/cuda_pair_searcher.hpp"
#include "search/matches/cpu_pair_searcher.hpp"
#include "support/gpu.hpp"
#include "support/pair_cases.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Options that leave little room, in some way.
cuda::CudaPairOptions draw_options(Random& random, std::uint64_t least, std::uint32_t bits) {
  cuda::CudaPairOptions options;
  options.sampling = some_sampling(random, least, bits);
  options.most_places = 1 + below(random, 300);
  options.pairs_at_once = static_cast<std::uint32_t>((full_tests() ? 1 : 200) + below(random, 60));
  options.open_pairs = static_cast<std::uint32_t>(1 + below(random, 3));
  options.candidates = 1 + below(random, 2000);
  options.copied_pairs = 1 + below(random, 9);
  return options;
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols, std::vector<std::uint64_t> lengths = {}) {
  CAPTURE(records.size());
  const PairCollection collection(random, records, policy, symbols);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  if (lengths.empty()) lengths = {1, 2 + below(random, 12), 13 + below(random, 70)};
  for (const std::uint64_t least : lengths) {
    CAPTURE(least);
    const cuda::CudaPairOptions options =
        draw_options(random, least, collection.text().symbols.bits());
    CAPTURE(options.sampling->kmer);
    CAPTURE(options.sampling->target_step);
    CAPTURE(options.sampling->query_step);
    CAPTURE(options.most_places);
    CAPTURE(options.pairs_at_once);
    const auto usual =
        cuda::make_pair_searcher(collection.setup(least), gpu.pool(), gpu.transfer(2));
    const auto cramped =
        cuda::make_pair_searcher(collection.setup(least), gpu.pool(), gpu.transfer(2), options);
    for (const PairUniqueness unique : {PairUniqueness::none, PairUniqueness::target,
                                        PairUniqueness::both, PairUniqueness::both_strands}) {
      CAPTURE(static_cast<int>(unique));
      PairRules rules{{static_cast<Strands>(below(random, 3)), least, unique}};
      const std::string expected = collection.expected(rules.request);
      CHECK(difference(collection.found(*usual, rules, 1, 1 << 20), expected) == "");
      rules.part_symbols = 1 + below(random, 200);
      CHECK(difference(collection.found(*cramped, rules, 2, 1 + below(random, 300)), expected) ==
            "");
    }
  }
}

/// `record` with about one symbol in `per` changed.
std::string changed(Random& random, std::string record, std::uint64_t per) {
  for (std::uint64_t i = below(random, per); i < record.size(); i += 1 + below(random, 2 * per))
    record[i] = "ACGTN"[below(random, 5)];
  return record;
}

}  // namespace

TEST_CASE("pairs: texts that are hard to search") {
  GSX_NEED_GPU();
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  auto collections = adversarial_collections(random());
  for (std::size_t i = 0; i < collections.size(); i += std::min<std::uint64_t>(test_share(), 12)) {
    shorten(collections[i]);
    check_text(random, collections[i], SymbolPolicy::dna, "ACGTN");
  }
}

TEST_CASE("pairs: Fibonacci words") {
  GSX_NEED_GPU();
  Random random(run_seed());
  check_text(random, {fibonacci_word(share_of(120, 40), 'A', 'T')}, SymbolPolicy::dna, "ACGTN");
}

TEST_CASE("pairs: one symbol") {
  GSX_NEED_GPU();
  Random random(run_seed());
  check_text(random, {std::string(share_of(70, 25), 'A'), std::string(share_of(60, 20), 'T')},
             SymbolPolicy::dna, "AT");
}

TEST_CASE("pairs: runs of N, many records") {
  GSX_NEED_GPU();
  Random random(run_seed());
  check_text(random, {random_string(random, 200, "ACGTNN")}, SymbolPolicy::dna, "ACGTN");
  std::vector<std::string> many;
  for (std::uint64_t i = 0; i < share_of(60, 12); ++i)
    many.push_back(random_string(random, below(random, 8), "ACGTN"));
  many.push_back("ACGTACGTTAGG");
  check_text(random, many, SymbolPolicy::dna, "ACGT");
}

TEST_CASE("pairs: all small lengths") {
  GSX_NEED_GPU();
  Random random(run_seed());
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t least = 1; least < 64; least += full_tests() ? 1 : 9)
    lengths.push_back(least);
  check_text(random, {mutated_copies(random, 60, 2, 30, "ACGT"), "ACGTNNACGT"}, SymbolPolicy::dna,
             "ACGTN", lengths);
}

TEST_CASE("pairs: protein") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  check_text(
      random,
      {mutated_copies(random, 50, 3, 20, letters), "M", "", random_string(random, 90, "LKA")},
      SymbolPolicy::protein, letters);
}

TEST_CASE("pairs: bytes") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string bytes = "abXY09.*";
  check_text(
      random,
      {mutated_copies(random, 60, 3, 20, bytes), random_string(random, 80, bytes.substr(0, 3))},
      SymbolPolicy::bytes, bytes);
}

TEST_CASE("pairs: a target that is shorter than a match") {
  GSX_NEED_GPU();
  for (const char* record : {"A", "NNNACGTA"}) {
    CAPTURE(record);
    const Text text = gsx::testing::make_text({record});
    const PackedCase queries({"ACGTACGTACGT"}, 6);
    const auto backend = make_cuda_backend(0);
    const auto searcher = backend->open<PairSearch>({.text = text.view(), .min_length = 6});
    searcher->take(queries.view());
    CHECK(pairs_of(*searcher, queries.pieces()).empty());
  }
}

TEST_CASE("pairs: long records, long pairs and repeats, with several threads") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, share_of(400'000, 30'000), "ACGT") +
                             mutated_copies(random, 171, share_of(100, 10), 60, "ACGT") +
                             std::string(200, 'A') + std::string(30, 'N');
  std::string complement = changed(random, genome, 150);
  reverse_complement(complement);
  const Text text = gsx::testing::make_text({genome, genome.substr(1000, 20'000)});
  for (const std::uint64_t least : {20, 50, 700}) {
    CAPTURE(least);
    const PairSetup setup{.text = text.view(), .min_length = least, .threads = 2};
    const PackedCase queries({"ACGT", genome, complement, "", changed(random, genome, 1000),
                              std::string(300, 'T'), genome.substr(500, 3000)},
                             least);
    CpuPairSearcher cpu(setup);
    cpu.take(queries.view());
    const auto expected = pairs_of(cpu, queries.pieces());
    CHECK(expected.size() > 5);
    const auto backend = make_cuda_backend(0);
    const auto gpu = backend->open<PairSearch>(setup);
    gpu->take(queries.view());
    std::atomic<int> wrong{0};
    run_threads(3, [&](int) {
      for (int round = 0; round < 2; ++round)
        wrong += pairs_of(*gpu, queries.pieces()) == expected ? 0 : 1;
    });
    CHECK(wrong == 0);
    CHECK_THROWS_AS(
        gpu->find(queries.pieces(),
                  [](std::span<const MatchPair>) { throw std::runtime_error("the disk is full"); }),
        std::runtime_error);
    CHECK(pairs_of(*gpu, queries.pieces()) == expected);
    CHECK(pairs_of(*gpu, {}).empty());
    gpu->take(PackedCase({"ACGT"}, 1).view());
    CHECK(pairs_of(*gpu, {}).empty());
  }
}

TEST_CASE("pairs: a repeat has far more of them than there is room for, and all are found") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::uint64_t copies = share_of(400, 60);
  std::string repeat;
  for (std::uint64_t i = 0; i < copies; ++i)
    repeat += "GATTACAGATTACCAGCATGCAATCGGATT" + random_string(random, 3, "ACGT");
  const Text text = gsx::testing::make_text({repeat});
  const PairSetup setup{.text = text.view(), .min_length = 25, .threads = 1};
  const PackedCase queries({repeat}, 25);
  CpuPairSearcher cpu(setup);
  cpu.take(queries.view());
  const auto expected = pairs_of(cpu, queries.pieces());
  CHECK(expected.size() > copies * copies / 2);
  cuda::DeviceLink link(0, unlimited);
  const cuda::CurrentDevice current = link.make_current();
  for (const std::uint32_t room : {std::uint32_t{40}, std::uint32_t{3000}}) {
    cuda::CudaPairOptions options;
    options.pairs_at_once = room;
    options.copied_pairs = 1000;
    const auto gpu = cuda::make_pair_searcher(setup, link.pool(), link.transfer(1), options);
    gpu->take(queries.view());
    CHECK(pairs_of(*gpu, queries.pieces()) == expected);
  }
}

TEST_CASE("pairs: with little memory, work is split; without, the CPU finds them") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, 100'000, "ACGT");
  const Text text = gsx::testing::make_text({genome});
  const PairSetup setup{.text = text.view(), .min_length = 20, .threads = 2};
  const PackedCase queries({changed(random, genome, 60), genome.substr(5000, 500)}, 20);
  CpuPairSearcher cpu(setup);
  cpu.take(queries.view());
  const auto expected = pairs_of(cpu, queries.pieces());
  int worked = 0, refused = 0;
  for (const std::uint64_t kilobytes : {10u, 60u, 300u, 900u, 2000u, 5000u, 60'000u}) {
    CAPTURE(kilobytes);
    try {
      const auto gpu = make_cuda_backend(0, kilobytes << 10);
      const auto searcher = gpu->open<PairSearch>(setup);
      searcher->take(queries.view());
      const auto found = pairs_of(*searcher, queries.pieces());
      ++worked;  // a CHECK around it would take what it throws for a failure
      CHECK(found == expected);
    } catch (const ResourceError&) {
      ++refused;
    }
    const auto either =
        make_fallback_backend(make_cuda_backend(0, kilobytes << 10), make_cpu_backend());
    const auto searcher = either->open<PairSearch>(setup);
    searcher->take(queries.view());
    CHECK(pairs_of(*searcher, queries.pieces()) == expected);
  }
  CHECK(worked >= 2);
  CHECK(refused >= 1);
}

TEST_CASE("pairs: gsx mem --pairs writes the same on the CPU and on the GPU") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string genome = random_string(random, share_of(200'000, 20'000), "ACGT") +
                             mutated_copies(random, 300, share_of(40, 5), 50, "ACGT");
  TemporaryFolder folder;
  folder.write("t.fa", ">a\n" + genome + "\n>b\n" + genome.substr(300, 5000) + "\n");
  std::string turned = genome.substr(500, 12'000);
  reverse_complement(turned);
  std::string queries = ">long\n" + changed(random, genome, 80) + "\n>turned\n" +
                        changed(random, turned, 80) + "\n>none\nNNN\n>empty\n";
  for (std::uint64_t i = 0; i < share_of(3000, 100); ++i)
    queries += "\n>q" + std::to_string(i) + "\n" + genome.substr(below(random, 19'000), 150);
  folder.write("q.fa", queries + "\n");
  const auto pairs = [&](const char* device, const Arguments& more) {
    Arguments arguments{"mem", "--pairs", "--device", device, "t.fa", "q.fa"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output_of(::gsx::testing::run(arguments, {.folder = folder.path()}));
  };
  for (const Arguments& more :
       {Arguments{"-L", "20"}, Arguments{"-L", "50", "--paf"}, Arguments{"-L", "20", "--mum"},
        Arguments{"-L", "20", "--mum-ref", "--mummer"},
        Arguments{"-L", "20", "--mum", "--unique-both-strands", "--strand", "rev"}}) {
    CAPTURE(more.back());
    const std::string expected = pairs("cpu", more);
    CHECK(expected.size() > 100);
    CHECK(pairs("cuda", more) == expected);
  }
}

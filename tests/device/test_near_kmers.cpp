// K-mers with mismatches that the GPU counts are those of looking at every two windows.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/mappability/build.hpp"
#include "base/error.hpp"
#include "device/registry.hpp"
#include "support/gpu.hpp"
#include "support/naive_near_kmers.hpp"
#include "support/strands.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using SearchedText = gsx::testing::TextStrands;

std::vector<std::uint64_t> numbers_of(const FrequencyCodes& codes) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t p = 0; p < codes.size(); ++p)
    numbers.push_back(codes[p]);
  return numbers;
}

BuildOptions options_of(PositionWidth width) {
  BuildOptions options;
  options.threads = 2;
  options.width = width;
  return options;
}

/// What the GPU alone adds to exact frequencies; "counted" or not is checked.
std::vector<std::uint64_t> counted_on_gpu(const BothStrandsView& text, std::uint64_t k,
                                          const KmerMatching& matching, PositionWidth width) {
  const auto gpu = make_cuda_backend(0);
  const BuildOptions options = options_of(width);
  const NearKmers near{k, matching.mismatches, matching.cap};
  const std::vector<std::uint64_t> lengths = {k};
  CHECK(gpu->plan_measure<NearKmerMeasure>(text, {near}, options).has_value());
  const auto exact = count_kmers(*make_cpu_backend(), text, lengths, {}, options);
  const auto numbers = exact[0]->capped(matching.cap, 2);
  const auto all =
      gpu->measure<NearKmerMeasure>(text, {near, {numbers.data(), numbers.size()}}, options);
  REQUIRE(all.has_value());
  return {all->data(), all->data() + all->size()};
}

/// Compares GPU, with positions of both widths, and the whole way with looking at all windows.
void check(const SearchedText& strands, const std::vector<std::uint64_t>& lengths,
           const KmerMatching& matching) {
  CAPTURE(matching.mismatches);
  CAPTURE(matching.cap);
  const auto gpu = make_cuda_backend(0);
  const auto whole =
      count_kmers(*gpu, strands.view, lengths, matching, options_of(PositionWidth::automatic));
  REQUIRE(whole.size() == lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    CAPTURE(lengths[i]);
    const auto expected = naive_near_kmers(strands.view, lengths[i], matching);
    REQUIRE(numbers_of(*whole[i]) == expected);
    for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide})
      REQUIRE(counted_on_gpu(strands.view, lengths[i], matching, width) == expected);
  }
}

/// The shortest k that the GPU counts, and longer ones.
std::vector<std::uint64_t> lengths_for(int mismatches) {
  const auto parts = static_cast<std::uint64_t>(mismatches) + 1;
  return {6 * parts, 6 * parts + 1, 8 * parts, 60};
}

std::string turned(std::string bases) {
  std::reverse(bases.begin(), bases.end());
  for (char& c : bases)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return bases;
}

/// One and two mismatches, on both strands and one; by turns where tests are short.
void check_both_strands(const std::vector<std::string>& sequences) {
  CAPTURE(sequences.front());
  std::vector<std::uint64_t> lengths = {18, 20, 36, 80};
  if (!full_tests()) lengths = {20};
  for (const bool both : {true, false}) {
    for (const int mismatches : {1, 2}) {
      if (full_tests() || both == (mismatches == 1))
        check({sequences, both}, lengths, {mismatches, both ? 20u : 65'535u});
    }
  }
}

/// Near copies of one unit on both strands, and what stands between.
std::vector<std::string> near_copies(Random& random, std::uint64_t unit_length, int copies) {
  const std::string unit = random_string(random, unit_length, "ACGT");
  std::vector<std::string> all(3);
  for (int copy = 0; copy < copies; ++copy) {
    std::string changed = unit;
    for (int i = 0; i < copy % 7; ++i)
      changed[below(random, changed.size())] = "ACGTN"[below(random, copy % 5 == 4 ? 5 : 4)];
    if (copy % 3 == 2) changed = turned(changed);
    all[below(random, all.size())] += changed + random_string(random, below(random, 9), "ACGT");
  }
  return all;
}

}  // namespace

TEST_CASE("k-mers with mismatches on the GPU: near copies, on both strands and one") {
  GSX_NEED_GPU();
  Random random(91);
  for (const int mismatches : {1, 2, 3, 4}) {
    for (const std::uint64_t cap : {255, 3, 65'535}) {
      if (!full_tests() && (cap + static_cast<std::uint64_t>(mismatches)) % 2 == 0) continue;
      for (const bool both : {true, false})
        check({near_copies(random, 90, 12), both}, lengths_for(mismatches), {mismatches, cap});
    }
  }
}

TEST_CASE("k-mers with mismatches on the GPU: adversarial collections") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(92);
  std::uint64_t number = 0;
  for (const auto& sequences : collections) {
    if (++number % std::min<std::uint64_t>(test_share(), 4) != 0) continue;
    std::vector<std::string> shorter = sequences;
    for (std::string& sequence : shorter)
      sequence.resize(std::min<std::size_t>(sequence.size(), 600));
    const int mismatches = 1 + static_cast<int>(number % 4);
    CAPTURE(number);
    check({shorter, number % 3 != 0}, lengths_for(mismatches), {mismatches, 255});
  }
}

TEST_CASE("k-mers with mismatches on the GPU: runs and periods") {
  GSX_NEED_GPU();
  std::string at, acg;
  for (int i = 0; i < 60; ++i) {
    at += "AT";
    acg += "ACG";
  }
  check_both_strands({std::string(300, 'A')});
  check_both_strands({std::string(80, 'A') + "C" + std::string(80, 'A'), std::string(70, 'T')});
  check_both_strands({at, acg, "ACGT"});
}

TEST_CASE("k-mers with mismatches on the GPU: palindromes, and beside N") {
  GSX_NEED_GPU();
  Random random(93);
  const std::string half = random_string(random, 60, "ACGT");
  check_both_strands(
      {half + turned(half), half + "A" + turned(half), half.substr(1) + turned(half)});
  check_both_strands({half + "N" + half.substr(0, 40) + "NN" + half.substr(15), "", "N", "A"});
  check_both_strands({random_string(random, 300, "AT")});
}

TEST_CASE("k-mers with mismatches on the GPU: a place matched on both strands counts once") {
  GSX_NEED_GPU();
  Random random(99);
  for (const int mismatches : {1, 2, 3, 4}) {
    const std::uint64_t half = 3 * (static_cast<std::uint64_t>(mismatches) + 1);
    for (const std::uint64_t cap : {255, 4}) {
      if (!full_tests() && (cap + static_cast<std::uint64_t>(mismatches)) % 2 == 0) continue;
      check({near_palindromes(random, half, 9), true}, {2 * half, 2 * half + 1}, {mismatches, cap});
      check({near_palindromes(random, 35, 4), true}, {69, 70}, {mismatches, cap});
    }
  }
}

TEST_CASE("k-mers with mismatches on the GPU: repeats longer than what neighbours are compared") {
  GSX_NEED_GPU();
  Random random(94);
  const std::string unit = random_string(random, 1300, "ACGT");
  std::string other = unit;
  other[1200] = other[1200] == 'A' ? 'C' : 'A';
  const SearchedText strands({unit + "ACCA" + other, other.substr(30)}, false);
  check(strands, {50}, {1, 255});
}

TEST_CASE("k-mers with mismatches on the GPU: large groups, whose windows reach the cap early") {
  GSX_NEED_GPU();
  Random random(95);
  const std::string unit = random_string(random, 30, "ACGT");
  std::vector<std::string> copies;
  const std::uint64_t count = share_of(3000, 1300);
  for (std::uint64_t copy = 0; copy < count; ++copy) {
    std::string changed = random_string(random, 2, "ACGT") + unit;
    changed[2 + below(random, 30)] = "ACGT"[below(random, 4)];
    copies.push_back(copy % 2 == 0 ? changed : turned(changed));
  }
  const SearchedText strands(copies, true);
  for (const std::uint64_t cap : {100, 65'535}) {
    const KmerMatching matching{2, cap};
    const std::uint64_t step = 199;
    const auto expected = naive_near_kmers(strands.view, 24, matching, step);
    const auto found = counted_on_gpu(strands.view, 24, matching, PositionWidth::automatic);
    for (std::uint64_t p = 0; p < found.size(); p += step) {
      CAPTURE(p);
      REQUIRE(found[p] == expected[p]);
    }
  }
}

TEST_CASE("k-mers with mismatches on the GPU: palindromes reach the cap") {
  GSX_NEED_GPU();
  Random random(98);
  const std::string half = random_string(random, 12, "ACGT");
  const std::uint64_t count = share_of(3000, 1300), apart = 100;
  // A record is one window: no other one keeps it open.
  std::vector<std::string> copies(count, half + turned(half));
  for (std::uint64_t copy = 0; copy < count; ++copy) {
    if (copy % apart != 0) copies[copy][below(random, 24)] = "ACGT"[below(random, 4)];
  }
  const SearchedText strands(copies, true);
  const KmerMatching matching{2, count - 50};
  const std::uint64_t step = 25 * apart;
  const auto expected = naive_near_kmers(strands.view, 24, matching, step);
  const auto found = counted_on_gpu(strands.view, 24, matching, PositionWidth::automatic);
  CHECK(expected[0] == matching.cap);
  for (std::uint64_t p = 0; p < found.size(); p += step) {
    CAPTURE(p);
    REQUIRE(found[p] == expected[p]);
  }
}

TEST_CASE("k-mers with mismatches on the GPU: frequencies of 16 bits, and above the cap") {
  GSX_NEED_GPU();
  const std::uint64_t run = share_of(70'000, 40'000);
  // Every window holds at most one C.
  const SearchedText strands({std::string(run, 'A') + "C" + std::string(30, 'A')}, false);
  const std::vector<std::uint64_t> lengths = {20};
  const BuildOptions options = options_of(PositionWidth::automatic);
  const std::uint64_t all = run + 31 - 19;
  for (const std::uint64_t cap : {65'535, 255}) {
    const auto gpu = make_cuda_backend(0);
    const auto found = count_kmers(*gpu, strands.view, lengths, {1, cap}, options);
    CHECK((*found[0])[0] == std::min(all, cap));
    CHECK((*found[0])[run - 10] == std::min(all - 19, cap));
  }
}

TEST_CASE("k-mers with mismatches on the GPU: what it does not count is left to the CPU") {
  GSX_NEED_GPU();
  Random random(96);
  const auto gpu = make_cuda_backend(0);
  const BuildOptions options = options_of(PositionWidth::automatic);
  const SearchedText dna(near_copies(random, 60, 8), true);
  const SearchedText protein({random_string(random, 200, "ACDEFGHIKLMNPQRSTVWY")}, false,
                             SymbolPolicy::protein);
  const auto left = [&](const SearchedText& strands, std::uint64_t k,
                        const KmerMatching& matching) {
    const std::vector<std::uint64_t> lengths = {k};
    CAPTURE(k);
    CHECK_FALSE(plan_kmers(*gpu, strands.view, lengths, matching, options));
    const auto found = count_kmers(*gpu, strands.view, lengths, matching, options);
    CHECK(numbers_of(*found[0]) == naive_near_kmers(strands.view, k, matching));
  };
  left(dna, 11, {1, 255});
  left(dna, 20, {1, 65'536});
  left(dna, 20, {1, ~std::uint64_t{0}});
  left(protein, 12, {1, 255});
  CHECK(plan_kmers(*gpu, dna.view, std::vector<std::uint64_t>{20, 30}, {1, 255}, options));
}

TEST_CASE("k-mers with mismatches on the GPU: where its memory is short, the CPU counts") {
  GSX_NEED_GPU();
  Random random(97);
  const Text text = make_text({mutated_copies(random, 3000, 20, 400, "ACGT")});
  const BothStrandsView view{text.view(), text.length()};
  const std::vector<std::uint64_t> lengths = {40};
  const KmerMatching matching{1, 255};
  const BuildOptions options = options_of(PositionWidth::automatic);
  const auto expected =
      numbers_of(*count_kmers(*make_cpu_backend(), view, lengths, matching, options)[0]);
  int on_gpu = 0, on_cpu = 0;
  for (std::uint64_t limit = 51'000'000; limit < 56'000'000; limit += 500'000) {
    CAPTURE(limit);
    const auto gpu = make_cuda_backend(0, limit);
    std::vector<std::unique_ptr<FrequencyCodes>> found;
    bool planned = false;
    try {
      planned = plan_kmers(*gpu, view, lengths, matching, options).has_value();
      found = count_kmers(*gpu, view, lengths, matching, options);
    } catch (const ResourceError&) {
      continue;  // not even the suffix array has room
    }
    (planned ? on_gpu : on_cpu) += 1;
    REQUIRE(numbers_of(*found[0]) == expected);
  }
  CHECK(on_gpu > 0);
  CHECK(on_cpu > 0);
}

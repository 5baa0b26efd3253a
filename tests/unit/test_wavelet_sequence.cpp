// Wavelet sequences: access, rank and select of integers of any alphabet, in both shapes, one by
// one and many at once, against a walk through the array.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "arrays/wavelet/huffman_tree.hpp"
#include "arrays/wavelet/wavelet_queries.hpp"
#include "gsx/arrays.hpp"
#include "gsx/error.hpp"
#include "support/wavelet_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

void check_many(const WaveletSequence& sequence, const WaveletQuestions& asked, int threads,
                CpuPath path) {
  const WaveletSequenceView view = sequence.view();
  std::vector<std::uint64_t> every(sequence.size()), values(sequence.size());
  for (std::uint64_t i = 0; i < every.size(); ++i)
    every[i] = i;
  access_many(view, every, values, threads, path);
  CHECK(values == asked.at);
  std::vector<std::uint64_t> answers(asked.values.size());
  rank_many(view, asked.values, asked.positions, answers, threads, path);
  CHECK(answers == asked.rank);
  select_many(view, asked.values, asked.numbers, answers, threads, path);
  CHECK(answers == asked.select);
}

template <class Value>
void check(const std::vector<Value>& array, int threads = 2) {
  const WaveletQuestions asked = questions_of(array);
  for (const WaveletShape shape : wavelet_shapes) {
    CAPTURE(array.size());
    CAPTURE(static_cast<int>(shape));
    const WaveletSequence sequence(std::span<const Value>(array), shape, threads);
    REQUIRE(sequence.size() == array.size());
    const WaveletSequenceView view = sequence.view();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < array.size(); ++i)
      wrong += view.access(i) != array[i];
    for (std::size_t k = 0; k < asked.values.size(); ++k) {
      wrong += view.rank(asked.values[k], asked.positions[k]) != asked.rank[k];
      wrong += view.select(asked.values[k], asked.numbers[k]) != asked.select[k];
    }
    CHECK(wrong == 0);
    check_many(sequence, asked, threads, CpuPath::baseline);
    check_many(sequence, asked, 1, best_cpu_path());
  }
}

}  // namespace

TEST_CASE("wavelet sequences: alphabets of every number of digits, even and skewed") {
  Random random(21);
  for (const std::uint64_t sigma : {1, 2, 3, 4, 5, 16, 17, 25, 64, 65, 255, 256, 257, 1000, 5000}) {
    CAPTURE(sigma);
    for (const bool skewed : {false, true}) {
      check(skewed_numbers<std::uint16_t>(random, 3000, sigma, skewed));
      check(skewed_numbers<std::uint64_t>(random, 300, sigma, skewed), 1);
    }
    if (sigma <= 256) check(skewed_numbers<std::uint8_t>(random, 2000, sigma, true), 3);
  }
  check(skewed_numbers<std::uint32_t>(random, 60'000, 65'536, false));
  check(skewed_numbers<std::uint32_t>(random, 60'000, 65'536, true));
}

TEST_CASE("wavelet sequences: sizes around every border of a block") {
  Random random(22);
  for (const std::uint64_t around :
       {std::uint64_t{1}, std::uint64_t{32}, std::uint64_t{QuadBlock::digits},
        std::uint64_t{QuadSuperblock::digits}}) {
    for (std::uint64_t size = around - 1; size <= around + 1; ++size)
      check(skewed_numbers<std::uint16_t>(random, size, 40, true));
  }
}

TEST_CASE("wavelet sequences: values that are far apart") {
  Random random(23);
  std::vector<std::uint64_t> wide(2000), few(2000);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    wide[i] = i % 3 == 0 ? random() : wide[i / 2];
    few[i] = (std::uint64_t{1} << below(random, 64)) - 1;
  }
  wide[7] = 0;
  check(wide);
  check(few, 3);
  const std::vector<std::uint32_t> ends = {0xFFFFFFFF, 0, 0xFFFFFFFF, 0xFFFFFFFE};
  check(ends);
}

TEST_CASE("wavelet sequences: nothing, one value, and equal values") {
  const WaveletSequence none;
  CHECK(none.size() == 0);
  CHECK(none.view().rank(3, 0) == 0);
  CHECK(none.view().select(3, 0) == WaveletSequenceView::not_found);
  check(std::vector<std::uint8_t>{});
  check(std::vector<std::uint8_t>{7});
  check(std::vector<std::uint32_t>(1000, 1'000'000'000));
}

TEST_CASE("wavelet sequences: Huffman codes take no more digits than codes of one length") {
  Random random(24);
  const auto array = skewed_numbers<std::uint16_t>(random, 20'000, 300, true);
  const WaveletSequence balanced{std::span<const std::uint16_t>(array)};
  const WaveletSequence huffman(std::span<const std::uint16_t>(array), WaveletShape::huffman);
  std::map<std::uint16_t, double> counts;
  for (const auto value : array)
    ++counts[value];
  double entropy = 0;  // in base 4
  for (const auto& [value, count] : counts)
    entropy -= count * std::log2(count / static_cast<double>(array.size())) / 2;
  CHECK(balanced.digits() == 5 * array.size());
  CHECK(static_cast<double>(huffman.digits()) >= entropy);
  CHECK(static_cast<double>(huffman.digits()) < entropy + static_cast<double>(array.size()));
  CHECK(huffman.bytes() < balanced.bytes());
}

TEST_CASE("wavelet sequences: no code is longer than sixteen digits, however rare its symbol") {
  // Counts of which Huffman's tree is a path: each is as large as all smaller ones together.
  std::vector<std::uint64_t> counts = {1, 1, 1, 1};
  std::uint64_t total = 4;
  while (counts.size() < 94) {
    for (int k = 0; k < 3; ++k)
      counts.push_back(total);
    total = std::min<std::uint64_t>(4 * total, std::uint64_t{1} << 56);
  }
  const WaveletTree tree = huffman_tree(counts);
  CHECK(tree.level_count == WaveletTree::max_levels);
  std::vector<std::uint32_t> starts;
  for (const WaveletCode& code : tree.codes) {
    REQUIRE(code.length >= 1);
    REQUIRE(code.length <= tree.level_count);
    starts.push_back(code.digits);
  }
  for (std::size_t a = 0; a < tree.codes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::uint32_t shorter = std::min(tree.codes[a].length, tree.codes[b].length);
      const int tail = static_cast<int>(32 - 2 * shorter);
      REQUIRE((starts[a] >> tail) != (starts[b] >> tail));
    }
  }
  std::vector<std::uint8_t> array;
  for (std::size_t s = 0; s < 20; ++s)
    array.insert(array.end(), static_cast<std::size_t>(std::min<std::uint64_t>(counts[s], 2000)),
                 static_cast<std::uint8_t>(s));
  check(array);
}

TEST_CASE("wavelet sequences: wrong questions are refused") {
  const std::vector<std::uint16_t> array = {3, 1, 4, 1, 5};
  const WaveletSequence sequence{std::span<const std::uint16_t>(array)};
  std::vector<std::uint64_t> one = {0}, two = {0, 1}, answer(1);
  CHECK_THROWS_AS(arrays::access(sequence, two, answer), UsageError);
  CHECK_THROWS_AS(arrays::rank(sequence, two, one, answer), UsageError);
  CHECK_THROWS_AS(arrays::select(sequence, one, two, answer), UsageError);
  const std::vector<std::uint64_t> end = {5}, beyond = {6}, value = {1};
  CHECK_THROWS_AS(arrays::access(sequence, end, answer), UsageError);
  CHECK_THROWS_AS(arrays::rank(sequence, value, beyond, answer), UsageError);
  arrays::rank(sequence, value, end, answer);
  CHECK(answer[0] == 2);
  arrays::select(sequence, value, value, answer);
  CHECK(answer[0] == 3);
  arrays::access(sequence, {}, {});
}

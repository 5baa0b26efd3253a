// Wavelet sequences on the device are those of the CPU, and answer as a walk through the array
// does, queries in device memory and in host memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device_calls/wavelet_calls.hpp"
#include "gsx/error.hpp"
#include "support/gpu.hpp"
#include "support/wavelet_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const DeviceCall calls[] = {{}, {false, false}, {true, true}, {false, true}};

const DeviceCall& some_call() {
  static std::size_t which = 0;
  return calls[which++ % std::size(calls)];
}

/// Queries, and their answers by a walk through the array.
template <class Value>
std::pair<SequenceQueries, SequenceAnswers> queries_of(const std::vector<Value>& array) {
  const WaveletQuestions asked = questions_of(array);
  SequenceQueries queries{{}, asked.values, asked.positions, asked.numbers};
  for (std::uint64_t i = 0; i < array.size(); ++i)
    queries.at.push_back(i);
  return {queries, {asked.at, asked.rank, asked.select}};
}

bool fits_32_bits(const WaveletSequence& sequence, const SequenceQueries& queries) {
  for (const std::uint64_t value : queries.values)
    if (value >> 32 != 0) return false;
  return sequence.values().empty() || sequence.values().back() >> 32 == 0;
}

template <class Value>
void check_sequence(const std::vector<Value>& array) {
  auto [queries, expected] = queries_of(array);
  for (const WaveletShape shape : wavelet_shapes) {
    CAPTURE(array.size());
    CAPTURE(static_cast<int>(shape));
    const WaveletSequence sequence(std::span<const Value>(array), shape, 2);
    const SequenceOnDevice built(array, shape, some_call());
    CHECK(built.difference(sequence) == "");
    CHECK(built.answers<std::uint64_t>(queries) == expected);
    const SequenceOnDevice on_device(sequence, some_call());
    CHECK(on_device.difference(sequence) == "");
    CHECK(on_device.bytes() == built.bytes());
    CHECK(on_device.answers<std::uint64_t>(queries) == expected);
    CHECK(on_device.answers_of_kernel(queries) == expected);
    CHECK(on_device.answers_through(queries, 2) == expected);
    if (fits_32_bits(sequence, queries))
      CHECK(on_device.answers<std::uint32_t>(queries) == expected);
  }
}

/// Without the question that no 32 bits hold.
template <class Value>
void check_narrow(const std::vector<Value>& array) {
  auto [queries, expected] = queries_of(array);
  queries.values.pop_back();
  queries.positions.pop_back();
  queries.numbers.pop_back();
  expected.rank.pop_back();
  expected.select.pop_back();
  const WaveletSequence sequence{std::span<const Value>(array)};
  REQUIRE(fits_32_bits(sequence, queries));
  const SequenceOnDevice on_device(sequence, some_call());
  CHECK(on_device.answers<std::uint32_t>(queries) == expected);
}

/// Builds the sequence through the device, in as little memory as `limit` says.
template <class Value>
void check_passed(const std::vector<Value>& array, std::uint64_t limit, int threads) {
  for (const WaveletShape shape : wavelet_shapes) {
    CAPTURE(array.size());
    CAPTURE(static_cast<int>(shape));
    const WaveletSequence expected(std::span<const Value>(array), shape, 2);
    const WaveletSequence passed = passed_sequence(array, shape, {true, false, limit}, threads);
    CHECK(std::ranges::equal(passed.values(), expected.values()));
    CHECK(SequenceOnDevice(passed, {}).difference(expected) == "");
  }
}

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.kind())) + ' ' + error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("device wavelet sequences: alphabets of every number of digits, even and skewed") {
  GSX_NEED_GPU();
  Random random(71);
  for (const std::uint64_t sigma : {1, 2, 4, 5, 16, 17, 25, 64, 65, 255, 256, 257, 5000}) {
    CAPTURE(sigma);
    for (const bool skewed : {false, true}) {
      const auto array = skewed_numbers<std::uint16_t>(random, share_of(3000, 300), sigma, skewed);
      check_sequence(array);
      check_narrow(array);
    }
  }
  const auto many = skewed_numbers<std::uint32_t>(random, share_of(60'000, 3000), 65'536, true);
  check_sequence(many);
}

TEST_CASE("device wavelet sequences: sizes around every border of a block") {
  GSX_NEED_GPU();
  Random random(72);
  for (const std::uint64_t around : {std::uint64_t{1}, std::uint64_t{QuadBlock::digits},
                                     std::uint64_t{QuadSuperblock::digits}}) {
    for (std::uint64_t size = around - 1; size <= around + 1; ++size)
      check_sequence(skewed_numbers<std::uint16_t>(random, size, 40, true));
  }
}

TEST_CASE("device wavelet sequences: values that are far apart, nothing, and equal values") {
  GSX_NEED_GPU();
  Random random(73);
  std::vector<std::uint64_t> wide(1000);
  for (std::size_t i = 0; i < wide.size(); ++i)
    wide[i] = i % 3 == 0 ? random() : wide[i / 2];
  check_sequence(wide);
  check_sequence(std::vector<std::uint8_t>{});
  check_sequence(std::vector<std::uint8_t>{7});
  check_sequence(std::vector<std::uint32_t>(1000, 4'000'000'000));
  check_sequence(std::vector<std::uint32_t>{0xFFFFFFFF, 0, 0xFFFFFFFF, 0xFFFFFFFE});
  check_sequence(std::vector<std::uint64_t>{~std::uint64_t{0}, 5, ~std::uint64_t{0}});
}

TEST_CASE("device wavelet sequences: built in pieces, whatever the device's memory") {
  GSX_NEED_GPU();
  Random random(75);
  constexpr std::uint64_t unit = QuadSuperblock::digits, little = 300'000, roomy = 4'000'000;
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, unit - 1, unit, unit + 1, 4 * unit, 5 * unit + 77}) {
    check_passed(skewed_numbers<std::uint16_t>(random, size, 40, true), little, 3);
    check_passed(skewed_numbers<std::uint8_t>(random, size, 250, false), roomy, 2);
  }
  const auto many = skewed_numbers<std::uint32_t>(random, share_of(400'000, 100'000), 65'536, true);
  check_passed(many, little, 1);
  check_passed(many, roomy, 3);
  // Codes of 32 bits: more than eight digits.
  std::vector<std::uint64_t> wide(share_of(200'000, 60'000));
  for (std::uint64_t i = 0; i < wide.size(); ++i)
    wide[i] = i * 0x9E3779B97F4A7C15u >> (i % 2 == 0 ? 0 : 62);
  const WaveletSequence expected{std::span<const std::uint64_t>(wide)};
  check_passed(wide, roomy, 2);
  if (full_tests()) CHECK(expected.view().level_count > 8);
  CHECK_THROWS_AS(passed_sequence(many, WaveletShape::balanced, {true, false, 50'000}, 3),
                  ResourceError);
}

TEST_CASE("device wavelet sequences: queries of host memory in pieces, in little device memory") {
  GSX_NEED_GPU();
  Random random(74);
  const auto array = skewed_numbers<std::uint16_t>(random, 5000, 300, true);
  auto [queries, expected] = queries_of(array);
  const WaveletSequence sequence{std::span<const std::uint16_t>(array)};
  const std::uint64_t bytes = SequenceOnDevice(sequence, {}).bytes();
  // Room for the sequence, and for a few pieces of queries.
  const SequenceOnDevice tight(sequence, {true, false, bytes + 40'000});
  CHECK(tight.answers_through(queries, 3) == expected);
  CHECK(tight.answers_through(queries, 1) == expected);
  // Several pieces of pinned memory.
  const SequenceOnDevice roomy(sequence, {});
  SequenceQueries long_queries;
  SequenceAnswers long_answers;
  while (long_queries.values.size() < 600'000) {
    const auto add = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    add(long_queries.at, queries.at);
    add(long_queries.values, queries.values);
    add(long_queries.positions, queries.positions);
    add(long_queries.numbers, queries.numbers);
    add(long_answers.at, expected.at);
    add(long_answers.rank, expected.rank);
    add(long_answers.select, expected.select);
  }
  CHECK(roomy.answers_through(long_queries, 3) == long_answers);
}

TEST_CASE("device wavelet sequences: wrong questions are refused") {
  GSX_NEED_GPU();
  const std::vector<std::uint64_t> array = {3, 1, 4, 1, 5, std::uint64_t{1} << 32};
  const WaveletSequence sequence{std::span<const std::uint64_t>(array)};
  const SequenceOnDevice on_device(sequence, {});
  CHECK(error_of([&] {
          on_device.answers_through({{6}, {}, {}, {}}, 1);
        }) == "2 position 6 of query 0 is outside of the sequence");
  CHECK(error_of([&] {
          on_device.answers_through({{}, {1, 1}, {6, 7}, {}}, 1);
        }) == "2 position 7 of query 1 is outside of the sequence");
  CHECK(error_of([&] {
          on_device.answers_through({{}, {1}, {1, 2}, {}}, 1);
        }).substr(0, 10) == "2 the span");
  CHECK(error_of([&] {
          on_device.answers_through({{}, {1}, {1}, {}}, 1);
        }).substr(0, 10) == "2 the span");
  CHECK(error_of([&] {
          on_device.answers<std::uint32_t>({{0}, {}, {}, {}});
        }) == "2 numbers of 32 bits cannot hold the values of this sequence; use 64");
  CHECK(error_of([&] {
          SequenceOnDevice(array, WaveletShape::balanced, {})
              .answers<std::uint32_t>({{0}, {}, {}, {}});
        }) == "2 numbers of 32 bits cannot hold the values of this sequence; use 64");
  CHECK_THROWS_AS(SequenceOnDevice(sequence, {true, false, 100}), ResourceError);
  for (const std::uint64_t limit : {100, 600'000, 700'000}) {
    CHECK_THROWS_AS(SequenceOnDevice(std::vector<std::uint32_t>(100'000, 65'535),
                                     WaveletShape::huffman, {true, false, limit}),
                    ResourceError);
  }
}

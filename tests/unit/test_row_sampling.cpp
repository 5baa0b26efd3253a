// Which rows of the suffix array are sampled, and how far a walk goes to meet one.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "index/fm/row_sampling.hpp"
#include "index/sa/builder.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Walks {
  std::uint64_t longest = 0;
  double mean = 0;
};

/// Walks by LF steps from every position of a text to the first sampled row, or to the start of the
/// segment.
Walks walk_all(const TextView& text, const SuffixArray& rows, std::uint32_t rate) {
  const RowSampling sampling(rate);
  std::vector<char> kept(rows.size());
  for (std::uint64_t row = 0; row < rows.size(); ++row)
    kept[rows[row]] = sampling.keeps(row);
  Walks walks;
  std::uint64_t steps = 0, all = 0;
  for (std::uint64_t position = 0; position < rows.size(); ++position) {
    const bool ends = kept[position] != 0 || text.segments.starts_at(position);
    steps = ends ? 0 : steps + 1;
    walks.longest = std::max(walks.longest, steps);
    all += steps;
  }
  walks.mean = static_cast<double>(all) / static_cast<double>(rows.size());
  return walks;
}

/// The Christoffel word of `length` symbols, `ones` of them of one kind: as evenly spread as
/// possible.
std::string christoffel_word(std::uint64_t length, std::uint64_t ones) {
  std::string word(length, 'A');
  for (std::uint64_t i = 0; i < length; ++i) {
    if ((i + 1) * ones / length != i * ones / length) word[i] = 'C';
  }
  return word;
}

/// The convergent p / q of `number` with the largest p up to `most`.
std::pair<std::uint64_t, std::uint64_t> convergent(double number, std::uint64_t most) {
  std::uint64_t p = 1, q = 0, last_p = 0, last_q = 1;
  for (;;) {
    const auto part = static_cast<std::uint64_t>(number);
    const std::uint64_t next_p = part * p + last_p, next_q = part * q + last_q;
    if (next_p > most) return {p, q};
    last_p = std::exchange(p, next_p);
    last_q = std::exchange(q, next_q);
    if (number == static_cast<double>(part)) return {p, q};
    number = 1 / (number - static_cast<double>(part));
  }
}

const std::vector<std::uint32_t> rates = {2, 3, 4, 5, 8, 10, 16, 17, 20, 32, 64, 100, 128};

/// Random sampling would walk about rate * ln n at most; the rest is chance.
void check_walks(const std::string& what, const std::vector<std::string>& sequences) {
  CAPTURE(what);
  const Text text = make_text(sequences);
  const SuffixArray rows = build_suffix_array(text.view(), 2);
  for (const std::uint32_t rate : rates) {
    CAPTURE(rate);
    const Walks walks = walk_all(text.view(), rows, rate);
    const double chance = std::log(static_cast<double>(rows.size())) + 7;
    CHECK(static_cast<double>(walks.longest) < rate * chance);
    CHECK(walks.mean < rate * 1.25);
  }
}

}  // namespace

TEST_CASE("each block of rows has one sampled row, and counting agrees") {
  for (const std::uint32_t rate : {1u, 2u, 3u, 5u, 16u, 17u, 64u, 1000u, 1u << 20}) {
    const RowSampling sampling(rate);
    std::uint64_t kept = 0;
    const std::uint64_t rows = std::min<std::uint64_t>(std::uint64_t{rate} * 5 + 3, 200'000);
    for (std::uint64_t row = 0; row < rows; ++row) {
      REQUIRE(sampling.block(row) == row / rate);
      REQUIRE(sampling.count(row) == kept);
      if (!sampling.keeps(row)) continue;
      REQUIRE(sampling.row(row / rate) == row);
      ++kept;
    }
    CHECK(kept >= rows / rate);
    CHECK(kept <= divide_up(rows, rate));
  }
}

TEST_CASE("blocks are right up to the last row that an index may have") {
  Random random(5);
  for (const std::uint32_t rate : {1u, 3u, 7u, 16u, 65535u, 999983u, (1u << 20) - 1, 1u << 20}) {
    const RowSampling sampling(rate);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t block = below(random, RowSampling::most_rows / rate);
      REQUIRE(sampling.block(block * rate) == block);
      REQUIRE(sampling.block(block * rate + rate - 1) == block);
      REQUIRE(sampling.row(block) / rate == block);
    }
    CHECK(sampling.block(RowSampling::most_rows - 1) == (RowSampling::most_rows - 1) / rate);
  }
}

TEST_CASE("no kind of repeats makes walks long") {
  Random random(11);
  const std::string unit = random_string(random, 20'000, "ACGT");
  check_walks("random", {random_string(random, 300'000, "ACGT")});
  for (const int copies : {2, 3, 4, 8, 16, 17, 32}) {
    check_walks(std::to_string(copies) + " copies",
                std::vector<std::string>(static_cast<std::size_t>(copies), unit));
  }
  for (const std::uint64_t period : {1u, 2u, 7u, 16u, 1000u, 20'000u}) {
    std::string tandem;
    for (std::uint64_t i = 0; i < 200'000; ++i)
      tandem += unit[i % period];
    check_walks("period " + std::to_string(period), {tandem});
  }
  check_walks("Fibonacci", {fibonacci_word(300'000)});
  check_walks("Thue-Morse", {thue_morse_word(300'000)});
  check_walks("two Fibonacci words", {fibonacci_word(100'000), fibonacci_word(100'000)});
}

TEST_CASE("words that are as even as possible make no walk long, for any rate") {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  std::vector<double> slopes = {golden, golden * golden, std::sqrt(2.0), std::exp(1.0),
                                std::acos(-1.0)};
  for (const std::uint32_t rate : rates) {
    for (const double slope : {golden, std::sqrt(2.0)})
      slopes.push_back(rate * slope);
    slopes.push_back(rate + 1 / golden);
    slopes.push_back(rate - 1 / golden);
  }
  slopes.push_back(0x1p32 / 0x9E3779B1);
  slopes.push_back(16 * 0x1p32 / 0x9E3779B1);
  for (const double slope : slopes) {
    const auto [length, ones] = convergent(slope, 60'000);
    if (length < 1000 || ones == 0 || ones >= length) continue;
    check_walks("slope " + std::to_string(slope), {christoffel_word(length, ones)});
  }
}

// The suffix array builder and its checker against the order by definition and libdivsufsort.
#include <divsufsort.h>
#include <doctest/doctest.h>

#include <fstream>

#include "sa/builder.hpp"
#include "sa/checker.hpp"
#include "sa/naive.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::uint64_t> entries(const SuffixArray& rows) {
  std::vector<std::uint64_t> all(rows.size());
  for (std::uint64_t i = 0; i < all.size(); ++i)
    all[i] = rows[i];
  return all;
}

SuffixArray from_entries(const std::vector<std::uint64_t>& all) {
  Buffer<std::uint32_t> rows(all.size(), "test");
  for (std::size_t i = 0; i < all.size(); ++i)
    rows[i] = static_cast<std::uint32_t>(all[i]);
  return SuffixArray(std::move(rows));
}

void check_against_divsufsort(const std::string& symbols, SymbolPolicy policy) {
  const Text text = make_text({symbols}, policy);
  const SuffixArray rows = build_suffix_array(text.view(), 2);
  std::vector<saidx_t> expected(symbols.size());
  REQUIRE(divsufsort(reinterpret_cast<const sauchar_t*>(symbols.data()), expected.data(),
                     static_cast<saidx_t>(symbols.size())) == 0);
  REQUIRE(rows.size() == symbols.size() + 1);
  CHECK(rows[0] == symbols.size());
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    wrong += rows[i + 1] != static_cast<std::uint64_t>(expected[i]);
  }
  CHECK(wrong == 0);
  CHECK_FALSE(find_wrong_row(text.view(), rows, 2).has_value());
}

}  // namespace

TEST_CASE("builder equals the naive order on adversarial collections, narrow and wide") {
  for (const auto& sequences : adversarial_collections(1)) {
    const Text text = make_text(sequences);
    const auto expected = naive_suffix_array(text.view());
    for (const int threads : {1, 2, 3}) {
      for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
        const SuffixArray rows = build_suffix_array(text.view(), threads, width);
        REQUIRE(entries(rows) == expected);
        CHECK_FALSE(find_wrong_row(text.view(), rows, threads).has_value());
      }
    }
  }
}

TEST_CASE("builder equals the naive order on protein and bytes") {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    std::string symbols;
    const std::uint64_t sigma = 1 + below(random, round < 10 ? 26 : 200);
    for (std::uint64_t s = 0; s < sigma; ++s) {
      symbols += static_cast<char>(round < 10 ? 'A' + s : 33 + s);
    }
    const std::string unit = random_string(random, 1 + below(random, 60), symbols);
    std::vector<std::string> sequences = {random_string(random, 700, symbols), unit + unit + unit,
                                          unit, random_string(random, 3, symbols)};
    const Text text =
        make_text(sequences, round < 10 ? SymbolPolicy::protein : SymbolPolicy::bytes);
    REQUIRE(entries(build_suffix_array(text.view(), 2)) == naive_suffix_array(text.view()));
  }
}

TEST_CASE("one record gives libdivsufsort's array entry for entry") {
  Random random(11);
  const std::string dna = "ACGT";
  check_against_divsufsort(random_string(random, 300000, dna), SymbolPolicy::dna);
  check_against_divsufsort(mutated_copies(random, 20000, 12, 500, dna), SymbolPolicy::dna);
  check_against_divsufsort(std::string(200000, 'A'), SymbolPolicy::dna);
  check_against_divsufsort(std::string(200000, 'T'), SymbolPolicy::dna);
  check_against_divsufsort(fibonacci_word(200000), SymbolPolicy::dna);
  check_against_divsufsort(thue_morse_word(200000), SymbolPolicy::dna);
  const std::string half = random_string(random, 60000, dna);
  check_against_divsufsort(half + half, SymbolPolicy::dna);
  std::string period;
  for (int i = 0; i < 40000; ++i)
    period += "ACGTTGCAAC";
  check_against_divsufsort(period, SymbolPolicy::dna);
  check_against_divsufsort(random_string(random, 100000, "ACDEFGHIKLMNPQRSTVWY*"),
                           SymbolPolicy::protein);
  check_against_divsufsort(mutated_copies(random, 3000, 30, 300, "ACDEFGHIKLMNPQRSTVWY"),
                           SymbolPolicy::protein);
  std::string bytes;
  for (int c = 1; c < 256; ++c)
    bytes += static_cast<char>(c);
  check_against_divsufsort(random_string(random, 100000, bytes), SymbolPolicy::bytes);
}

TEST_CASE("a real genome gives libdivsufsort's array") {
  std::ifstream file(GSX_SOURCE_DIR "/data/lambda.fa");
  std::string line, genome;
  std::getline(file, line);
  REQUIRE(line.starts_with(">"));
  while (std::getline(file, line))
    genome += line;
  REQUIRE(genome.size() == 48502);
  check_against_divsufsort(genome, SymbolPolicy::dna);
}

TEST_CASE("checker finds every kind of damage") {
  Random random(3);
  const Text text = make_text({random_string(random, 300, "AC"), "ACGT", std::string(40, 'G')});
  const auto right = entries(build_suffix_array(text.view(), 2));
  CHECK_FALSE(find_wrong_row(text.view(), from_entries(right), 2).has_value());
  for (std::size_t i = 0; i + 1 < right.size(); ++i) {
    auto swapped = right;
    std::swap(swapped[i], swapped[i + 1]);
    CHECK(find_wrong_row(text.view(), from_entries(swapped), 2).has_value());
    auto repeated = right;
    repeated[i] = repeated[i + 1];
    CHECK(find_wrong_row(text.view(), from_entries(repeated), 2).has_value());
    auto outside = right;
    outside[i] = right.size();
    CHECK(find_wrong_row(text.view(), from_entries(outside), 1).has_value());
  }
}

// The suffix array builder and its checker, compared with the naive order and libdivsufsort.
#include <divsufsort.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "index/bwt/bwt.hpp"
#include "index/sa/builder.hpp"
#include "index/sa/checker.hpp"
#include "index/sa/ranks/rank_bit_vector.hpp"
#include "index/sa/ranks/syncmer_rule.hpp"
#include "support/naive_suffix_array.hpp"
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

/// Checks suffix array and BWT with any number of threads; for texts too long for the naive order.
void check_order(const std::vector<std::string>& sequences, SymbolPolicy policy,
                 const std::vector<int>& threads = {1, 2, 5, 16}) {
  const Text text = make_text(sequences, policy);
  std::vector<std::uint8_t> codes(text.length());
  for (const int t : threads) {
    const SaAndBwt order = build_sa_and_bwt(text.view(), t);
    REQUIRE(order.sa.size() == text.length());
    CHECK_FALSE(find_wrong_row(text.view(), order.sa, 2).has_value());
    Bwt(text.view(), order.sa).codes(0, codes.size(), codes.data());
    REQUIRE(order.bwt.size() == codes.size());
    CHECK(std::equal(codes.begin(), codes.end(), order.bwt.begin()));
  }
}

std::string repeated(const std::string& unit, std::uint64_t times) {
  std::string made;
  for (std::uint64_t i = 0; i < times; ++i)
    made += unit;
  return made;
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
    check_order(sequences, SymbolPolicy::dna);
  }
}

TEST_CASE("ranges that all threads share, and those just below that") {
  Random random(23);
  // Buckets of a first symbol, tied groups and samples on both sides of 2^17 rows.
  check_order({random_string(random, 800000, "ACGT")}, SymbolPolicy::dna);
  for (const std::uint64_t rows : {131071u, 131072u, 131073u, 400000u}) {
    check_order({repeated("AC", rows)}, SymbolPolicy::dna, {2, 7});
    check_order({std::string(rows, 'A')}, SymbolPolicy::dna, {2});
    check_order({std::string(rows, 'C') + "GT"}, SymbolPolicy::dna, {2});
  }
  check_order({fibonacci_word(500000, 'G', 'T')}, SymbolPolicy::dna, {1, 3});
  check_order({mutated_copies(random, 300, 2000, 5000, "ACGT")}, SymbolPolicy::dna, {1, 4});
  check_order({repeated(random_string(random, 50, "ACGT"), 12000)}, SymbolPolicy::dna, {4});
  check_order({repeated("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC", 10000)}, SymbolPolicy::dna);
  check_order({repeated("GTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", 10000)}, SymbolPolicy::dna);
}

TEST_CASE("repeats of all lengths, and B* suffixes far apart") {
  Random random(47);
  for (const std::string symbols : {"ACGT", "abcdefghijklmnopqrstuvwxyz"}) {
    const SymbolPolicy policy = symbols == "ACGT" ? SymbolPolicy::dna : SymbolPolicy::bytes;
    // So long that doubling gives up, and so short that it does not.
    for (const std::uint64_t length : {22000u, 300u, 90u}) {
      const std::string repeat = random_string(random, length, symbols);
      std::string text;
      while (text.size() < 60000) {
        text += text.size() < 44000 ? repeat : "";
        text += random_string(random, 2 * length, symbols);
      }
      check_order({text}, policy, {1, 3});
      check_order({text.substr(1000), text.substr(0, 10000), repeat}, policy, {2});
    }
    // Runs and slopes longer than the part of the text that is compared first.
    std::string slopes;
    for (int i = 0; i < 40; ++i) {
      for (const char symbol : symbols)
        slopes += std::string(40 + static_cast<std::size_t>(i % 2), symbol);
      slopes += std::string(1000, i % 4 < 3 ? 'A' : 'C') + (i % 3 == 0 ? "C" : "");
    }
    check_order({slopes + random_string(random, 20000, symbols), slopes, slopes.substr(777)},
                SymbolPolicy::bytes, {1, 3});
  }
}

TEST_CASE("tandem repeats, and what follows them") {
  Random random(53);
  for (const std::uint64_t period : {2u, 3u, 4u, 5u, 7u, 20u, 150u}) {
    const std::string unit = random_string(random, period - 2, "ACGT") + "AC";
    const std::string other = random_string(random, period, "ACGT");
    std::string mixed;
    while (mixed.size() < 30000) {  // as many ends as repeats, both higher and lower ones
      mixed += repeated(unit, 1 + below(random, 40));
      mixed += random_string(random, below(random, 3), "ACGT");
    }
    for (const SymbolPolicy policy : {SymbolPolicy::dna, SymbolPolicy::bytes}) {
      check_order({repeated(unit, 40000 / period)}, policy, {1, 3});
      check_order({repeated(unit, 20000 / period) + "A", repeated(unit, 20000 / period) + "T",
                   repeated(unit, 15000 / period), repeated(other, 15000 / period) + unit},
                  policy, {2});
      check_order({mixed, repeated(mixed.substr(0, 3000), 20)}, policy, {1, 2});
    }
  }
}

TEST_CASE("very many short records, some of them equal") {
  Random random(29);
  check_order(std::vector<std::string>(140000, "AC"), SymbolPolicy::dna, {1, 3});
  std::vector<std::string> reads(3000), tiny(60000);
  const std::string genome = random_string(random, 5000, "ACGT");
  for (std::string& read : reads)
    read = genome.substr(below(random, 4850), 150);
  for (std::string& record : tiny)
    record = random_string(random, 1 + below(random, 9), "AACT");
  check_order(reads, SymbolPolicy::dna);
  check_order(tiny, SymbolPolicy::dna, {1, 5});
}

TEST_CASE("alphabets of every width, with repeats longer than the sampling depth") {
  Random random(31);
  for (const std::uint64_t sigma : {1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 31u, 63u, 127u, 200u, 255u}) {
    std::string symbols;
    for (std::uint64_t s = 0; s < sigma; ++s)
      symbols += static_cast<char>(s < 61 ? s + 65 : s < 190 ? s + 66 : s - 189);
    std::erase_if(symbols, [](char c) { return c == '\n' || c == '\r' || c == '>'; });
    const std::string unit = random_string(random, 700, symbols);
    check_order({random_string(random, 20000, symbols) + unit, repeated(unit, 20),
                 repeated(symbols, 300), unit},
                SymbolPolicy::bytes, {1, 3});
  }
}

TEST_CASE("syncmers follow their rule, and are close enough together") {
  Random random(37);
  for (const SymbolPolicy policy : {SymbolPolicy::dna, SymbolPolicy::protein}) {
    const Text text = make_text({random_string(random, 9000, "ACGT"), std::string(500, 'A'),
                                 repeated("ACG", 900), "ACGT", random_string(random, 60, "AC")},
                                policy);
    const SyncmerRule rule(text.view());
    RankBitVector marks(text.length());
    std::vector<std::uint64_t> samples;
    rule.for_each(0, text.length(), [&](std::uint64_t p) {
      samples.push_back(p);
      marks.mark(p);
    });
    std::vector<std::uint64_t> expected;
    for (std::uint64_t p = 0, last = 0; p < text.length(); ++p) {
      if (p + rule.window + rule.mer > text.segments.view().separator_from(p)) continue;
      std::uint64_t least = 0;
      for (std::uint64_t i = 1; i <= rule.window; ++i) {
        if (rule.hash(p + i) < rule.hash(p + least)) least = i;
      }
      if (least == 0 || least == rule.window) {
        expected.push_back(p);
        last = p;
      } else if (!text.segments.view().starts_at(p) && last > 0 && last < p &&
                 text.segments.view().segment_at(last) == text.segments.view().segment_at(p)) {
        REQUIRE(p - last < rule.window);
      }
    }
    CHECK(samples == expected);
    REQUIRE(marks.count() == samples.size());
    for (std::uint64_t p = 0, before = 0; p < text.length(); ++p) {
      REQUIRE(marks.rank(p) == before);
      before += before < samples.size() && samples[before] == p;
    }
    std::vector<std::uint64_t> some;
    marks.for_each(100, 9001, [&](std::uint64_t p) { some.push_back(p); });
    CHECK(std::equal(some.begin(), some.end(),
                     std::lower_bound(samples.begin(), samples.end(), 100u)));
    CHECK(some.size() == marks.rank(9001) - marks.rank(100));
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

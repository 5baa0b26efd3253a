// The synthetic texts: of the requested length and symbols, and the same on any number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "bench/synthetic.hpp"

using namespace gsx;

TEST_CASE("a synthetic text depends on length and seed, not on threads") {
  for (const std::uint64_t length : {1000u, 20'000u, 3'000'000u}) {
    CAPTURE(length);
    const auto check = [&](const auto& make) {
      const std::string text = make(std::uint64_t{1}, 1);
      CHECK(text.size() == length);
      CHECK(make(std::uint64_t{1}, 3) == text);
      CHECK(make(std::uint64_t{2}, 3) != text);
    };
    check([&](std::uint64_t seed, int threads) { return synthetic_genome(length, seed, threads); });
    check([&](std::uint64_t seed, int threads) {
      return synthetic_random(length, "ACGT", seed, threads);
    });
    check([&](std::uint64_t seed, int threads) {
      return synthetic_copies(length, 700, seed, threads);
    });
    check([&](std::uint64_t seed, int threads) { return synthetic_prose(length, seed, threads); });
  }
}

TEST_CASE("a haplotype has the SNPs asked for, drawn by seed and number") {
  const std::string original = synthetic_random(1'000'000, "ACGT", 1, 2);
  const auto differences = [&](const std::string& other) {
    REQUIRE(other.size() == original.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < other.size(); ++i)
      count += other[i] != original[i] ? 1 : 0;
    return count;
  };
  const VariantRates rates = {.snps = 1e-3};
  const std::string first = haplotype(original, rates, 1, 1);
  CHECK(differences(first) > 900);
  CHECK(differences(first) < 1100);
  CHECK(haplotype(original, rates, 1, 1) == first);
  CHECK(haplotype(original, rates, 1, 2) != first);
  CHECK(haplotype(original, rates, 2, 1) != first);
  CHECK(haplotype(original, {}, 1, 1) == original);
  CHECK(haplotype("", human_variants, 1, 1).empty());
  CHECK(haplotype(std::string(500, 'N'), {.snps = 0.5}, 1, 1) == std::string(500, 'N'));
}

TEST_CASE("a haplotype has as many insertions as deletions, half of them of one base") {
  constexpr std::size_t longest = 40, alike = 30;
  const std::string original = synthetic_random(3'000'000, "ACGT", 2, 2);
  const std::string other = haplotype(original, {.indels = 1e-4}, 3, 1);
  const auto same = [&](std::size_t i, std::size_t j) {
    return original.compare(i, alike, other, j, alike) == 0;
  };
  int insertions = 0, deletions = 0, single = 0;
  std::size_t i = 0, j = 0;
  while (i + longest < original.size() && j + longest < other.size()) {
    if (original[i] == other[j]) {
      ++i;
      ++j;
      continue;
    }
    std::size_t size = 1;
    while (size < longest && !same(i + size, j) && !same(i, j + size))
      ++size;
    REQUIRE(size < longest);
    single += size == 1 ? 1 : 0;
    (same(i, j + size) ? insertions : deletions) += 1;
    (same(i, j + size) ? j : i) += size;
  }
  CHECK(insertions > 100);
  CHECK(deletions > 100);
  CHECK(insertions + deletions > 250);
  CHECK(insertions + deletions < 320);
  CHECK(single > (insertions + deletions) / 3);
  CHECK(single < (insertions + deletions) * 2 / 3);
}

TEST_CASE("copies are of one piece, and each of them has changes of its own") {
  constexpr std::size_t unit = 30'000, count = 20;
  const std::string text = synthetic_copies(unit * count, unit, 4, 2);
  for (std::size_t copy = 1; copy < count; ++copy) {
    std::size_t differences = 0;
    for (std::size_t i = 0; i < unit; ++i)
      differences += text[i] != text[copy * unit + i] ? 1 : 0;
    CHECK(differences <= 8);  // up to four in either
  }
  CHECK(text.substr(0, unit * 2) != text.substr(unit * 2, unit * 2));
}

TEST_CASE("repeated bases are a unit again and again") {
  CHECK(repeated_bases("A", 5) == "AAAAA");
  CHECK(repeated_bases("AC", 7) == "ACACACA");
  CHECK(repeated_bases("ACG", 2) == "AC");
  CHECK(repeated_bases("ACG", 0).empty());
  const std::string unit = synthetic_random(1001, "ACGT", 1, 1);
  CHECK(repeated_bases(unit, 2001) == unit + unit.substr(0, 1000));
  CHECK(fibonacci_bases(13) == "ACAACACAACAAC");
}

TEST_CASE("prose is words, capitals and punctuation without blanks") {
  const std::string text = synthetic_prose(200'000, 5, 2);
  const std::string marks = "_.,?!;";
  CHECK(std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.find(c) != std::string::npos;
  }));
  const auto blanks = std::count(text.begin(), text.end(), '_');
  CHECK(blanks > 25'000);
  CHECK(blanks < 50'000);
  for (const char mark : marks)
    CHECK(text.find(mark) != std::string::npos);
}

TEST_CASE("an assembly has chromosomes, and N at their ends and within") {
  for (const std::uint64_t length : {1000u, 40'000u, 30'000'000u}) {
    CAPTURE(length);
    const SyntheticAssembly assembly = synthetic_assembly(length, 3, 2);
    CHECK(assembly.symbols == synthetic_assembly(length, 3, 1).symbols);
    REQUIRE(assembly.symbols.size() == length);
    REQUIRE(assembly.ends.size() == 24);
    CHECK(assembly.ends.back() == length);
    CHECK(std::is_sorted(assembly.ends.begin(), assembly.ends.end(), std::less_equal<>()));
    const auto unknown =
        static_cast<double>(std::count(assembly.symbols.begin(), assembly.symbols.end(), 'N'));
    CHECK(unknown / static_cast<double>(length) < 0.06);
    if (length < 40'000) continue;
    CHECK(unknown / static_cast<double>(length) > 0.02);
    for (const std::uint64_t end : assembly.ends)
      CHECK(assembly.symbols[end - 1] == 'N');
  }
}

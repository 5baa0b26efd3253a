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

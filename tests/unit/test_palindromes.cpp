// Patterns that are their own reverse complement.
#include "run/palindromes.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "text/alphabet.hpp"

using namespace gsx;

namespace {

/// Encoded patterns over ACGT.
struct Encoded {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> ends;

  explicit Encoded(const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
      for (const char symbol : pattern)
        codes.push_back(Alphabet::dna().code(symbol));
      ends.push_back(codes.size());
    }
  }
  Patterns view() const { return {codes, ends}; }
};

}  // namespace

TEST_CASE("patterns that are their own reverse complement are recognised") {
  const Encoded patterns({"GAATTC", "ACGT", "AT", "A", "ACG", "AA", "", "ANNT", "GAATTCC"});
  const std::vector<bool> expected = {true, true, true, false, false, false, false, false, false};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(is_own_reverse_complement(patterns.view()[i]) == expected[i]);
  }
}

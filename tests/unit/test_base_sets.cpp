// Letters become sets of bases, and ordinary patterns are told from others.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "search/mismatches/base_set.hpp"

namespace gsx {
namespace {

TEST_CASE("letters are encoded in a row as each is by itself, wherever it stands") {
  std::string letters;
  for (int c = 0; c < 256; ++c)
    letters += static_cast<char>(c);
  for (const bool iupac : {false, true}) {
    CAPTURE(iupac);
    for (std::size_t first = 0; first < 20; ++first) {
      std::vector<BaseSet> sets(letters.size() - first);
      encode_base_sets(std::string_view(letters).substr(first), iupac, sets.data());
      for (std::size_t i = 0; i < sets.size(); ++i) {
        const char letter = letters[first + i];
        REQUIRE(sets[i] == (iupac ? iupac_base_set(letter) : plain_base_set(letter)));
      }
    }
  }
}

TEST_CASE("a pattern is plain if each position matches one base and none must match") {
  CHECK(is_plain({}));
  for (std::size_t length = 1; length < 40; ++length) {
    std::vector<BaseSet> pattern(length);
    for (std::size_t i = 0; i < length; ++i)
      pattern[i] = static_cast<BaseSet>(1 << i % 4);
    CAPTURE(length);
    REQUIRE(is_plain(pattern));
    for (std::size_t at = 0; at < length; ++at) {
      const BaseSet own = pattern[at];
      for (unsigned set = 0; set < 32; ++set) {
        pattern[at] = static_cast<BaseSet>(set);
        REQUIRE(is_plain(pattern) == (set == 1 || set == 2 || set == 4 || set == 8));
      }
      pattern[at] = own;
    }
  }
}

}  // namespace
}  // namespace gsx

// Which primer of a pair a name is of.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "seq/primer_names.hpp"

using namespace gsx;

TEST_CASE("both names of a pair of primers share what is not their direction") {
  const std::pair<const char*, const char*> names[] = {
      {"amp_F", "amp_R"},
      {"amp_FOR", "amp_REV"},
      {"amp_fp", "amp_rp"},
      {"amp-LP", "amp-RP"},
      {"amp_sense", "amp_antisense"},
      {"amp (F)", "amp (R)"},
      {"amp(F)", "amp(R)"},
      {"amp Forward Primer", "amp Reverse Primer"},
      {"amp_fwd_primer", "amp_rev_primer"},
      {"ampF", "ampR"},
      {"ampFwd", "ampRev"},
      {"F_amp", "R_amp"},
      {"fwd_amp", "rev_amp"},
      {"Forward amp", "Reverse amp"},
      {"amp/1", "amp/2"},
  };
  for (const auto& [forward, reverse] : names) {
    CAPTURE(forward);
    const auto one = primer_name(forward), two = primer_name(reverse);
    REQUIRE(one);
    REQUIRE(two);
    CHECK(one->pair == "amp");
    CHECK(two->pair == "amp");
    CHECK_FALSE(one->reverse);
    CHECK(two->reverse);
  }
  // A number behind the direction belongs to the pair.
  CHECK(primer_name("amp_F1")->pair == primer_name("amp_R1")->pair);
  CHECK(primer_name("amp_F1")->pair != primer_name("amp_R2")->pair);
}

TEST_CASE("a name that tells no direction is of no pair") {
  for (const char* name : {"", "F", "_F", "amp", "ampf", "AMPF", "amp_3", "amp_x", "Primer", "(F)",
                           "leftover_amp", "amp_F_probe"})
    CHECK_MESSAGE(!primer_name(name), name);
}

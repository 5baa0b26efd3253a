// Which primer of a pair a name is of.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "records/lists/primer_names.hpp"

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
    const auto one = primer_names(forward), two = primer_names(reverse);
    REQUIRE(one.size() == 1);
    REQUIRE(two.size() == 1);
    CHECK(one[0].pair == "amp");
    CHECK(two[0].pair == "amp");
    CHECK_FALSE(one[0].reverse);
    CHECK(two[0].reverse);
    CHECK(one[0].mark == two[0].mark);
  }
}

TEST_CASE("a number belongs to the pair") {
  for (const char* name : {"amp_F7", "amp_F_7", "ampF7", "ampF_7", "amp forward primer 7"}) {
    CAPTURE(name);
    const auto names = primer_names(name);
    REQUIRE(names.size() == 1);
    CHECK(names[0].pair == "amp_7");
    CHECK_FALSE(names[0].reverse);
  }
}

TEST_CASE("a name is read in several ways, the surest first") {
  const std::pair<const char*, const char*> names[] = {
      {"F_amp_1", "f amp_1;f F_amp;"},
      {"R_amp_2", "r amp_2;r R_amp;"},
      {"amp_F_1", "f amp_1;f amp_F;"},
      {"IL2R_F", "f IL2R;"},
      {"R_beta_L", "f R_beta;r beta_L;"},
      {"IL2R_2", "r IL2_2;r IL2R;"},
      {"F_1", "f 1;f F;"},
  };
  for (const auto& [name, wanted] : names) {
    CAPTURE(name);
    std::string all;
    for (const PrimerName& read : primer_names(name))
      all += (read.reverse ? "r " : "f ") + read.pair + ';';
    CHECK(all == wanted);
  }
}

TEST_CASE("a name that tells no direction is of no pair") {
  for (const char* name : {"", "F", "_F", "amp", "ampf", "AMPF", "amp_3", "amp_x", "Primer", "(F)",
                           "leftover_amp", "amp_F_probe"})
    CHECK_MESSAGE(primer_names(name).empty(), name);
}

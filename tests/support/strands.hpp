// A text whose strands a test chooses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/texts.hpp"
#include "text/both_strands.hpp"

namespace gsx::testing {

/// A text with one strand or two.
struct TextStrands {
  Text text;
  std::optional<BothStrands> owner;
  BothStrandsView view;

  TextStrands(const std::vector<std::string>& sequences, bool both,
              SymbolPolicy policy = SymbolPolicy::dna)
      : text(make_text(sequences, policy)) {
    if (both) owner.emplace(text.view(), 2);
    view = both ? owner->view() : BothStrandsView{text.view(), text.length()};
  }
};

}  // namespace gsx::testing

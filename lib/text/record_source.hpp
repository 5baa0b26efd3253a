// A text with all that its symbols mean to users.
#pragma once

#include "text/alphabet.hpp"
#include "text/text.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A text, its records and its alphabet, of a Text or of an index. Refers to them.
struct RecordSource {
  TextView text;
  RecordsView records;
  const Alphabet* alphabet;
};

}  // namespace gsx

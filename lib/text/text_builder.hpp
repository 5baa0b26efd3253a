// Batches of records in, a Text out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "seq/record_batch.hpp"
#include "text/text.hpp"

namespace gsx {

enum class AmbiguousPolicy : std::uint8_t {
  split,  ///< a symbol that is not A C G T ends a segment and is kept as a run
  error,  ///< it is an InputError
};
enum class SoftMaskPolicy : std::uint8_t {
  fold,   ///< lower case is upper case
  split,  ///< lower-case bases are kept out of the text, like ambiguous ones
};

struct TextOptions {
  SymbolPolicy alphabet = SymbolPolicy::dna;
  AmbiguousPolicy ambiguous = AmbiguousPolicy::split;
  SoftMaskPolicy soft_mask = SoftMaskPolicy::fold;
};

/// DNA or protein, judged by the first symbols of an input: DNA when at most one letter in twenty
/// has no meaning in DNA and at least half are A C G T U or N. Throws InputError when it is
/// neither ("bytes" is never guessed).
SymbolPolicy guess_alphabet(std::string_view symbols);

/// Builds a Text in one pass; memory while building DNA is about half a byte a base.
class TextBuilder {
 public:
  explicit TextBuilder(const TextOptions& options);
  ~TextBuilder();

  /// Appends the records of a batch, in order. Throws InputError that names record and offset for
  /// a symbol outside the policy, or for a record in DNA mode that looks like protein.
  void add(const RecordBatch& batch);
  /// The finished text; the builder is spent. Throws InputError when nothing can be indexed.
  Text finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

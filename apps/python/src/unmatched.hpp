// Warns of sequences that cannot match.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "patterns.hpp"
#include "search/mismatches/unasked.hpp"
#include "text/alphabet.hpp"

namespace gsx::python {

/// Collects the sequences of a batch that cannot match. The lock of the interpreter is not needed
/// before warn().
class Unmatched {
 public:
  explicit Unmatched(const PatternStrings& patterns) : patterns_(patterns) {}

  /// Looks at sequence `i`, which has no exact match, for a symbol that the index does not have.
  /// A null cannot match; an empty sequence is passed over. Throws UsageError if there is a blank
  /// or a line end inside, or it is a record of FASTA. Cost: one pass, up to that symbol.
  void look_at(std::size_t i, const Alphabet& alphabet);
  /// Looks for a reason where mismatches are allowed, or letters are IUPAC codes. Throws and costs
  /// as the one above.
  void look_at(std::size_t i, const MismatchRules& rules);
  /// Looks for a reason where each part of `length` symbols may match.
  void look_at_parts(std::size_t i, const Alphabet& alphabet, std::uint64_t length);
  /// Counts sequence `i`; `why` follows "it ". A null, or what seems to be the name of a file, is
  /// told as that.
  void add(std::size_t i, std::string why);

  /// Warns once, of the first, if there are any. Throws python_error if warnings are errors.
  void warn() const;

 private:
  void refuse_blanks(std::size_t i, char symbol) const;

  const PatternStrings& patterns_;
  std::size_t first_ = 0;
  UnaskedQueries found_;
};

}  // namespace gsx::python

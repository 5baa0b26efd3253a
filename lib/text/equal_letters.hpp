// Letters that count as one another in a search, as I and L do in peptides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/alphabet.hpp"

namespace gsx {

/// For each code of a pattern, the codes of a text that it matches, in ascending order.
using CodeClasses = std::vector<std::vector<std::uint8_t>>;

/// Groups of letters. A letter of a pattern matches each letter of its group in the text.
class EqualLetters {
 public:
  EqualLetters() = default;
  /// Reads groups separated by commas, such as IL or IL,DN. Throws UsageError for a group of less
  /// than two letters, a blank, and a letter that comes twice.
  explicit EqualLetters(std::string_view text);

  bool empty() const { return groups_.empty(); }
  /// The groups as they were given.
  const std::string& text() const { return text_; }
  /// The alphabet with which patterns are encoded: it has all letters of a group of which
  /// `alphabet` has one. Throws UsageError for a letter that the policy does not know, or that
  /// comes twice once its case is folded. Pre: it is not DNA.
  Alphabet applied_to(const Alphabet& alphabet) const;
  /// What the codes of applied_to(whole) match in a text of the alphabet `part`.
  CodeClasses classes(const Alphabet& whole, const Alphabet& part) const;

 private:
  /// The group that holds a symbol of an alphabet, or that symbol alone.
  std::string group_of(char symbol, SymbolPolicy policy) const;

  std::string text_;
  std::vector<std::string> groups_;
};

}  // namespace gsx

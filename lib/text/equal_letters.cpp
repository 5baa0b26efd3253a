#include "text/equal_letters.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace gsx {
namespace {

/// A letter as alphabets of the policy have it.
char folded(char letter, SymbolPolicy policy) {
  return policy == SymbolPolicy::bytes ? letter : to_upper(letter);
}

bool is_known(char symbol, SymbolPolicy policy) {
  return policy == SymbolPolicy::bytes || symbol == '*' || (symbol >= 'A' && symbol <= 'Z');
}

}  // namespace

EqualLetters::EqualLetters(std::string_view text) : text_(text) {
  std::string seen;
  groups_.emplace_back();
  for (const char letter : text) {
    if (letter == ',') {
      groups_.emplace_back();
      continue;
    }
    if (letter <= ' ' || letter > '~')
      throw UsageError("write letters without blanks, and a comma between groups, as in IL,DN");
    if (seen.find(letter) != seen.npos)
      throw UsageError("'" + std::string(1, letter) + "' comes twice");
    seen += letter;
    groups_.back() += letter;
  }
  for (const std::string& group : groups_) {
    if (group.size() < 2) throw UsageError("a group has two letters or more, as in IL");
  }
}

std::string EqualLetters::group_of(char symbol, SymbolPolicy policy) const {
  for (const std::string& group : groups_) {
    const bool holds =
        std::ranges::any_of(group, [&](char letter) { return folded(letter, policy) == symbol; });
    if (holds) return group;
  }
  return {symbol};
}

Alphabet EqualLetters::applied_to(const Alphabet& alphabet) const {
  if (empty()) return alphabet;
  const SymbolPolicy policy = alphabet.policy();
  std::string symbols(alphabet.symbols()), seen;
  for (const std::string& group : groups_) {
    const bool holds_one = std::ranges::any_of(
        group, [&](char letter) { return alphabet.code(letter) != Alphabet::none; });
    for (const char letter : group) {
      const char symbol = folded(letter, policy);
      if (!is_known(symbol, policy))
        throw UsageError("--equal: '" + std::string(1, letter) + "' is no letter of proteins");
      if (seen.find(symbol) != seen.npos)
        throw UsageError("--equal: '" + std::string(1, symbol) + "' comes twice, in either case");
      seen += symbol;
      if (holds_one) symbols += symbol;
    }
  }
  return Alphabet::of(policy, symbols);
}

CodeClasses EqualLetters::classes(const Alphabet& whole, const Alphabet& part) const {
  const Alphabet patterns = applied_to(whole);
  CodeClasses all(patterns.size());
  for (std::size_t code = 0; code < all.size(); ++code) {
    for (const char letter : group_of(patterns.symbol(code), patterns.policy())) {
      const std::uint8_t matched = part.code(letter);
      if (matched != Alphabet::none) all[code].push_back(matched);
    }
    std::ranges::sort(all[code]);
  }
  return all;
}

}  // namespace gsx

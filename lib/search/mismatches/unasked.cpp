#include "search/mismatches/unasked.hpp"

#include <algorithm>

#include "base/messages.hpp"

namespace gsx {
namespace {

bool is_letter(char symbol) {
  return static_cast<std::uint8_t>((symbol | 0x20) - 'a') < 26;
}

/// Whether all symbols are letters. Cost: one pass, 16 symbols at a time.
bool all_letters(std::string_view symbols) {
  std::uint8_t odd = 0;
  for (const char symbol : symbols)
    odd |= static_cast<std::uint8_t>(is_letter(symbol) ? 0 : 1);
  return odd == 0;
}

}  // namespace

std::optional<std::string> why_unasked(std::string_view query, const MismatchRules& rules) {
  if (query.empty()) return std::nullopt;
  const auto is_odd = [&rules](char symbol) {
    return rules.iupac ? iupac_base_set(symbol) == base_sets::none : !is_letter(symbol);
  };
  const auto odd = std::find_if(query.begin(), query.end(), is_odd);
  if (odd != query.end()) {
    return "holds '" + printable({&*odd, 1}) + "', which is no " +
           (rules.iupac ? "IUPAC code of a nucleotide" : "letter");
  }
  if (query.size() <= rules.mismatches) {
    return "is not longer than the " + std::to_string(rules.mismatches) +
           " mismatches that are allowed";
  }
  const auto is_n = [](char symbol) { return is_any(iupac_base_set(symbol)); };
  if (rules.iupac && std::all_of(query.begin(), query.end(), is_n))
    return "stands for any sequence";
  return std::nullopt;
}

bool all_asked(std::string_view symbols, std::span<const std::uint64_t> ends,
               const MismatchRules& rules) {
  if (rules.iupac || !all_letters(symbols)) return false;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    if (end - begin <= rules.mismatches) return false;
    begin = end;
  }
  return true;
}

}  // namespace gsx

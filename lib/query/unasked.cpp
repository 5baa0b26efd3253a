#include "query/unasked.hpp"

#include <algorithm>

#include "base/messages.hpp"
#include "text/alphabet.hpp"

namespace gsx {
namespace {

bool is_letter(char symbol) {
  const char upper = to_upper(symbol);
  return upper >= 'A' && upper <= 'Z';
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
  const auto is_any = [](char symbol) { return iupac_base_set(symbol) == base_sets::any; };
  if (rules.iupac && std::all_of(query.begin(), query.end(), is_any))
    return "stands for any sequence";
  return std::nullopt;
}

}  // namespace gsx

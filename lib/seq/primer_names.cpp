#include "seq/primer_names.hpp"

#include <algorithm>

namespace gsx {
namespace {

constexpr std::string_view marks = "_-./:| ";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::string in_lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), lower);
  return made;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_marks(std::string_view text) {
  while (!text.empty() && (marks.find(text.back()) != marks.npos || text.back() == '('))
    text.remove_suffix(1);
  return text;
}

/// Whether a word says that a primer is the reverse one; none if it says nothing.
std::optional<bool> direction_of(std::string_view text) {
  const std::string word = in_lower(text);
  for (const char* one : {"f", "for", "fw", "fwd", "forward", "fp", "left", "l", "lp", "sense"})
    if (word == one) return false;
  for (const char* one : {"r", "rv", "rev", "reverse", "rp", "right", "antisense"})
    if (word == one) return true;
  return std::nullopt;
}

/// The name whose part behind `stem` is `word`: F, or F1, whose number belongs to the pair.
std::optional<PrimerName> name_of(std::string_view stem, std::string_view word) {
  const std::size_t digits = word.find_last_not_of("0123456789") + 1;
  const auto reverse = direction_of(word.substr(0, digits));
  stem = without_marks(stem);
  if (!reverse || stem.empty()) return std::nullopt;
  std::string pair(stem);
  if (digits < word.size()) pair += "_" + std::string(word.substr(digits));
  return PrimerName{std::move(pair), *reverse};
}

/// Where the last word begins that follows no mark: a capital behind a lower-case letter or a
/// digit, as in ampF.
std::size_t last_hump(std::string_view name) {
  for (std::size_t at = name.size(); at-- > 1;) {
    const char c = name[at], before = name[at - 1];
    if (c >= 'A' && c <= 'Z' && ((before >= 'a' && before <= 'z') || is_digit(before))) return at;
  }
  return name.npos;
}

/// Takes a word "primer" off the end, and a bracket: "p Forward Primer", "p (F)".
std::string_view without_frame(std::string_view name) {
  constexpr std::string_view primer = "primer";
  name = without_marks(name);
  if (name.size() > primer.size() && in_lower(name).ends_with(primer) &&
      marks.find(name[name.size() - primer.size() - 1]) != marks.npos)
    name = without_marks(name.substr(0, name.size() - primer.size()));
  if (name.ends_with(')') && name.find('(') != name.npos) name.remove_suffix(1);
  return name;
}

}  // namespace

std::optional<PrimerName> primer_name(std::string_view name) {
  name = without_frame(name);
  const std::size_t mark = name.find_last_of("_-./:| (");
  if (mark != name.npos && mark != 0) {
    const std::string_view word = name.substr(mark + 1);
    if (word == "1" || word == "2")
      return PrimerName{std::string(name.substr(0, mark)), word == "2"};
    if (auto found = name_of(name.substr(0, mark), word)) return found;
  }
  if (const std::size_t first = name.find_first_of(marks); first != name.npos) {
    const auto reverse = direction_of(name.substr(0, first));
    const std::size_t stem = name.find_first_not_of(marks, first);
    if (reverse && stem != name.npos) return PrimerName{std::string(name.substr(stem)), *reverse};
  }
  const std::size_t hump = last_hump(name);
  return hump == name.npos ? std::nullopt : name_of(name.substr(0, hump), name.substr(hump));
}

}  // namespace gsx

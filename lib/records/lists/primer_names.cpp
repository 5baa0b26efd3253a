#include "records/lists/primer_names.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "records/lists/list_words.hpp"

namespace gsx {
namespace {

constexpr std::string_view marks = "_-./:| ";

std::string lower_case_of(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), in_lower);
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
  const std::string word = lower_case_of(text);
  for (const char* one : {"f", "for", "fw", "fwd", "forward", "fp", "left", "l", "lp", "sense"})
    if (word == one) return false;
  for (const char* one : {"r", "rv", "rev", "reverse", "rp", "right", "antisense"})
    if (word == one) return true;
  return std::nullopt;
}

/// Adds the name of which `word` follows `stem`: F, or F1, whose number belongs to the pair, as
/// `number` behind it does.
void add_ending(std::vector<PrimerName>& names, std::string_view stem, std::string_view word,
                std::string_view number, PrimerMark mark) {
  const std::size_t digits = word.find_last_not_of("0123456789") + 1;
  const auto reverse = direction_of(word.substr(0, digits));
  stem = without_marks(stem);
  if (!reverse || stem.empty()) return;
  std::string pair(stem);
  for (const std::string_view part : {word.substr(digits), number})
    if (!part.empty()) pair += "_" + std::string(part);
  names.push_back({std::move(pair), *reverse, mark});
}

/// What stands before the last mark, and behind it; nothing behind it if there is none.
std::pair<std::string_view, std::string_view> split_at_last_mark(std::string_view name) {
  const std::size_t mark = name.find_last_of("_-./:| (");
  if (mark == name.npos) return {name, {}};
  return {without_marks(name.substr(0, mark)), name.substr(mark + 1)};
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
  if (name.size() > primer.size() && lower_case_of(name).ends_with(primer) &&
      marks.find(name[name.size() - primer.size() - 1]) != marks.npos)
    name = without_marks(name.substr(0, name.size() - primer.size()));
  if (name.ends_with(')') && name.find('(') != name.npos) name.remove_suffix(1);
  return name;
}

}  // namespace

std::vector<PrimerName> primer_names(std::string_view name) {
  std::vector<PrimerName> names;
  name = without_frame(name);
  const auto [before, last] = split_at_last_mark(name);
  const bool numbered = !last.empty() && std::ranges::all_of(last, is_digit);
  const std::string_view number = numbered ? last : std::string_view();
  const std::string_view core = numbered ? without_frame(before) : name;
  const auto [stem, word] = split_at_last_mark(core);
  add_ending(names, stem, word, number, PrimerMark::ending);
  if (const std::size_t first = name.find_first_of(marks); first != name.npos) {
    const auto reverse = direction_of(name.substr(0, first));
    const std::size_t rest = name.find_first_not_of(marks, first);
    if (reverse && rest != name.npos)
      names.push_back({std::string(name.substr(rest)), *reverse, PrimerMark::beginning});
  }
  if (const std::size_t hump = last_hump(core); hump != core.npos)
    add_ending(names, core.substr(0, hump), core.substr(hump), number, PrimerMark::capital);
  if ((number == "1" || number == "2") && !before.empty())
    names.push_back({std::string(before), number == "2", PrimerMark::number});
  return names;
}

}  // namespace gsx

#include "options/suggestion.hpp"

#include <algorithm>

namespace gsx::app {
namespace {

std::string normal(std::string_view word) {
  std::string made(word.substr(0, 64));
  for (char& c : made) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c == '_') c = '-';
  }
  return made;
}

/// The Damerau-Levenshtein distance in which no letter is edited twice.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

/// The only word that begins with `word`, if `word` has two letters or more; otherwise "".
std::string only_longer(std::string_view word, const std::vector<std::string>& words) {
  const std::string wanted = normal(word);
  const std::size_t letters =
      wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  if (letters < 2) return {};
  const auto begins = [&](const std::string& candidate) { return candidate.starts_with(wanted); };
  const auto first = std::find_if(words.begin(), words.end(), begins);
  if (first == words.end() || std::any_of(first + 1, words.end(), begins)) return {};
  return *first;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
  const std::string wanted = normal(word);
  std::string best;
  std::size_t least = wanted.size() / 3 + 1;
  for (const std::string& candidate : words) {
    const std::size_t found = distance(wanted, normal(candidate));
    if (found >= least || found >= candidate.size()) continue;
    least = found;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  std::string meant = nearest(word, words);
  if (meant.empty()) meant = only_longer(word, words);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace gsx::app

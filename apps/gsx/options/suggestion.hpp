// Guesses what a mistyped word was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gsx::app {

/// The word most similar to `word`, or empty: at most a third of its letters may be wrong, missing,
/// surplus or swapped with a neighbour. Upper case and underscores (for dashes) do not count.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

/// "; did you mean WORD?", or nothing if no word is similar.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

}  // namespace gsx::app

// What somebody may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gsx::app {

/// The word nearest to `word`, when it is near: so many letters wrong, missing, too many or swapped
/// with a neighbour as a third of its length. Upper case and underscores (for dashes) do not count.
/// Empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

/// "; did you mean WORD?", or nothing when no word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

}  // namespace gsx::app

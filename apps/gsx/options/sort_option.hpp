// --sort: the order of lines of places.
#pragma once

#include <string>

#include "options/option_kinds.hpp"

namespace gsx::app {

/// Adds --sort to the group Output, of `lines`; `usual` is what they follow otherwise, and `except`
/// continues the description.
inline void add_sort_option(CLI::App& command, std::string& sort, const std::string& lines,
                            const std::string& usual, const std::string& except) {
  add_choice(command, "--sort", sort, {"query", "position"},
             "Order the lines of " + lines + " by " + usual +
                 ", or by position, as tabix needs it: target, start, strand" + except +
                 ". What memory does not hold is sorted in $TMPDIR");
}

}  // namespace gsx::app

// --strand: which strands are searched.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "options/option_kinds.hpp"
#include "search/exact/hits.hpp"

namespace gsx::app {

/// Adds --strand to the group Search. `query` is what is searched for.
inline CLI::Option* add_strand_option(CLI::App& command, std::string& strand,
                                      const std::string& query = "query") {
  return add_choice(command, "--strand", strand, {"both", "fwd", "rev"},
                    "DNA strands to search: both, fwd (the " + query +
                        " as given) or rev (its reverse complement)",
                    {{"plus", "fwd"},
                     {"+", "fwd"},
                     {"forward", "fwd"},
                     {"minus", "rev"},
                     {"-", "rev"},
                     {"reverse", "rev"}})
      ->group("Search");
}

/// Those that the option names.
inline Strands strands_named(const std::string& strand) {
  if (strand == "fwd") return Strands::forward;
  return strand == "rev" ? Strands::reverse : Strands::both;
}

}  // namespace gsx::app

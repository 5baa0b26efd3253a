// The text of an index, for the commands that otherwise read sequences.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "input_options.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// Adds -x, beside which there are no input files.
void add_indexed_text_option(CLI::App& command, std::string& named);

/// The index that `named` (-x) or else the only input file is; none when the input is sequences.
/// Throws UsageError for an index beside other input, for options that say how sequences are read,
/// and when there is neither; what Index::open throws; and CorruptIndexError for a text that holds
/// what its alphabet has not.
std::optional<Index> indexed_text(const CLI::App& command, const std::string& named,
                                  const InputOptions& input, const Session& session);

/// Throws UsageError "NAME why" for the first of the options that was given.
void refuse_options(const CLI::App& command, std::initializer_list<const char*> names,
                    const std::string& why);

}  // namespace gsx::app

// Chooses the index that a command works on.
#pragma once

#include <string>
#include <vector>

#include "inputs/index_advice.hpp"
#include "options/command_line.hpp"

namespace gsx::app {

/// Adds -x, for a command that takes its index by choose_index().
void add_index_option(CLI::App& command, std::string& named);

/// Whether a regular file begins like an index. Reads 8 bytes; never waits for a FIFO.
bool is_index(const std::string& path);

/// The same, or a folder that stands for the index in it: its name ends in /, or it has a *.gsx.
/// '.' is not one, because tables show an empty name so; './' is.
bool is_index_or_folder(const std::string& path);

/// The index that -x names; else the first of `arguments`, which is removed from them, if it is an
/// index, such a folder, or ends in .gsx; else $GSX_INDEX; else the only *.gsx of the current
/// folder. The last two are logged. A folder stands for the only *.gsx in it. The file need not be
/// a sound index, nor exist. Throws UsageError if -x and the first argument are two indexes, if a
/// later argument is the only index, or if there is no index or no single one, and
/// ForeignIndexError for a folder without an index, or a name that lacks .gsx.
std::string choose_index(const std::string& named, std::vector<std::string>& arguments,
                         ArgumentKind kind);

/// The same for a command whose only argument is the index; "" means that there is none.
std::string choose_index(const std::string& named, const std::string& argument);

/// Advice for files of queries.
inline constexpr const char* one_index_per_run =
    "not queries; a run searches one index: run once for each";
/// Throws UsageError if one of `files`, which should hold something else, is an index. `advice`
/// ends the message.
void refuse_indexes(const std::vector<std::string>& files, const char* advice);

}  // namespace gsx::app

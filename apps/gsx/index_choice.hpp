// Which index a command works on.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gsx::app {

/// -x, for a command that takes its index by choose_index().
void add_index_option(CLI::App& command, std::string& named);

/// Whether a regular file begins as every index does. Reads 8 bytes; never waits for a FIFO.
bool is_index(const std::string& path);

/// The same, or a folder that stands for the index in it: its name ends in /, or it has a *.gsx.
/// '.' is none, as that is how tables show an empty name; './' is.
bool is_index_or_folder(const std::string& path);

/// The index named by -x; else the first of `arguments`, which is taken out of them, if it is an
/// index, such a folder, or ends in .gsx; else $GSX_INDEX; else the only *.gsx of the current
/// folder. The last two are logged. A folder stands for the only *.gsx in it. The file need not be
/// a sound index, nor exist. Throws UsageError when -x and the first argument are two indexes, and
/// when there is none or no single one; ForeignIndexError for a folder without any.
std::string choose_index(const std::string& named, std::vector<std::string>& arguments);

/// The same for a command whose one argument can only be the index; "" stands for none.
std::string choose_index(const std::string& named, const std::string& argument);

/// Throws UsageError when one of `files`, which should hold queries, is an index.
void refuse_indexes(const std::vector<std::string>& files);

}  // namespace gsx::app

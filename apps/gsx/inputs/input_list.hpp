// A list of input files, one per line.
#pragma once

#include <string>
#include <vector>

namespace gsx::app {

/// Files, and the names to keep of them.
struct InputList {
  std::vector<std::string> files;
  std::vector<std::string> names;  ///< one per file; "" for the file's own
};

/// Reads a list: lines of a path, or of a path, a tab and a name. If not all of these files exist,
/// but all of another column do, takes that: the names may come first, commas, semicolons or blanks
/// may separate, and the first line may be a header with a word such as path or file. Passes over
/// further columns, blank lines and comments. "-" is standard input; the file may be compressed.
/// Throws InputError, with file and line, for a list that cannot be read or has no files, for a
/// file that does not exist or is a folder, and for lines of other columns.
InputList read_input_list(const std::string& path);

/// Puts the files of a list, if one is named, behind `files`, and makes `names` one name per file.
/// Throws as read_input_list(), and UsageError if standard input is the list and one of the files.
void append_input_list(const std::string& path, std::vector<std::string>& files,
                       std::vector<std::string>& names);

}  // namespace gsx::app

// What every --summary says of its input: the index, and the files with queries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/store/index.hpp"

namespace gsx::app {

/// A member of a JSON object, after a comma: the names of files as they were given.
std::string files_member(std::string_view name, const std::vector<std::string>& files);

/// The members "index" (the name of the file without its folder, and the checksum) and
/// "query_files", each after a comma. An index that was made of `references` has no file; these
/// follow as "references".
std::string input_members(const Index& index, const std::vector<std::string>& references,
                          const std::vector<std::string>& query_files);

}  // namespace gsx::app

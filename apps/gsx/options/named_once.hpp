// The names of inputs: none is empty, and none is to count twice.
#pragma once

#include <string>
#include <vector>

namespace gsx::app {

/// Throws UsageError for a name that is empty, as of a variable that is not set.
void refuse_empty_names(const std::vector<std::string>& paths);

/// Throws UsageError for a file that is named twice, also by way of a link or as standard input;
/// `consequence` says what would be wrong then.
void require_each_once(const std::vector<std::string>& paths, const std::string& consequence);

/// Warns of a file that is named twice, where results are right although it is read twice.
void warn_of_named_twice(const std::vector<std::string>& paths, const std::string& consequence);

}  // namespace gsx::app

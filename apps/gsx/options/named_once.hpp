// Inputs that must not be counted twice.
#pragma once

#include <string>
#include <vector>

namespace gsx::app {

/// Throws UsageError for a file that is named twice, also by way of a link or as standard input;
/// `consequence` says what would be wrong then.
void require_each_once(const std::vector<std::string>& paths, const std::string& consequence);

/// The same as a warning, where results are right although the file is read twice.
void warn_of_named_twice(const std::vector<std::string>& paths, const std::string& consequence);

}  // namespace gsx::app

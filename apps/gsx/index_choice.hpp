// Which index a command works on.
#pragma once

#include <string>

namespace gsx::app {

/// The index named by `path`, else by $GSX_INDEX, else the only *.gsx of the current folder, which
/// is logged. Throws UsageError when there is none or no single one.
std::string find_index(const std::string& path);

}  // namespace gsx::app

#include "index_choice.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx::app {

std::string find_index(const std::string& path) {
  if (!path.empty()) return path;
  if (const char* named = std::getenv("GSX_INDEX"); named != nullptr && *named != '\0') {
    log().info("index: {} (from $GSX_INDEX)", printable(named));
    return named;
  }
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(".", error)) {
    if (entry.path().extension() == ".gsx") found.push_back(entry.path().filename().string());
  }
  if (found.size() == 1) {
    log().info("index: {} (the only *.gsx here)", printable(found[0]));
    return found[0];
  }
  throw UsageError(found.empty()
                       ? "no index: name one with -x or $GSX_INDEX (this folder has no *.gsx)"
                       : "which index? This folder has " + std::to_string(found.size()) +
                             " *.gsx; name one with -x or $GSX_INDEX");
}

}  // namespace gsx::app

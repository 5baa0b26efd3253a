#include "base/log.hpp"

#include <memory>

namespace gsx {

spdlog::logger& log() {
  static const auto logger = [] {
    auto made = std::make_shared<spdlog::logger>("gsx");
    made->set_level(spdlog::level::off);
    return made;
  }();
  return *logger;
}

}  // namespace gsx

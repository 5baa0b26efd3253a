#include "base/log.hpp"

#include <spdlog/logger.h>

#include <memory>
#include <new>

namespace gsx {

spdlog::logger& Log::logger() {
  static const auto logger = [] {
    auto made = std::make_shared<spdlog::logger>("gsx");
    made->set_level(spdlog::level::off);
    return made;
  }();
  return *logger;
}

void Log::write(Level level, fmt::string_view format, fmt::format_args values) {
  const auto shown = level == Level::debug  ? spdlog::level::debug
                     : level == Level::info ? spdlog::level::info
                                            : spdlog::level::warn;
  if (!logger().should_log(shown)) return;
  try {
    const std::string line = fmt::vformat(format, values);
    logger().log(shown, spdlog::string_view_t(line.data(), line.size()));
  } catch (const std::bad_alloc&) {
  }
}

Log& log() {
  static Log log;
  return log;
}

}  // namespace gsx

// The log of the library: silent until a program gives it a sink. The library never prints.
#pragma once

#include <spdlog/fmt/fmt.h>

#include <cstdint>
#include <string>

namespace spdlog {
class logger;
}

namespace gsx {

/// Takes lines, each with a level. Lines are formatted in one place: the functions of spdlog would
/// compile the formatting again in each file that logs.
class Log {
 public:
  template <class... Values>
  void debug(fmt::format_string<Values...> format, const Values&... values) {
    write(Level::debug, format, fmt::make_format_args(values...));
  }
  template <class... Values>
  void info(fmt::format_string<Values...> format, const Values&... values) {
    write(Level::info, format, fmt::make_format_args(values...));
  }
  template <class... Values>
  void warn(fmt::format_string<Values...> format, const Values&... values) {
    write(Level::warn, format, fmt::make_format_args(values...));
  }

  /// The logger named "gsx". Drops everything until a program adds a sink and sets a level.
  spdlog::logger& logger();

 private:
  enum class Level : std::uint8_t { debug, info, warn };
  /// Drops the line if memory is short: logging must not end any work.
  void write(Level level, fmt::string_view format, fmt::format_args values);
};

Log& log();

}  // namespace gsx

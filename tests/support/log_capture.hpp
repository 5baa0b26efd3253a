// Captures the library's log during a test.
#pragma once

#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

#include "base/log.hpp"

namespace gsx::testing {

/// Collects log lines of at least this level while it lives.
class LogCapture {
 public:
  explicit LogCapture(spdlog::level::level_enum level)
      : sink_(std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)),
        before_(log().logger().level()) {
    sink_->set_pattern("%v");
    log().logger().sinks().push_back(sink_);
    log().logger().set_level(level);
  }
  ~LogCapture() {
    auto& sinks = log().logger().sinks();
    sinks.erase(std::remove(sinks.begin(), sinks.end(), sink_), sinks.end());
    log().logger().set_level(before_);
  }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  std::string text() const { return stream_.str(); }

 private:
  std::ostringstream stream_;
  spdlog::sink_ptr sink_;
  spdlog::level::level_enum before_;
};

}  // namespace gsx::testing

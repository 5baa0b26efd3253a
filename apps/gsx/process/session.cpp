#include "process/session.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>

#include "base/log.hpp"
#include "base/machine.hpp"
#include "process/environment.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

/// Logs to standard error, without the progress bar in the way.
class LogSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit LogSink(ProgressDisplay& display) : display_(display) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    display_.make_room([&line] { std::fwrite(line.data(), 1, line.size(), stderr); });
  }
  void flush_() override { std::fflush(stderr); }

  ProgressDisplay& display_;
};

ProgressMode mode_named(const std::string& name, bool quiet) {
  if (name == "json") return ProgressMode::json;
  if (name == "bar") return ProgressMode::bar;
  return name == "auto" && can_draw_bar() && !quiet ? ProgressMode::bar : ProgressMode::none;
}

}  // namespace

void Session::start() {
  const std::string level = quiet ? "error" : verbosity > 0 ? "debug" : log_level();
  quiet = level == "error";
  auto sink = std::make_shared<LogSink>(display_);
  sink->set_pattern("%l: %v");
  log().logger().sinks() = {sink};
  log().logger().set_level(spdlog::level::from_str(level));
  Output::before_opening(
      [this](const std::string& name, Encoding encoding) { check_output(name, encoding); });
  if (threads == 0) threads = available_threads();
  display_.start(mode_named(progress_mode, quiet));
  if (display_.is_on()) Output::before_terminal([this] { display_.give_way(); });
}

ProgressReport Session::progress() {
  if (!display_.is_on()) return {};
  return [this](const char* stage, double fraction) { display_.report(stage, fraction); };
}

void Session::check_output(const std::string& name, Encoding encoding) {
  if (encoding == Encoding::bgzf)
    refuse_terminal(name, "BGZF", "name a file, or leave .gz out of the name");
  files.opens(name);
}

void Session::expect_reading(const std::vector<std::string>& paths) {
  if (const std::uint64_t bytes = bytes_of_files(paths); bytes > 0) {
    display_.expect("reading", bytes, "bytes");
  }
}

void Session::clear_progress() {
  display_.close(false);
}

void Session::used(const Device& device) {
  device_used = device.name();
  peak_device_bytes = std::max(peak_device_bytes, device.peak_device_bytes());
}

void Session::finish() {
  display_.close(true);
  log().info(
      "gsx {} | {} | device {} | wall {:.2f} s | cpu {:.2f} s | peak memory {:.1f} MB host, "
      "{:.1f} MB device",
      GSX_VERSION, command_line, device_used, watch_.seconds(), cpu_seconds(),
      static_cast<double>(peak_host_bytes()) / 1e6, static_cast<double>(peak_device_bytes) / 1e6);
}

}  // namespace gsx::app

#include "session.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "base/log.hpp"
#include "base/machine.hpp"

namespace gsx::app {
namespace {

constexpr double bar_interval = 0.1;   // seconds
constexpr double json_interval = 1.0;  // seconds

}  // namespace

void Session::start() {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_pattern("%l: %v");
  log().sinks() = {sink};
  log().set_level(quiet            ? spdlog::level::err
                  : verbosity == 0 ? spdlog::level::info
                                   : spdlog::level::debug);
  if (threads == 0) threads = available_threads();
}

ProgressReport Session::progress() {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  if (progress_mode == "json") {
    return [this](const char* stage, double fraction) { show_json(stage, fraction); };
  }
  if (progress_mode == "bar" || (progress_mode == "auto" && terminal && !quiet)) {
    return [this](const char* stage, double fraction) { show_bar(stage, fraction); };
  }
  return {};
}

void Session::show_bar(const char* stage, double fraction) {
  if (stage == stage_shown_ && since_shown_.seconds() < bar_interval) return;
  stage_shown_ = stage;
  since_shown_.lap();
  bar_on_terminal_ = true;
  constexpr int width = 30;
  if (fraction < 0) {
    std::fprintf(stderr, "\r\033[K%s ...", stage);
  } else {
    const int filled = static_cast<int>(std::lround(fraction * width));
    std::fprintf(stderr, "\r\033[K%s [%.*s%*s] %3.0f %%", stage, filled,
                 "##############################", width - filled, "", fraction * 100);
  }
  std::fflush(stderr);
}

void Session::show_json(const char* stage, double fraction) {
  if (stage == stage_shown_ && since_shown_.seconds() < json_interval) return;
  stage_shown_ = stage;
  since_shown_.lap();
  if (fraction < 0) {
    std::fprintf(stderr, "{\"stage\":\"%s\",\"fraction\":null,\"seconds\":%.3f}\n", stage,
                 watch_.seconds());
  } else {
    std::fprintf(stderr, "{\"stage\":\"%s\",\"fraction\":%.4f,\"seconds\":%.3f}\n", stage, fraction,
                 watch_.seconds());
  }
  std::fflush(stderr);
}

void Session::clear_progress() {
  if (bar_on_terminal_) std::fputs("\r\033[K", stderr);
  bar_on_terminal_ = false;
}

void Session::used(const Backend& backend) {
  device_used = backend.name();
  peak_device_bytes = backend.peak_device_bytes();
}

void Session::finish() {
  clear_progress();
  log().info(
      "gsx {} | {} | device {} | wall {:.2f} s | cpu {:.2f} s | peak memory {:.1f} MB host, "
      "{:.1f} MB device",
      GSX_VERSION, command_line, device_used, watch_.seconds(), cpu_seconds(),
      static_cast<double>(peak_host_bytes()) / 1e6, static_cast<double>(peak_device_bytes) / 1e6);
}

}  // namespace gsx::app

#include "process/session.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "index/store/shard_manifest.hpp"
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

/// Why outputs are refused, by their names.
std::map<std::string, std::string>& refusals() {
  static std::map<std::string, std::string> all;
  return all;
}

/// What identifies the file of that name, or of descriptor `standard` if it is named "-", if it is
/// a regular file that is there.
std::optional<std::pair<dev_t, ino_t>> file_named(const std::string& name, int standard) {
  struct stat file {};
  const int failed = name == "-" ? fstat(standard, &file) : stat(name.c_str(), &file);
  if (failed != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  return std::pair{file.st_dev, file.st_ino};
}

[[noreturn]] void refuse(const std::string& input, const std::string& output) {
  const bool standard = input == "-";
  throw UsageError("the output would replace the input '" + printable(standard ? output : input) +
                   (standard ? "', which is standard input" : "'"));
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
  files.writes(name);
  if (const auto found = refusals().find(name); found != refusals().end())
    throw UsageError(found->second);
}

void refuse_when_opened(const std::string& output, const std::string& why) {
  refusals().emplace(output, why);
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

void RunFiles::reads(const std::string& file) {
  if (file.empty()) return;
  const auto id = file_named(file, STDIN_FILENO);
  if (!id) return;
  read_.try_emplace(*id, file);
  if (const auto output = written_.find(*id); output != written_.end())
    refuse(file, output->second);
}

void RunFiles::reads(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    reads(file);
}

void RunFiles::reads_index(const std::string& index) {
  reads(index);
  if (!begins_as_manifest(index)) return;
  try {
    const std::vector<std::string> shards = shard_paths(index, read_manifest(index));
    allow_open_files(shards.size());
    reads(shards);
  } catch (const UsageError&) {
    throw;
  } catch (const Error&) {  // whoever opens it says why
  }
}

void RunFiles::writes(const std::string& name) {
  const std::string output = name.empty() ? "-" : name;
  const auto id = file_named(output, STDOUT_FILENO);
  if (!id) return;
  written_.try_emplace(*id, output);
  if (const auto input = read_.find(*id); input != read_.end()) refuse(input->second, output);
}

}  // namespace gsx::app

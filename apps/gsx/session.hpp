// What every subcommand shares: threads, log, progress, and the closing line.
#pragma once

#include <string>
#include <vector>

#include "backend/device.hpp"
#include "base/progress.hpp"
#include "machine/resources.hpp"
#include "progress_display.hpp"

namespace gsx::app {

/// One run of the program. Filled by the parser, started before the subcommand runs.
struct Session {
  int threads = 0;  ///< 0: all that are available
  bool quiet = false;
  int verbosity = 0;
  std::string progress_mode = "auto";
  std::string command_line;
  std::string device_used = "none";
  std::uint64_t peak_device_bytes = 0;

  /// Sets up the log on standard error and replaces defaults by facts.
  void start();
  /// A reporter for the chosen progress mode; empty when nothing is to be shown.
  ProgressReport progress();
  /// Notes which device did the work, for the closing line.
  void used(const Device& device);
  /// Clears the progress bar and logs version, command, device, wall and CPU time and memory.
  void finish();
  /// Shows how far the run is, as ProgressDisplay::report does.
  void report(const std::string& stage, double fraction, std::uint64_t done = 0,
              const char* unit = "") {
    display_.report(stage, fraction, done, unit);
  }
  /// Whether report() shows anything: else what it would say need not be computed.
  bool shows_progress() const { return display_.is_on(); }
  /// Has the stage "reading" show the rate at which it reads these files.
  void expect_reading(const std::vector<std::string>& files);
  /// Clears the progress bar, if one is on the terminal, for good.
  void clear_progress();

 private:
  Stopwatch watch_;
  ProgressDisplay display_;
};

}  // namespace gsx::app

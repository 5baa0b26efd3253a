// What every subcommand shares: threads, log, progress, its files, and the closing line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/resources.hpp"
#include "bytes/output.hpp"
#include "device/device.hpp"
#include "process/progress_display.hpp"
#include "process/run_files.hpp"

namespace gsx::app {

/// One run of the program. The parser fills it; it starts before the subcommand runs.
struct Session {
  int threads = 0;  ///< 0: as many as are available
  bool quiet = false;
  int verbosity = 0;
  std::string progress_mode = "auto";
  std::string command_line;
  std::string device_used = "none";
  std::uint64_t peak_device_bytes = 0;
  RunFiles files;  ///< what the run reads and writes; tell it of each input

  /// Sets up the log on standard error, makes each output ask check_output() when it is opened, and
  /// resolves defaults.
  void start();
  /// A reporter for the chosen progress mode; empty if nothing is to be shown.
  ProgressReport progress();
  /// Notes which device did the work, for the closing line.
  void used(const Device& device);
  /// Clears the progress bar and logs version, command, device, wall time, CPU time and memory.
  void finish();
  /// Reports progress; see ProgressDisplay::report().
  void report(const std::string& stage, double fraction, std::uint64_t done = 0,
              const char* unit = "") {
    display_.report(stage, fraction, done, unit);
  }
  /// Whether report() shows anything. If not, callers need not compute what they would report.
  bool shows_progress() const { return display_.is_on(); }
  /// Throws UsageError for BGZF to a terminal, and as RunFiles::opens() does.
  void check_output(const std::string& name, Encoding encoding);
  /// Makes the stage "reading" show the rate at which it reads these files.
  void expect_reading(const std::vector<std::string>& files);
  /// Removes the progress bar for good.
  void clear_progress();

 private:
  Stopwatch watch_;
  ProgressDisplay display_;
};

}  // namespace gsx::app

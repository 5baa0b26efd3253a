// What every subcommand shares: threads, log, progress, and the closing line.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "base/progress.hpp"
#include "base/resources.hpp"

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
  /// Notes which back end did the work, for the closing line.
  void used(const Backend& backend);
  /// Clears the progress bar and logs version, command, device, wall and CPU time and memory.
  void finish();
  /// Clears the progress bar, if one is on the terminal.
  void clear_progress();

 private:
  void show_bar(const char* stage, double fraction);
  void show_json(const char* stage, double fraction);

  Stopwatch watch_;
  Stopwatch since_shown_;
  std::string stage_shown_;
  bool bar_on_terminal_ = false;
};

}  // namespace gsx::app

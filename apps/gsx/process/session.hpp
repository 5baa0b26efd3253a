// What every subcommand shares: threads, log, progress, the names of its files, and the closing
// line.
#pragma once

#include <sys/types.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/resources.hpp"
#include "bytes/output.hpp"
#include "device/device.hpp"
#include "process/progress_display.hpp"

namespace gsx::app {

/// Knows what a run reads and what it writes, told in any order, and throws UsageError as soon as
/// an output would replace an input, by whatever name or link. Every Output asks it when it is
/// opened; a command whose work comes before that tells the names of its outputs first.
class RunFiles {
 public:
  /// The run reads this file; "-" is standard input, and "" no file.
  void reads(const std::string& file);
  void reads(const std::vector<std::string>& files);
  /// The run reads this index: of a manifest, also the shards, all of which it may then have open.
  void reads_index(const std::string& index);
  /// The run writes a file of this name; "-" and "" are standard output.
  void writes(const std::string& name);

 private:
  using Id = std::pair<dev_t, ino_t>;

  std::map<Id, std::string> read_;  ///< regular files, and what they are called
  std::map<Id, std::string> written_;
};

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
  /// Throws UsageError for an output that would replace a file that the run reads, for BGZF to a
  /// terminal, and as refuse_when_opened() says.
  void check_output(const std::string& name, Encoding encoding);
  /// Makes the stage "reading" show the rate at which it reads these files.
  void expect_reading(const std::vector<std::string>& files);
  /// Removes the progress bar for good.
  void clear_progress();

 private:
  Stopwatch watch_;
  ProgressDisplay display_;
};

/// Has check_output() refuse an output of this name, for a reason that matters less than that it
/// would replace what the run reads.
void refuse_when_opened(const std::string& output, const std::string& why);

}  // namespace gsx::app

// What the run of every command has that reads queries, whatever it searches.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/stage_times.hpp"
#include "bytes/outputs.hpp"
#include "device/backend.hpp"
#include "output/summary/run_summary.hpp"
#include "process/environment.hpp"
#include "process/session.hpp"
#include "run/query_memory.hpp"

namespace gsx::app {

/// The parts of a run, and its steps around the search. A command derives from it.
class CommandRun {
 public:
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

 protected:
  /// `path` is for what the run does on the CPU.
  explicit CommandRun(Session& session, CpuPath path = cpu_path());
  ~CommandRun() = default;

  /// How to read within that memory.
  ReaderOptions reading(const QueryMemory& memory);
  /// Opens the result, and the summary if it has a name: it has to be the last output.
  void open_result(const std::string& result, const std::string& summary = "");
  /// Does the work. If an error of these kinds ends it, what was found before comes out of streams:
  /// `release` first writes what waits for more, and says whether there is anything.
  void up_to_error(
      const std::function<void()>& work, const std::function<bool()>& release = [] { return true; },
      std::initializer_list<ErrorKind> kinds = {ErrorKind::input});
  /// Notes what the device took, writes the summary if it is asked for, and gives all outputs their
  /// names.
  void finish(RunSummary run = {});

  Session& session_;
  CpuPath path_;
  CramReferences cram_;
  StageTimes times_;
  std::unique_ptr<Backend> backend_;
  Outputs outputs_;
  Output* out_ = nullptr;      ///< the result
  Output* summary_ = nullptr;  ///< null if it is not asked for
};

/// The fraction of the input that has been read, for Session::report(); `all` is 0 if it is
/// unknown.
inline double fraction_of(std::uint64_t read, std::uint64_t all) {
  return all == 0 ? -1 : static_cast<double>(read) / static_cast<double>(all);
}
/// Logs what a reader says of lists.
void log_list_notes(const std::vector<std::string>& notes);
/// Warns of files without any of what they should hold, such as "queries".
void warn_of_empty(const std::vector<std::string>& files, const char* what);

}  // namespace gsx::app

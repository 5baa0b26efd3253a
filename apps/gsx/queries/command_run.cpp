#include "queries/command_run.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace gsx::app {

CommandRun::CommandRun(Session& session, CpuPath path)
    : session_(session), path_(path), outputs_(session.threads) {}

ReaderOptions CommandRun::reading(const QueryMemory& memory) {
  ReaderOptions reading = reader_options(memory, std::min(memory.threads, session_.threads), cram_);
  reading.times = &times_;
  reading.path = path_;
  return reading;
}

void CommandRun::open_result(const std::string& result, const std::string& summary) {
  out_ = &outputs_.open(result);
  summary_ = outputs_.open_if_named(summary);
}

void CommandRun::up_to_error(const std::function<void()>& work,
                             const std::function<bool()>& release,
                             std::initializer_list<ErrorKind> kinds) {
  try {
    work();
  } catch (const Error& error) {
    if (std::ranges::count(kinds, error.kind()) != 0 && release()) outputs_.flush_streams();
    throw;
  }
}

void CommandRun::finish(RunSummary run) {
  session_.used(*backend_);
  if (summary_ != nullptr) {
    run.version = GSX_VERSION;
    summary_->write(summary_text(run));
  }
  outputs_.commit();
}

void log_list_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    log().info("{}", note);
}

void warn_of_empty(const std::vector<std::string>& files, const char* what) {
  for (const std::string& file : files)
    log().warn("{}: the file has no {}", file, what);
}

}  // namespace gsx::app

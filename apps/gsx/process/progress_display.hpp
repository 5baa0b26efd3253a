// Shows progress on standard error: a bar that makes room for other lines, or JSON lines.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "base/resources.hpp"

namespace gsx::app {

enum class ProgressMode { none, bar, json };

/// Shows one stage at a time. Any thread may report. A thread of its own, which sleeps nearly
/// always, updates the time between reports.
class ProgressDisplay {
 public:
  ProgressDisplay() = default;
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void start(ProgressMode mode);
  bool is_on() const { return mode_ != ProgressMode::none; }
  /// Reports that a `fraction` of a stage is done (negative if the end is not known), and `done` of
  /// what it handles, in `unit` ("bytes"); 0 if that is not counted. A new stage completes the last
  /// one.
  void report(const std::string& stage, double fraction, std::uint64_t done = 0,
              const char* unit = "");
  /// Says how much the stages of that name will handle, so that their rate can be shown.
  void expect(const std::string& stage, std::uint64_t amount, const char* unit);
  /// Calls `write`, which writes something else to the terminal, without the bar on the screen.
  void make_room(const std::function<void()>& write);
  /// Results go to the terminal from now on: shows no bar any more.
  void give_way();
  /// Removes the bar. If the run `succeeded`, shows the last stage as complete first.
  void close(bool succeeded);

 private:
  struct Shown {
    std::string stage;
    double fraction = -1;
    std::uint64_t done = 0;
    std::string unit;
  };

  void keep_time();
  void show(bool at_once);
  void draw_bar();
  void write_json();
  void clear_bar();
  void complete();
  double rate() const;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread timekeeper_;
  std::atomic<ProgressMode> mode_ = ProgressMode::none;
  Shown now_;
  std::string expected_stage_;
  std::uint64_t expected_ = 0;
  std::string expected_unit_;
  Stopwatch since_start_;
  Stopwatch since_stage_;
  Stopwatch since_shown_;
  bool bar_on_terminal_ = false;
};

/// Whether standard error is a terminal on which a line can be redrawn.
bool can_draw_bar();

}  // namespace gsx::app

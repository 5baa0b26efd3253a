#include "process/progress_display.hpp"

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <system_error>

namespace gsx::app {
namespace {

constexpr double bar_interval = 0.1;    // seconds
constexpr double json_interval = 1.0;   // seconds
constexpr double least_for_rate = 0.1;  // seconds until a rate has the right order of magnitude
constexpr double steady = 1.0;          // seconds until a rate is meaningful

/// Columns of the terminal on standard error; 80 if there is none.
std::size_t columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// 4,213,000 becomes "4.2 M".
std::string short_number(double number) {
  const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
  std::size_t prefix = 0;
  while (number >= 999.5 && prefix + 1 < std::size(prefixes)) {
    number /= 1000;
    ++prefix;
  }
  return fmt::format("{:.{}f}{}", number, number < 9.95 && prefix > 0 ? 1 : 0, prefixes[prefix]);
}

/// "4.2 MB/s", "310 k queries/s".
std::string rate_text(double rate, const std::string& unit) {
  const std::string number = short_number(rate);
  if (unit != "bytes") return number + ' ' + unit + "/s";
  return number + (number.find(' ') == std::string::npos ? " B/s" : "B/s");
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(seconds + 0.5, 1e9));
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string drawn_bar(double fraction, std::size_t width) {
  const auto filled = static_cast<std::size_t>(
      std::lround(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width)));
  return '[' + std::string(filled, '#') + std::string(width - filled, ' ') + ']';
}

}  // namespace

bool can_draw_bar() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  if (timekeeper_.joinable()) timekeeper_.join();
}

void ProgressDisplay::start(ProgressMode mode) {
  mode_ = mode;
  if (mode == ProgressMode::none) return;
  try {
    timekeeper_ = std::thread([this] { keep_time(); });
  } catch (const std::system_error&) {  // without it, the time is updated by reports only
  }
}

void ProgressDisplay::keep_time() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(250), [this] { return end_; })) {
    try {
      if (!now_.stage.empty()) show(false);
    } catch (const std::bad_alloc&) {  // the next report ends the run, if memory stays short
    }
  }
}

void ProgressDisplay::expect(const std::string& stage, std::uint64_t amount, const char* unit) {
  const std::lock_guard lock(mutex_);
  expected_stage_ = stage;
  expected_ = amount;
  expected_unit_ = unit;
}

void ProgressDisplay::report(const std::string& stage, double fraction, std::uint64_t done,
                             const char* unit) {
  if (!is_on()) return;
  const std::lock_guard lock(mutex_);
  const bool begins = stage != now_.stage;
  if (begins) {
    complete();
    since_stage_.lap();
  }
  const double most = begins ? fraction : std::max(fraction, now_.fraction);
  now_ = {stage, std::min(most, 1.0), done, unit};
  if (stage == expected_stage_ && fraction >= 0) {
    now_.done = static_cast<std::uint64_t>(now_.fraction * static_cast<double>(expected_));
    now_.unit = expected_unit_;
  }
  show(begins);
}

void ProgressDisplay::complete() {
  if (now_.stage.empty()) return;
  now_.fraction = 1;
  show(true);
}

void ProgressDisplay::show(bool at_once) {
  const double interval = mode_ == ProgressMode::json ? json_interval : bar_interval;
  if (!at_once && since_shown_.seconds() < interval) return;
  since_shown_.lap();
  if (mode_ == ProgressMode::bar) draw_bar();
  if (mode_ == ProgressMode::json) write_json();
}

double ProgressDisplay::rate() const {
  const double seconds = since_stage_.seconds();
  return now_.done == 0 || seconds <= 0 ? 0 : static_cast<double>(now_.done) / seconds;
}

void ProgressDisplay::draw_bar() {
  const double seconds = since_stage_.seconds();
  const bool known = now_.fraction >= 0;
  std::string end = known ? fmt::format(" {:3.0f} %", std::floor(now_.fraction * 100)) : "";
  const std::string rate_shown =
      now_.done > 0 && seconds >= steady ? "  " + rate_text(rate(), now_.unit) : "";
  std::string time;
  if (!known) {
    time = "  " + time_text(seconds);
  } else if (now_.fraction > 0.005 && now_.fraction < 1 && seconds >= steady) {
    time = "  " + time_text(seconds * (1 - now_.fraction) / now_.fraction) + " left";
  }
  const std::size_t room = columns() - 1;  // a full line would wrap
  constexpr std::size_t widest = 30, narrowest = 5;
  std::size_t taken = now_.stage.size() + end.size() + time.size();
  if (taken + rate_shown.size() + narrowest + 3 <= room) {
    end += rate_shown;
    taken += rate_shown.size();
  }
  end += time;
  std::string line = now_.stage;
  if (known && taken + narrowest + 3 <= room) {
    line += ' ' + drawn_bar(now_.fraction, std::min(widest, room - taken - 3));
  }
  line += end;
  line.resize(std::min(line.size(), room));
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
  bar_on_terminal_ = true;
}

void ProgressDisplay::write_json() {
  const std::string fraction = now_.fraction < 0 ? "null" : fmt::format("{:.4f}", now_.fraction);
  const bool has_rate = now_.done > 0 && since_stage_.seconds() >= least_for_rate;
  const std::string per_second = has_rate ? fmt::format("{:.1f}", rate()) : "null";
  const std::string unit = has_rate ? '"' + now_.unit + '"' : "null";
  std::fprintf(stderr,
               "{\"stage\":\"%s\",\"fraction\":%s,\"seconds\":%.3f,\"rate\":%s,\"unit\":%s}\n",
               now_.stage.c_str(), fraction.c_str(), since_start_.seconds(), per_second.c_str(),
               unit.c_str());
  std::fflush(stderr);
}

void ProgressDisplay::clear_bar() {
  if (bar_on_terminal_) std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  bar_on_terminal_ = false;
}

void ProgressDisplay::make_room(const std::function<void()>& write) {
  const std::lock_guard lock(mutex_);
  const bool shown = bar_on_terminal_;
  clear_bar();
  write();
  if (shown && mode_ == ProgressMode::bar) draw_bar();
}

void ProgressDisplay::give_way() {
  const std::lock_guard lock(mutex_);
  clear_bar();
  if (mode_ == ProgressMode::bar) mode_ = ProgressMode::none;
}

void ProgressDisplay::close(bool succeeded) {
  const std::lock_guard lock(mutex_);
  if (succeeded) complete();
  clear_bar();
  mode_ = ProgressMode::none;
  now_ = {};
}

}  // namespace gsx::app

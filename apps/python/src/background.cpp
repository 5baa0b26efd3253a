#include "background.hpp"

#include <exception>
#include <system_error>
#include <thread>

#include "base/public_call.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// Ends work that is no longer wanted; nobody sees it.
struct Cancelled {};

constexpr std::chrono::milliseconds between_polls(50);

}  // namespace

void BackgroundTask::check() const {
  if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
}

void BackgroundTask::report(const char* stage, double fraction) {
  check();
  const std::lock_guard<std::mutex> lock(mutex_);
  news_ = News{stage, fraction};
}

bool BackgroundTask::wait(std::chrono::milliseconds longest) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, longest, [this] { return finished_; });
}

void BackgroundTask::finish() {
  const std::lock_guard<std::mutex> lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

std::optional<BackgroundTask::News> BackgroundTask::news() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(news_, std::nullopt);
}

void run_in_background(const nb::object& progress,
                       const std::function<void(BackgroundTask&)>& work) {
  BackgroundTask task;
  std::exception_ptr failure;
  std::optional<nb::python_error> raised;
  const auto show_news = [&] {
    const auto news = task.news();
    if (news && !progress.is_none()) progress(news->stage.c_str(), news->fraction);
  };
  const auto guarded = [&] {
    try {
      with_gsx_errors([&] { work(task); });
    } catch (...) {
      failure = std::current_exception();
    }
    task.finish();
  };
  {
    const nb::gil_scoped_release released;
    std::thread worker;
    try {
      worker = std::thread(guarded);
    } catch (const std::system_error&) {
      guarded();  // no thread can be had: then nothing interrupts the work
    }
    while (!task.wait(between_polls)) {
      if (raised) continue;
      const nb::gil_scoped_acquire held;
      try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        show_news();
      } catch (nb::python_error& error) {
        raised.emplace(std::move(error));
        task.cancel();
      }
    }
    if (worker.joinable()) worker.join();
  }
  if (raised) throw nb::python_error(std::move(*raised));
  if (failure) std::rethrow_exception(failure);
  show_news();
}

}  // namespace gsx::python

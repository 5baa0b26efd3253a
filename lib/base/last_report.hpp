// Ends the reports of a computation with one of 1.
#pragma once

#include "base/progress.hpp"

namespace gsx {

/// Passes reports on, and remembers their stage. Must outlive the report that it gives.
class LastReport {
 public:
  explicit LastReport(const ProgressReport& progress) : progress_(progress) {}
  LastReport(const LastReport&) = delete;
  LastReport& operator=(const LastReport&) = delete;

  /// What reports to this; empty if nobody listens.
  ProgressReport progress() {
    if (!progress_) return {};
    return [this](const char* stage, double fraction) {
      stage_ = stage;
      progress_(stage, fraction);
    };
  }
  /// Call it once all is done.
  void finish() const {
    if (progress_) progress_(stage_, 1);
  }

 private:
  const ProgressReport& progress_;
  const char* stage_ = "sorting suffixes";
};

}  // namespace gsx

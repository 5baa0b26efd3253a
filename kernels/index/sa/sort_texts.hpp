// A text on every GPU that sorts it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/base/device_link.hpp"
#include "kernels/index/sa/sort_plan.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx::cuda {

/// The GPUs of a build: `first` has the result, `others` help.
struct SortGpus {
  DeviceLink& first;
  std::span<const std::shared_ptr<DeviceLink>> others;
};

/// Owns the copies of a text on the GPU that has the result, and on the helpers: those that have
/// room for batches of a plan, if there is more than one batch.
class SortTexts {
 public:
  /// Copies to all of them at the same time, and waits. The log names those that are left out.
  /// Pre: the first GPU is current. Throws ResourceError, DeviceError.
  SortTexts(const TextView& host, const SortShape& shape, const SortPlan& plan,
            const SortGpus& gpus, int threads);
  ~SortTexts();
  SortTexts(const SortTexts&) = delete;
  SortTexts& operator=(const SortTexts&) = delete;

  /// On the first GPU.
  TextView view() const { return copies_.front()->view(); }
  std::span<const SortHelper> helpers() const { return helpers_; }

 private:
  std::vector<DeviceLink*> links_;
  std::vector<std::unique_ptr<DeviceText>> copies_;
  std::vector<SortHelper> helpers_;
};

}  // namespace gsx::cuda

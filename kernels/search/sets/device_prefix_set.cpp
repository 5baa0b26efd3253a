#include "kernels/search/sets/device_prefix_set.hpp"

#include "kernels/base/copies.hpp"

namespace gsx::cuda {

DevicePrefixSet::DevicePrefixSet(const PrefixSet& set, Transfer& transfer, DeviceStream stream)
    : view_(set.view()) {
  if (view_.size == 0) return;
  entries_ = copy_to_device(view_.entries, view_.size, transfer, stream);
  starts_ = copy_to_device(view_.starts, view_.buckets() + 1, transfer, stream);
  indexes_ = copy_to_device(set.indexes().data(), view_.size, transfer, stream);
  view_.entries = entries_.data();
  view_.starts = starts_.data();
  if (view_.tail_starts == nullptr) return;
  tails_ = copy_to_device(view_.tails, set.tail_words(), transfer, stream);
  tail_starts_ = copy_to_device(view_.tail_starts, view_.size, transfer, stream);
  view_.tails = tails_.data();
  view_.tail_starts = tail_starts_.data();
}

}  // namespace gsx::cuda

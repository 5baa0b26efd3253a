// The searches of the CUDA back end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device/backend.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/exact/placed_index.hpp"

namespace gsx::cuda {

/// A GPU that searches; what it builds is the business of the class derived from this.
class CudaSearches : public Backend {
 public:
  /// Shares the GPU with whoever else has the link. Throws DeviceError.
  explicit CudaSearches(std::shared_ptr<DeviceLink> link);

  std::string name() const override { return name_; }
  std::uint64_t peak_device_bytes() const override { return link_.pool()->peak(); }
  int search_threads(int cores) const override;

 private:
  std::shared_ptr<DeviceLink> owner_;

 protected:
  DeviceLink& link_ = *owner_;

 private:
  std::string name_;
  SharedPlacement placement_;
};

}  // namespace gsx::cuda

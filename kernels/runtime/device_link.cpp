#include "kernels/runtime/device_link.hpp"

namespace gsx::cuda {

DeviceLink::DeviceLink(int device, std::uint64_t memory_limit) {
  require_usable(device);
  const CurrentDevice current(device);
  pool_ = std::make_shared<MemoryPool>(device, memory_limit);
  stream_.emplace();
}

DeviceLink::~DeviceLink() {
  const CurrentDevice current(device(), std::nothrow);
  transfer_.reset();
  stream_.reset();
  pool_.reset();
}

}  // namespace gsx::cuda

#include "kernels/base/device_link.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx::cuda {

DeviceLink::DeviceLink(int device, std::uint64_t memory_limit) {
  require_usable(device);
  const CurrentDevice current(device);
  pool_ = std::make_shared<MemoryPool>(device, memory_limit);
  stream_.emplace();
  pool_->mailboxes().make(stream_->get());
}

DeviceLink::~DeviceLink() {
  const CurrentDevice current(device(), std::nothrow);
  transfer_.reset();
  stream_.reset();
  pool_.reset();
}

void link_memory(std::span<const std::shared_ptr<DeviceLink>> links) {
  for (const auto& owner : links) {
    const CurrentDevice current = owner->make_current();
    for (const auto& reader : links) {
      if (reader == owner) continue;
      try {
        if (can_reach(reader->device(), owner->device()))
          owner->pool()->let_reach(reader->device());
      } catch (const DeviceError& error) {
        log().debug("copies between GPUs go by way of the host: {}", error.what());
      }
    }
  }
}

}  // namespace gsx::cuda

#include "kernels/search/mismatches/placed_text.hpp"

#include "base/log.hpp"
#include "kernels/base/device.hpp"

namespace gsx::cuda {

PlacedText::PlacedText(const TextView& text, std::shared_ptr<MemoryPool> pool, Transfer& transfer)
    : pool_(std::move(pool)) {
  const std::uint64_t bytes = DeviceText::bytes(text);
  require_device_bytes(*pool_, bytes, "the text");
  log().debug("GPU memory for the text: {} bytes", bytes);
  stream_.emplace();
  text_.emplace(text, transfer, DeviceStream{stream_->get(), pool_.get()});
}

}  // namespace gsx::cuda

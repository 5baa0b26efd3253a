// A text on the device that several searchers share.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "kernels/base/current_device.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/base/transfer.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx::cuda {

class PlacedText {
 public:
  /// Copies the text and waits. Pre: the pool's GPU is current. Throws ResourceError when the text
  /// does not fit, DeviceError.
  PlacedText(const TextView& text, std::shared_ptr<MemoryPool> pool, Transfer& transfer);
  ~PlacedText() {
    const CurrentDevice current(pool_->device(), std::nothrow);
    text_.reset();
    stream_.reset();
  }
  PlacedText(const PlacedText&) = delete;
  PlacedText& operator=(const PlacedText&) = delete;

  TextView view() const { return text_->view(); }
  MemoryPool& pool() const { return *pool_; }

 private:
  std::shared_ptr<MemoryPool> pool_;
  std::optional<Stream> stream_;
  std::optional<DeviceText> text_;
};

}  // namespace gsx::cuda

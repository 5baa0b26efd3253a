#include "kernels/text/device_text.hpp"

namespace gsx::cuda {

DeviceText::DeviceText(const TextView& host, Transfer& transfer, DeviceStream stream)
    : sizes_(host),
      symbols_(PackedView::bytes_for(host.symbols.size, host.symbols.bits), stream),
      starts_(host.segments.count + 1, stream),
      first_((host.length() >> host.segments.shift) + 2, stream) {
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the buffers exist in stream order
  transfer.to_device(symbols_.data(), host.symbols.bytes, symbols_.bytes());
  transfer.to_device(starts_.data(), host.segments.starts, starts_.bytes());
  transfer.to_device(first_.data(), host.segments.first, first_.bytes());
}

TextView DeviceText::view() const {
  TextView view = sizes_;
  view.symbols.bytes = symbols_.data();
  view.segments.starts = starts_.data();
  view.segments.first = first_.data();
  return view;
}

std::uint64_t DeviceText::bytes(const TextView& host) {
  return PackedView::bytes_for(host.symbols.size, host.symbols.bits) +
         sizeof(std::uint64_t) *
             (host.segments.count + 1 + (host.length() >> host.segments.shift) + 2);
}

}  // namespace gsx::cuda

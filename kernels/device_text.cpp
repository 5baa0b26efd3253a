#include "kernels/device_text.hpp"

namespace gsx::cuda {

DeviceText::DeviceText(const TextView& host, cudaStream_t stream)
    : sizes_(host),
      symbols_(PackedView::bytes_for(host.symbols.size, host.symbols.bits), stream),
      starts_(host.segments.count + 1, stream),
      first_((host.length() >> host.segments.shift) + 2, stream) {
  symbols_.copy_from_async(host.symbols.bytes);
  starts_.copy_from_async(host.segments.starts);
  first_.copy_from_async(host.segments.first);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

TextView DeviceText::view() const {
  TextView view = sizes_;
  view.symbols.bytes = symbols_.data();
  view.segments.starts = starts_.data();
  view.segments.first = first_.data();
  return view;
}

}  // namespace gsx::cuda

// Choosing elements.
#pragma once

#include "emulation/cub_call.hpp"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class Size>
  static cudaError_t Flagged(void* workspace, std::size_t& bytes, In in, Flags flags, Out out,
                             Count count, Size size, cudaStream_t stream = nullptr) {
    return run(
        workspace, bytes, in, [=](std::size_t i) { return flags[i] != 0; }, out, count, size,
        stream);
  }
  template <class In, class Out, class Count, class Size, class Predicate>
  static cudaError_t If(void* workspace, std::size_t& bytes, In in, Out out, Count count, Size size,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return run(
        workspace, bytes, in, [=](std::size_t i) { return predicate(in[i]); }, out, count, size,
        stream);
  }

 private:
  template <class In, class Chosen, class Out, class Count, class Size>
  static cudaError_t run(void* workspace, std::size_t& bytes, In in, Chosen chosen, Out out,
                         Count count, Size size, cudaStream_t stream) {
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      std::size_t found = 0;
      for (std::size_t i = 0; i < items; ++i)
        if (chosen(i)) out[found++] = static_cast<gsx::emulation::ValueOfT<Out>>(in[i]);
      *count = static_cast<gsx::emulation::ValueOfT<Count>>(found);
    });
  }
};

}  // namespace cub

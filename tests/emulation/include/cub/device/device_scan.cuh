// Sums and other scans.
#pragma once

#include <functional>
#include <utility>

#include "emulation/cub_call.hpp"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Size>
  static cudaError_t ExclusiveSum(void* workspace, std::size_t& bytes, In in, Out out, Size size,
                                  cudaStream_t stream = nullptr) {
    return run<false>(workspace, bytes, in, out, std::plus<>(), gsx::emulation::ValueOfT<In>(),
                      size, stream);
  }
  template <class In, class Out, class Size>
  static cudaError_t InclusiveSum(void* workspace, std::size_t& bytes, In in, Out out, Size size,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(workspace, bytes, in, out, std::plus<>(), size, stream);
  }
  template <class In, class Out, class Op, class Size>
  static cudaError_t InclusiveScan(void* workspace, std::size_t& bytes, In in, Out out, Op op,
                                   Size size, cudaStream_t stream = nullptr) {
    using Value = gsx::emulation::ValueOfT<In>;
    using Sum = std::decay_t<std::invoke_result_t<Op, Value, Value>>;
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      Sum sum{};
      for (std::size_t i = 0; i < items; ++i) {
        sum = i == 0 ? static_cast<Sum>(in[0]) : static_cast<Sum>(op(sum, in[i]));
        store(out, i, sum);
      }
    });
  }
  template <class In, class Out, class Op, class Init, class Size>
  static cudaError_t InclusiveScanInit(void* workspace, std::size_t& bytes, In in, Out out, Op op,
                                       Init init, Size size, cudaStream_t stream = nullptr) {
    return run<true>(workspace, bytes, in, out, op, init, size, stream);
  }

 private:
  template <bool inclusive, class In, class Out, class Op, class Init, class Size>
  static cudaError_t run(void* workspace, std::size_t& bytes, In in, Out out, Op op, Init init,
                         Size size, cudaStream_t stream) {
    using Sum = std::decay_t<std::invoke_result_t<Op, Init, gsx::emulation::ValueOfT<In>>>;
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      auto sum = static_cast<Sum>(init);
      for (std::size_t i = 0; i < items; ++i) {
        const auto next = static_cast<Sum>(op(sum, in[i]));  // `out` may be `in`
        store(out, i, inclusive ? next : sum);
        sum = next;
      }
    });
  }
  template <class Out, class Sum>
  static void store(Out out, std::size_t i, Sum sum) {
    out[i] = static_cast<gsx::emulation::ValueOfT<Out>>(sum);
  }
};

}  // namespace cub

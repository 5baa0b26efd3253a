// Owner of a CUDA event.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <thread>

#include "kernels/base/cuda_error.hpp"

namespace gsx::cuda {

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDefault) {
    GSX_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags));
  }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  cudaEvent_t get() const { return event_; }
  void record(cudaStream_t stream) const { GSX_CUDA_CHECK(cudaEventRecord(event_, stream)); }
  void wait() const { GSX_CUDA_CHECK(cudaEventSynchronize(event_)); }
  /// Polls for at most so long, and lets other threads run in between. It returns whether the work
  /// is done or not, so wait() must follow; errors show there.
  void wait_awake(std::chrono::microseconds most) const {
    const auto end = std::chrono::steady_clock::now() + most;
    while (cudaEventQuery(event_) == cudaErrorNotReady && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  }
  /// Seconds from `begin` to this event. Waits for it.
  double seconds_since(const Event& begin) const {
    GSX_CUDA_CHECK(cudaEventSynchronize(event_));
    float milliseconds = 0;
    GSX_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.event_, event_));
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Makes what is queued on `stream` from now on wait for what is queued on `earlier` now.
inline void order_after(cudaStream_t stream, cudaStream_t earlier) {
  const Event event(cudaEventDisableTiming);
  event.record(earlier);
  GSX_CUDA_CHECK(cudaStreamWaitEvent(stream, event.get(), 0));
}

/// Waits for all work on a stream asleep, so that others may use the core.
inline void wait_asleep(cudaStream_t stream) {
  const Event done(cudaEventBlockingSync | cudaEventDisableTiming);
  done.record(stream);
  done.wait();
}

}  // namespace gsx::cuda

// Work in the order of a stream.
#pragma once

#include <functional>
#include <string_view>

#include "cuda_runtime_api.h"

namespace gsx::emulation {

/// Queues work; whoever waits for the stream does it.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);

/// Sets the last error of this host thread, unless it is a success.
cudaError_t report(cudaError_t status);

/// Ends the process: the program did what a GPU does not allow.
[[noreturn]] void fail(std::string_view what);

}  // namespace gsx::emulation

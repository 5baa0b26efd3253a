// The devices, and which one a host thread works on.
#pragma once

#include "cuda_runtime_api.h"

namespace gsx::emulation {

int current_device();

/// Marks that the current device has a context.
void use_context();

/// What a call begins with: an error when a kernel has failed before.
cudaError_t begin_call();
/// From now on every call fails.
void break_devices(cudaError_t error);
bool devices_are_broken();

}  // namespace gsx::emulation

// For tests: which devices this process holds something of.
#pragma once

namespace gsx::testing {

/// Devices that are visible; makes no context.
int visible_devices();

/// Whether this process has a context on the device. Throws DeviceError.
bool has_context(int device);

}  // namespace gsx::testing

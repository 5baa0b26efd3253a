// A kernel that does what no kernel may.
#pragma once

namespace gsx::testing {

/// Writes to address 0 on the device and waits: from then on this process has no use of the GPU.
void run_faulty_kernel();

}  // namespace gsx::testing

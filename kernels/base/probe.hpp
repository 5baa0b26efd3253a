// Whether kernels of this program can run at all.
#pragma once

namespace gsx::cuda {

/// Whether the program holds machine code or PTX that the current GPU can run.
bool has_code_for_current_device();

}  // namespace gsx::cuda

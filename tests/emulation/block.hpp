// Runs the blocks of a kernel.
#pragma once

#include "emulation/launch.hpp"

namespace gsx::emulation {

/// Runs all threads of a kernel on the calling host thread. Fails where one waits for another that
/// does not come. Returns false where one has touched memory that is not there.
[[nodiscard]] bool run_blocks(const Launch& launch, const Kernel& kernel);

}  // namespace gsx::emulation

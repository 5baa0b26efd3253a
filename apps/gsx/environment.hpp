// What gsx takes from environment variables that no option stands for; the library reads none.
#pragma once

#include "io/scratch_file.hpp"
#include "machine/cpu_path.hpp"

namespace gsx::app {

/// The instructions that $GSX_CPU names (baseline, avx2), or the best that this CPU has. Throws
/// UsageError when it names none, or some that this CPU does not have.
CpuPath cpu_path();

/// $TMPDIR, or /tmp if that is not set.
ScratchPlace scratch_place();

}  // namespace gsx::app

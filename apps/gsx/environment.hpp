// Reads the environment variables that do not stand for an option. The library reads none.
#pragma once

#include "io/scratch_file.hpp"
#include "machine/cpu_path.hpp"

namespace gsx::app {

/// The instructions that $GSX_CPU names (baseline, avx2), or the best that this CPU has. Throws
/// UsageError if it names none, or instructions that this CPU lacks.
CpuPath cpu_path();

/// $TMPDIR, or /tmp if it is not set.
ScratchPlace scratch_place();

}  // namespace gsx::app

// Reads the environment variables that do not stand for an option. The library reads none.
#pragma once

#include <string>

#include "base/cpu_path.hpp"
#include "bytes/scratch_file.hpp"
#include "records/decoding.hpp"

namespace gsx::app {

/// The instructions that $GSX_CPU names (baseline, avx2), or the best that this CPU has. Throws
/// UsageError if it names none, or instructions that this CPU lacks.
CpuPath cpu_path();

/// The least level that is logged: the one that $GSX_LOG names (error, warning, info, debug), or
/// info if it is not set. Throws UsageError if it names none.
std::string log_level();

/// The places of reference sequences that $REF_PATH and $REF_CACHE name. Where neither is set,
/// htslib has a cache in a folder of the user.
CramReferences local_cram_references();

/// $TMPDIR, or /tmp if it is not set.
ScratchPlace scratch_place();

}  // namespace gsx::app

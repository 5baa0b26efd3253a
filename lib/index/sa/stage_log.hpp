// Log lines about the stages of sorting.
#pragma once

#include <string>

#include "base/resources.hpp"

namespace gsx {

/// Logs at level debug that a stage has ended, with its seconds since the last lap of `watch`. The
/// templates of the logger are slow to compile, so they stay out of the sorters.
void log_stage(Stopwatch& watch, const std::string& stage);

}  // namespace gsx

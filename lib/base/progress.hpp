// Reports the progress of a long computation.
#pragma once

#include <functional>

namespace gsx {

/// Called now and then, by one thread at a time, with the name of the current stage and the
/// fraction of it that is done, from 0 to 1, or negative if that is unknown. May be empty.
using ProgressReport = std::function<void(const char* stage, double fraction)>;

}  // namespace gsx

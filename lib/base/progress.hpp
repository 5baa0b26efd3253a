// How far a long computation has come, told to whoever wants to know.
#pragma once

#include <functional>

namespace gsx {

/// Called now and then, from one thread at a time, with the name of the stage at work and the part
/// of it that is done, from 0 to 1; negative when the end is not known. May be empty.
using ProgressReport = std::function<void(const char* stage, double fraction)>;

}  // namespace gsx

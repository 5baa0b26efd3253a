// The library's log: silent until a program gives it a sink. The library never prints.
#pragma once

#include <spdlog/spdlog.h>

namespace gsx {

/// The logger named "gsx"; drops everything until a program adds a sink and sets a level.
spdlog::logger& log();

}  // namespace gsx

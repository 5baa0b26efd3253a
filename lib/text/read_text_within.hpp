// Reads sequence files into a Text, below a limit that may change meanwhile.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "machine/memory_limit.hpp"
#include "text/text.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// As read_text(), but asks `memory`, if not null, instead of options.memory_limit.
Text read_text_within(MemoryLimit* memory, const std::vector<std::string>& paths,
                      const ReadTextOptions& options, const ProgressReport& progress);

}  // namespace gsx

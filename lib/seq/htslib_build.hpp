// Which htslib reads the input.
#pragma once

#include <string>

namespace gsx {

struct HtslibBuild {
  std::string version;
  bool libdeflate = false;  ///< inflates gzip and BGZF; zlib does, more slowly, where it is missing
};

HtslibBuild htslib_build();

}  // namespace gsx

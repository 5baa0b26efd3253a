// Which htslib the program runs with.
#pragma once

#include <string>

namespace gsx {

struct HtslibBuild {
  std::string version;
  bool libdeflate = false;  ///< whether htslib inflates with libdeflate, which is faster than zlib
};

HtslibBuild htslib_build();

}  // namespace gsx

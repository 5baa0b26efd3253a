#include "records/formats/htslib_build.hpp"

#include <htslib/hts.h>

namespace gsx {

HtslibBuild htslib_build() {
  const unsigned features = hts_features();
  return {.version = hts_version(), .libdeflate = (features & HTS_FEATURE_LIBDEFLATE) != 0};
}

}  // namespace gsx

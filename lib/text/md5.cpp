#include "text/md5.hpp"

#include <htslib/hts.h>

namespace gsx {

std::string to_hex(const Md5& md5) {
  char hex[33];
  hts_md5_hex(hex, md5.data());
  return hex;
}

}  // namespace gsx

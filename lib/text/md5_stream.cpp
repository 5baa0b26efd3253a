#include "text/md5_stream.hpp"

#include <htslib/hts.h>

#include "base/error.hpp"

namespace gsx {

std::string to_hex(const Md5& md5) {
  char hex[33];
  hts_md5_hex(hex, md5.data());
  return hex;
}

Md5Stream::Md5Stream() : context_(hts_md5_init()) {
  if (context_ == nullptr) throw ResourceError("out of memory: MD5 context");
}

Md5Stream::~Md5Stream() {
  hts_md5_destroy(context_);
}

void Md5Stream::update(std::string_view symbols) {
  hts_md5_update(context_, symbols.data(), symbols.size());
}

Md5 Md5Stream::finish() {
  Md5 md5;
  hts_md5_final(md5.data(), context_);
  hts_md5_reset(context_);
  return md5;
}

}  // namespace gsx

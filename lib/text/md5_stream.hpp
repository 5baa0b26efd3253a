// MD5 of a stream of symbols, computed by htslib.
#pragma once

#include <string_view>

#include "text/md5.hpp"

struct hts_md5_context;

namespace gsx {

class Md5Stream {
 public:
  Md5Stream();  ///< Throws ResourceError.
  ~Md5Stream();
  Md5Stream(const Md5Stream&) = delete;
  Md5Stream& operator=(const Md5Stream&) = delete;

  void update(std::string_view symbols);
  /// The digest of all symbols since the last finish(). The stream then starts again.
  Md5 finish();

 private:
  hts_md5_context* context_;
};

}  // namespace gsx

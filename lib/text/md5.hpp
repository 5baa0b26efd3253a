// MD5 of a stream of symbols, computed by htslib.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/export.hpp"

struct hts_md5_context;

namespace gsx {

using Md5 = std::array<std::uint8_t, 16>;

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

/// 32 lower-case hexadecimal digits.
GSX_API std::string to_hex(const Md5& md5);

}  // namespace gsx

#include "records/reading_warning.hpp"

#include "base/log.hpp"

namespace gsx {

void warn_of_reading(const Decoding& decoding, const std::string& message) {
  if (!decoding.warns) return;
  if (decoding.on_warning) return decoding.on_warning(message);
  log().warn("{}", message);
}

}  // namespace gsx

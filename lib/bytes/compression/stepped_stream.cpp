#include "bytes/compression/stepped_stream.hpp"

#include "bytes/source_error.hpp"

namespace gsx {

std::size_t SteppedStream::read(char* to, std::size_t count) {
  char* at = to;
  try {
    while (!failure_ && at != to + count && step(at, to + count)) {
    }
  } catch (const SourceError&) {
    failure_ = std::current_exception();
  }
  if (at == to && failure_) std::rethrow_exception(failure_);
  return static_cast<std::size_t>(at - to);
}

}  // namespace gsx

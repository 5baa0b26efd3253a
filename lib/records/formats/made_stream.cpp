#include "records/formats/made_stream.hpp"

#include <string_view>

#include "bytes/source_error.hpp"

namespace gsx {

std::size_t MadeStream::read(char* to, std::size_t count) {
  std::size_t done = 0;
  while (done != count) {
    if (taken_ == text_.size()) make_more();
    if (text_.empty()) break;
    const std::size_t copied = std::string_view(text_).substr(taken_).copy(to + done, count - done);
    taken_ += copied;
    done += copied;
  }
  if (done == 0 && count != 0 && failure_) std::rethrow_exception(failure_);
  return done;
}

/// Replaces the text that has been read; by none at the end or an error.
void MadeStream::make_more() {
  text_.clear();
  taken_ = 0;
  try {
    while (text_.empty() && !ended_ && !failure_)
      ended_ = !make(text_);
  } catch (const SourceError&) {
    failure_ = std::current_exception();
  }
}

}  // namespace gsx

// A stream whose first bytes can be looked at.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bytes/compression/stepped_stream.hpp"
#include "bytes/source_error.hpp"

namespace gsx {

class StartedStream final : public SteppedStream {
 public:
  /// Decodes up to `count` bytes at once. An error before them waits for read().
  StartedStream(std::unique_ptr<ByteStream> from, std::size_t count)
      : from_(std::move(from)), start_(count, '\0') {
    try {
      start_.resize(from_->read(start_.data(), count));
    } catch (const SourceError&) {
      start_.clear();  // the stream throws it again
    }
  }

  std::string_view start() const { return start_; }
  std::uint64_t position() const override { return from_->position(); }

 private:
  bool step(char*& to, char* end) override {
    const auto room = static_cast<std::size_t>(end - to);
    const bool started = taken_ == start_.size();
    const std::size_t done = started ? from_->read(to, room) : start_.copy(to, room, taken_);
    taken_ += started ? 0 : done;
    to += done;
    return done != 0;
  }

  std::unique_ptr<ByteStream> from_;
  std::string start_;
  std::size_t taken_ = 0;  ///< of start_
};

}  // namespace gsx

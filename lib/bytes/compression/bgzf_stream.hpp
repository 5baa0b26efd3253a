// The bytes of BGZF blocks, and of the gzip members that may follow them.
#pragma once

#include <memory>
#include <string_view>

#include "bytes/compression/bgzf_blocks.hpp"
#include "bytes/compression/gzip_stream.hpp"
#include "bytes/compression/stepped_stream.hpp"

namespace gsx {

class BgzfStream final : public SteppedStream {
 public:
  /// Pre: `blocks` reads `file`, and both outlive this.
  BgzfStream(BgzfBlocks& blocks, hFILE& file) : blocks_(blocks), file_(file) {}

  std::uint64_t position() const override {
    return blocks_.position() + (members_ ? members_->position() : 0);
  }

 private:
  bool step(char*& to, char* end) override {
    if (members_) {
      const std::size_t done = members_->read(to, static_cast<std::size_t>(end - to));
      to += done;
      return done != 0;
    }
    if (ahead_.empty()) ahead_ = blocks_.next();
    const std::size_t done = ahead_.copy(to, static_cast<std::size_t>(end - to));
    to += done;
    ahead_.remove_prefix(done);
    if (done != 0) return true;
    if (blocks_.gzip_follows()) members_ = std::make_unique<GzipStream>(file_);
    return members_ != nullptr;
  }

  BgzfBlocks& blocks_;
  hFILE& file_;
  std::string_view ahead_;  ///< of the block, not yet given
  std::unique_ptr<GzipStream> members_;
};

}  // namespace gsx

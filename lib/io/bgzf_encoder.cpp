#include "io/bgzf_encoder.hpp"

#include <htslib/bgzf.h>

#include <algorithm>

#include "base/error.hpp"

namespace gsx {
namespace {

/// The default level of gzip and bgzip.
constexpr int level = 6;

/// Appends one block. A block of no bytes marks the end of the file.
void append_block(std::string_view bytes, std::string& out) {
  const std::size_t before = out.size();
  std::size_t size = BGZF_MAX_BLOCK_SIZE;
  out.resize(before + size);
  if (bgzf_compress(out.data() + before, &size, bytes.data(), bytes.size(), level) != 0) {
    throw RuntimeError("cannot compress the output: htslib's bgzf_compress has failed");
  }
  out.resize(before + size);
}

}  // namespace

void BgzfEncoder::add(std::string_view bytes, std::string& out) {
  while (open_.size() + bytes.size() >= BGZF_BLOCK_SIZE) {
    const std::size_t taken = BGZF_BLOCK_SIZE - open_.size();
    if (open_.empty()) {
      append_block(bytes.substr(0, taken), out);
    } else {
      open_ += bytes.substr(0, taken);
      append_block(open_, out);
      open_.clear();
    }
    bytes.remove_prefix(taken);
  }
  open_ += bytes;
}

void BgzfEncoder::finish(std::string& out) {
  if (!open_.empty()) append_block(open_, out);
  open_.clear();
  append_block({}, out);
}

}  // namespace gsx

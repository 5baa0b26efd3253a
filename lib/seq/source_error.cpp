#include "seq/source_error.hpp"

#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace gsx {

void fail_with_errno(int number) {
  if (number == EMFILE || number == ENFILE) {
    throw OpenFilesError(std::string(std::strerror(number)) +
                         "; raise the limit (ulimit -n), or use fewer threads");
  }
  throw SourceError(number == 0 ? "read error" : std::strerror(number));
}

void fail_damaged() {
  throw SourceError("the compressed data is truncated or damaged; fetch the file again");
}

void fail_trailing_bytes() {
  throw SourceError(
      "bytes that are not compressed follow the complete compressed data; remove them "
      "('gzip -dc' ignores them), or fetch the file again");
}

void require_only_padding(hFILE& file) {
  char bytes[4096];
  for (ssize_t count; (count = hread(&file, bytes, sizeof bytes)) != 0;) {
    if (count < 0) fail_with_errno(errno);
    if (std::any_of(bytes, bytes + count, [](char byte) { return byte != 0; }))
      fail_trailing_bytes();
  }
}

}  // namespace gsx

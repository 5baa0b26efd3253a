#include "bytes/source_error.hpp"

#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bytes/file_kind.hpp"

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

void fail_trailing_bytes(std::string_view bytes, const std::string& hint) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of('\0'), bytes.size()));
  if (const char* const packing = packing_name(kind_of_start(bytes)); packing != nullptr) {
    throw SourceError("data compressed by " + std::string(packing) +
                      " follows the complete compressed data, which is compressed in another way: "
                      "files were joined; decompress each, and join what they hold");
  }
  throw SourceError(
      "bytes that are not compressed follow the complete compressed data; remove them" + hint +
      ", or fetch the file again");
}

void require_only_padding(hFILE& file) {
  char bytes[4096];
  for (ssize_t count; (count = hread(&file, bytes, sizeof bytes)) != 0;) {
    if (count < 0) fail_with_errno(errno);
    if (std::any_of(bytes, bytes + count, [](char byte) { return byte != 0; }))
      fail_trailing_bytes({bytes, static_cast<std::size_t>(count)});
  }
}

}  // namespace gsx

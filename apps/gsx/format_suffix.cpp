#include "format_suffix.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"

namespace gsx::app {

std::string format_suffix(std::string output) {
  std::transform(output.begin(), output.end(), output.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view compressed : {".gz", ".bgz"}) {
    if (output.ends_with(compressed)) {
      output.resize(output.size() - compressed.size());
      break;
    }
  }
  const std::size_t dot = output.rfind('.');
  return dot == std::string::npos ? "" : output.substr(dot + 1);
}

void refuse_other_format(const std::string& suffix, const char* command, const char* formats,
                         const char* option) {
  for (const char* other : {"json", "csv", "cram", "gff", "vcf"}) {
    if (suffix != other) continue;
    throw UsageError(std::string(option) + ": " + command + " does not write the format that ." +
                     suffix + " names; name " + formats + " by --format or the suffix");
  }
}

}  // namespace gsx::app

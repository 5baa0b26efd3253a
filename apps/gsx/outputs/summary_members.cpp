#include "outputs/summary_members.hpp"

#include <spdlog/fmt/fmt.h>

#include "index/store/index_checksum.hpp"
#include "output/lines/text_format.hpp"

namespace gsx::app {

std::string files_member(std::string_view name, const std::vector<std::string>& files) {
  std::string text = fmt::format(",\"{}\":[", name);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i != 0) text += ',';
    append_json_string(text, files[i]);
  }
  return text + ']';
}

std::string input_members(const Index& index, const std::vector<std::string>& references,
                          const std::vector<std::string>& query_files) {
  std::string text = ",\"index\":{\"file\":";
  if (references.empty()) {
    append_json_string(text, index.path().substr(index.path().rfind('/') + 1));
  } else {
    text += "null";
  }
  text += fmt::format(",\"checksum\":\"{:016x}\"}}", checksum_of(index));
  if (!references.empty()) text += files_member("references", references);
  return text + files_member("query_files", query_files);
}

}  // namespace gsx::app

#include "input_list.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "seq/sequence_file.hpp"
#include "whole_file.hpp"

namespace gsx::app {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// Bytes of a list; what is larger is something else.
constexpr std::uint64_t most_list_bytes = std::uint64_t{1} << 30;

[[noreturn]] void fail_on_standard_input() {
  throw UsageError("standard input cannot be the list of files and a file of sequences");
}

}  // namespace

InputList read_input_list(const std::string& path) {
  const WholeFile file = read_whole(path, "a list of files", {most_list_bytes, ""});
  const auto bytes = file.bytes();
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  InputList list;
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const auto fail = [&](const char* what) {
      throw input_error(shown_file(path), 0, {}, number, what);
    };
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1 && line.starts_with(byte_order_mark))
      line.remove_prefix(byte_order_mark.size());
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    if (line.find('\0') != std::string_view::npos)
      fail("the line holds a NUL byte, and the list has to be plain text");
    const std::size_t tab = line.find('\t');
    const std::string_view file_path = line.substr(0, tab);
    const std::string_view name = tab == std::string_view::npos ? "" : line.substr(tab + 1);
    if (file_path.empty() || name.find('\t') != std::string_view::npos ||
        (tab != std::string_view::npos && name.empty()))
      fail("it has to be the path of a file, or a path, a tab and a name");
    list.files.emplace_back(file_path);
    list.names.emplace_back(name);
  }
  if (list.files.empty()) throw input_error(shown_file(path), 0, {}, 0, "it names no file");
  return list;
}

void append_input_list(const std::string& path, std::vector<std::string>& files,
                       std::vector<std::string>& names) {
  if (path.empty()) return;
  if (path == "-" && std::ranges::count(files, "-") != 0) fail_on_standard_input();
  const InputList list = read_input_list(path);
  if (path == "-" && std::ranges::count(list.files, "-") != 0) fail_on_standard_input();
  names.resize(files.size());
  files.insert(files.end(), list.files.begin(), list.files.end());
  names.insert(names.end(), list.names.begin(), list.names.end());
}

}  // namespace gsx::app

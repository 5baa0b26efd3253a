#include "records/file_stem.hpp"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view compressions[] = {".gz", ".bgz", ".bgzf", ".bz2", ".xz", ".zst"};
constexpr std::string_view formats[] = {".fa", ".fasta", ".fna",  ".ffn", ".faa", ".fas",
                                        ".fq", ".fastq", ".2bit", ".sam", ".bam", ".cram"};

std::string lower_case_extension(const fs::path& path) {
  std::string name = path.extension().string();
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return name;
}

}  // namespace

bool is_descriptor(const std::string& path) {
  if (path == "-") return true;
  fs::path at = path;
  for (int links = 0; links < 40; ++links) {
    struct statfs system {};
    const fs::path folder = at.has_parent_path() ? at.parent_path() : ".";
    if (statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC) return true;
    std::error_code error;
    const fs::path target = fs::read_symlink(at, error);
    if (error) return false;
    at = at.parent_path() / target;
  }
  return false;
}

std::string without_suffixes(const std::string& path) {
  fs::path left = path;
  for (const std::string_view packed : compressions)
    if (lower_case_extension(left) == packed) left.replace_extension();
  if (std::ranges::find(formats, lower_case_extension(left)) != std::end(formats))
    left.replace_extension();
  return left.string();
}

std::vector<std::string> file_stems(const std::vector<std::string>& paths,
                                    const std::vector<std::string>& names) {
  if (!names.empty() && names.size() != paths.size())
    throw UsageError("there are " + std::to_string(names.size()) + " names for " +
                     std::to_string(paths.size()) + " files");
  std::vector<std::string> stems;
  std::map<std::string, std::string> first;  // file of each stem
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    std::error_code error;
    const bool is_named = !names.empty() && !names[i].empty();
    if (!is_named && (is_descriptor(path) || fs::is_fifo(path, error))) {
      throw UsageError("'" + printable(path) +
                       "' has no name to keep: a pipe or standard input is no named file");
    }
    stems.push_back(is_named ? names[i] : fs::path(without_suffixes(path)).filename().string());
    const auto [other, is_new] = first.emplace(stems.back(), path);
    if (is_new) continue;
    if (fs::equivalent(other->second, path, error))
      throw UsageError("'" + printable(path) + "' is given twice; --files keeps each file once");
    throw UsageError(
        "'" + printable(other->second) + "' and '" + printable(path) + "' would both be kept as '" +
        printable(stems.back()) +
        "'; give files names that differ before their suffixes, or a list of files with a "
        "name for each");
  }
  return stems;
}

}  // namespace gsx

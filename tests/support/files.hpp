// Files for tests: plain, compressed, and in a folder that is removed at the end.
#pragma once

#include <htslib/bgzf.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsx::testing {

/// Writes a file and returns its path.
inline std::string write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  return path;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

/// Writes a compressed file; `mode` is that of bgzf_open.
inline void write_compressed(const std::string& path, std::string_view content, const char* mode) {
  BGZF* file = bgzf_open(path.c_str(), mode);
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  const ssize_t written = bgzf_write(file, content.data(), content.size());
  const bool closed = bgzf_close(file) == 0;
  if (!closed || written != static_cast<ssize_t>(content.size())) {
    throw std::runtime_error("cannot write " + path);
  }
}
inline void write_gzip(const std::string& path, std::string_view content) {
  write_compressed(path, content, "wg");
}
inline void write_bgzf(const std::string& path, std::string_view content) {
  write_compressed(path, content, "w");
}

/// Whether a name is that of a temporary file or folder of gsx.
inline bool is_temporary(const std::string& name) {
  return name.starts_with('.') && name.find(".gsx-") != name.npos && name.ends_with(".tmp");
}

/// A folder for one test; removed with its content at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gsx-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, error);
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + '/' + name; }

  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view content) const {
    return write_file(*this / name, content);
  }
  std::string read(const std::string& name) const { return read_file(*this / name); }
  bool has(const std::string& name) const { return std::filesystem::exists(*this / name); }

  /// The names of all files in the folder, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::string path_;
};

}  // namespace gsx::testing

#include "bytes/replaceable_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

/// Undoes \ooo, which stands for blanks, line ends and backslashes in mountinfo.
std::string unescaped(const std::string& field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 3 >= field.size()) {
      text += field[i];
      continue;
    }
    text += static_cast<char>(std::stoi(field.substr(i + 1, 3), nullptr, 8));
    i += 3;
  }
  return text;
}

/// Why no file can be renamed to the name; "" if nothing is known against it.
std::string obstacle(const std::string& path, const struct stat& file) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return "";
  std::ifstream mounts("/proc/self/mountinfo");
  if (is_mount_point(mounts, real)) return "it is a mount point";
  const std::string parent = real.parent_path();
  if (access(parent.c_str(), W_OK | X_OK) != 0)
    return std::string("no file can be made beside it (") + std::strerror(errno) + ")";
  struct stat folder {};
  if (stat(parent.c_str(), &folder) == 0 && is_kept_by_sticky_folder(folder, file, geteuid()))
    return "it belongs to another user, and its folder has the sticky bit";
  return "";
}

}  // namespace

bool is_mount_point(std::istream& mounts, const std::string& path) {
  // ID, parent, device and root come before the mount point.
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i < 5; ++i)
      fields >> field;
    if (fields && unescaped(field) == path) return true;
  }
  return false;
}

bool is_kept_by_sticky_folder(const struct stat& folder, const struct stat& file, uid_t user) {
  return user != 0 && (folder.st_mode & S_ISVTX) != 0 && folder.st_uid != user &&
         file.st_uid != user;
}

void require_replaceable_file(const std::string& path, const struct stat& file, bool in_place) {
  const std::string why = obstacle(path, file);
  if (why.empty()) return;
  throw RuntimeError("cannot replace '" + printable(path) + "': " + why + "; name another file" +
                     (in_place ? ", or write to standard output, > " + printable(path) : ""));
}

}  // namespace gsx

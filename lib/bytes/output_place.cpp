#include "bytes/output_place.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "base/messages.hpp"

namespace gsx {
namespace {

namespace fs = std::filesystem;

/// The N of /proc/self/fd/N, by whatever names and links the folder is reached.
std::optional<int> descriptor_named(const fs::path& path) {
  const std::string number = path.filename().string();
  int descriptor = -1;
  const char* end = number.data() + number.size();
  const auto [stop, problem] = std::from_chars(number.data(), end, descriptor);
  if (problem != std::errc{} || stop != end || descriptor < 0) return std::nullopt;
  std::error_code error;
  const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
  if (error || folder.filename() != "fd") return std::nullopt;
  for (const char* self : {"/proc/self", "/proc/thread-self"}) {
    const fs::path own = fs::canonical(self, error);
    if (!error && folder.parent_path() == own) return descriptor;
  }
  return std::nullopt;
}

bool is_one_regular_file(const struct stat& a, const struct stat& b) {
  return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether two files, which need not exist, have one name in one folder, by whatever links or
/// mounts the folder is reached.
bool is_one_name(const fs::path& a, const fs::path& b) {
  if (a.filename() != b.filename()) return false;
  const auto folder_of = [](const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
  };
  std::error_code error;
  return folder_of(a) == folder_of(b) || fs::equivalent(folder_of(a), folder_of(b), error);
}

}  // namespace

OutputPlace OutputPlace::of(const std::string& name) {
  if (name.empty() || name == "-") return {name, STDOUT_FILENO};
  fs::path at(name);
  constexpr int most_links = 40;  // the limit of Linux
  for (int links = 0;; ++links) {
    if (links > most_links) throw_system_error("write to", name, ELOOP);
    if (const auto descriptor = descriptor_named(at)) return {name, descriptor};
    std::error_code error;
    const auto target = fs::read_symlink(at, error);
    if (error) break;
    at = at.parent_path() / target;  // replaces `at` if the target is absolute
  }
  struct stat standard {
  }, named{};
  if (fstat(STDOUT_FILENO, &standard) == 0 && stat(at.c_str(), &named) == 0 &&
      is_one_regular_file(standard, named)) {
    return {name, STDOUT_FILENO};
  }
  return {at.string(), std::nullopt};
}

bool OutputPlace::collides_with(const OutputPlace& other) const {
  if (descriptor && other.descriptor) return *descriptor == *other.descriptor;
  if (!descriptor && !other.descriptor) {
    struct stat one {
    }, two{};
    return is_one_name(path, other.path) ||
           (stat(path.c_str(), &one) == 0 && stat(other.path.c_str(), &two) == 0 &&
            is_one_regular_file(one, two));
  }
  if (!descriptor) return other.collides_with(*this);
  struct stat open {
  }, named{};
  return fstat(*descriptor, &open) == 0 && stat(other.path.c_str(), &named) == 0 &&
         is_one_regular_file(open, named);
}

}  // namespace gsx

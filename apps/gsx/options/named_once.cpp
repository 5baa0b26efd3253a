#include "options/named_once.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"

namespace gsx::app {
namespace {

/// Says which file is named twice; "" if none is.
std::string named_twice(const std::vector<std::string>& paths) {
  std::map<std::pair<dev_t, ino_t>, const std::string*> seen;
  std::set<std::string> names;
  for (const std::string& path : paths) {
    std::string also;
    struct stat file {};
    bool is_new = names.insert(path).second;
    const bool exists = (path == "-" ? fstat(STDIN_FILENO, &file) : stat(path.c_str(), &file)) == 0;
    if (is_new && exists && S_ISREG(file.st_mode)) {
      const auto [other, inserted] = seen.try_emplace({file.st_dev, file.st_ino}, &path);
      if (!inserted) also = ", also as '" + printable(*other->second) + "'";
      is_new = inserted;
    }
    if (!is_new) return "'" + printable(path) + "' is named twice" + also;
  }
  return "";
}

}  // namespace

void refuse_empty_names(const std::vector<std::string>& paths) {
  if (std::ranges::find(paths, "") == paths.end()) return;
  throw UsageError("the name of a file is empty; name a file, or '-' for standard input");
}

void require_each_once(const std::vector<std::string>& paths, const std::string& consequence) {
  if (const std::string found = named_twice(paths); !found.empty())
    throw UsageError(found + ": " + consequence);
}

void warn_of_named_twice(const std::vector<std::string>& paths, const std::string& consequence) {
  if (const std::string found = named_twice(paths); !found.empty())
    log().warn("{}: {}", found, consequence);
}

}  // namespace gsx::app

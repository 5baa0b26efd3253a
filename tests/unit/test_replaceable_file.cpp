// Files that no other can be renamed to.
#include <doctest/doctest.h>

#include <sstream>

#include "bytes/replaceable_file.hpp"

using namespace gsx;

TEST_CASE("mount points are known from the lines of mountinfo") {
  const std::string lines =
      "22 1 0:21 / / rw,relatime - overlay overlay rw\n"
      "36 22 98:0 /src.tsv /mnt/o.tsv rw,noatime master:1 - ext3 /dev/root rw\n"
      "37 22 98:0 /x /mnt/with\\040blank\\134and\\011tab rw - ext3 /dev/root rw\n"
      "cut\n";
  const auto is_one = [&](const std::string& path) {
    std::istringstream mounts(lines);
    return is_mount_point(mounts, path);
  };
  CHECK(is_one("/mnt/o.tsv"));
  CHECK(is_one("/mnt/with blank\\and\ttab"));
  for (const char* other : {"/mnt/o", "/mnt/o.tsv2", "/src.tsv", "/mnt", "", "cut"}) {
    CAPTURE(other);
    CHECK_FALSE(is_one(other));
  }
}

TEST_CASE("a folder with the sticky bit keeps the files of other users") {
  struct Case {
    mode_t mode;
    uid_t folder, file, user;
    bool kept;
  };
  for (const Case& c :
       {Case{01777, 0, 7, 8, true}, Case{01777, 0, 7, 7, false}, Case{01777, 8, 7, 8, false},
        Case{01777, 1, 7, 0, false}, Case{0777, 0, 7, 8, false}}) {
    CAPTURE(c.mode);
    CAPTURE(c.user);
    struct stat folder {
    }, file{};
    folder.st_mode = S_IFDIR | c.mode;
    folder.st_uid = c.folder;
    file.st_uid = c.file;
    CHECK(is_kept_by_sticky_folder(folder, file, c.user) == c.kept);
  }
}

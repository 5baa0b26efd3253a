// Output::reserve(): pages for a file in memory, before it is written.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.hpp"
#include "bytes/output.hpp"
#include "bytes/reserved_copy.hpp"
#include "bytes/temporary_file.hpp"
#include "support/files.hpp"
#include "support/skip.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

bool in_memory(const std::string& folder) {
  struct statfs system {};
  return statfs(folder.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC &&
         access(folder.c_str(), W_OK) == 0;
}

/// A folder in /dev/shm.
struct MemoryFolder {
  std::string path = "/dev/shm/gsx-test-reserve-" + std::to_string(getpid());

  MemoryFolder() { std::filesystem::create_directory(path); }
  ~MemoryFolder() { std::filesystem::remove_all(path); }
  /// The size and the room of the only file.
  std::pair<std::uint64_t, std::uint64_t> only_file() const {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      struct stat status {};
      CHECK(stat(entry.path().c_str(), &status) == 0);
      return {status.st_size, status.st_blocks * 512};
    }
    return {0, 0};
  }
};

}  // namespace

TEST_CASE("a file in memory gets its pages before it is written, and no more") {
  GSX_SKIP_IF(!in_memory("/dev/shm"), "/dev/shm is not in memory");
  const MemoryFolder folder;
  const std::string content(40'000'001, 'x');
  {
    Output out(folder.path + "/file");
    out.reserve(content.size());
    const auto [size, room] = folder.only_file();
    CHECK(size == 0);
    CHECK(room >= content.size());
    CHECK(room < content.size() + 65536);
    out.write(content);
    out.commit();
  }
  CHECK(read_file(folder.path + "/file") == content);
  CHECK(folder.only_file().second < content.size() + 65536);
  // More than there is: nothing is taken.
  std::filesystem::remove(folder.path + "/file");
  Output out(folder.path + "/file");
  out.reserve(std::uint64_t{1} << 60);
  CHECK(folder.only_file().second == 0);
  out.write("y");
  out.commit();
  CHECK(read_file(folder.path + "/file") == "y");
}

TEST_CASE("several threads write what one would") {
  GSX_SKIP_IF(!in_memory("/dev/shm"), "/dev/shm is not in memory");
  const MemoryFolder folder;
  std::string content(50'000'017, '\0');
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<char>(i % 251);
  const std::string_view all = content;
  // Nothing reserved, a part, and all of it; the bytes on threads begin inside a page.
  for (const std::size_t reserved : {0ul, 30'000'000ul, content.size()}) {
    int checks = 0;
    Output out(folder.path + "/file");
    out.check_before_writing([&] { ++checks; });
    if (reserved != 0) out.reserve(reserved);
    out.write(all.substr(0, 12'345));
    out.write_on_threads(all.substr(12'345, 20'000'001), 3);
    out.write(all.substr(20'012'346, 7));
    CHECK(out.offset() == 20'012'353);
    const int checked = checks;
    out.write_on_threads(all.substr(20'012'353), 2);
    CHECK(checks > checked);
    out.commit();
    CHECK(read_file(folder.path + "/file") == content);
  }
  // What the source of the bytes no longer vouches for is not written.
  Output out(folder.path + "/file");
  out.reserve(content.size());
  out.check_before_writing([] { throw RuntimeError("changed"); });
  CHECK_THROWS_AS(out.write_on_threads(all, 2), RuntimeError);
  CHECK(read_file(folder.path + "/file") == content);  // that of before
}

TEST_CASE("a file in memory can be mapped for writing, another descriptor's cannot") {
  GSX_SKIP_IF(!in_memory("/dev/shm"), "/dev/shm is not in memory");
  const MemoryFolder folder;
  const std::string path = folder.path + "/file", content(3'000'001, 'x');
  TemporaryFile file(path, 0600);
  REQUIRE(ftruncate(file.descriptor(), 4'000'000) == 0);
  CHECK(copy_to_reserved(file.descriptor(), 999, content, 3));
  char read[3];
  REQUIRE(pread(file.descriptor(), read, 3, 997) == 3);
  CHECK(std::string_view(read, 3) == std::string_view("\0\0x", 3));
  REQUIRE(pread(file.descriptor(), read, 3, 3'000'999) == 3);
  CHECK(std::string_view(read, 3) == std::string_view("x\0\0", 3));
  const int only_written = open("/dev/null", O_WRONLY | O_CLOEXEC);
  CHECK_FALSE(copy_to_reserved(only_written, 0, content, 3));
  close(only_written);
}

TEST_CASE("reserving changes no other output") {
  const TemporaryFolder folder;
  for (const Encoding encoding : {Encoding::plain, Encoding::bgzf}) {
    for (const std::uint64_t bytes : {std::uint64_t{3}, std::uint64_t{1} << 60}) {
      Output out(folder / "file", encoding);
      out.reserve(bytes);
      out.write("ACG");
      out.write_on_threads(std::string(20'000'000, 'T'), 2);
      out.commit();
      if (encoding == Encoding::plain)
        CHECK(folder.read("file") == "ACG" + std::string(20'000'000, 'T'));
    }
  }
}

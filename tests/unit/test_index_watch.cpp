// What is said of an index file that changes, or was wrong, while it is open.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "gsx/error.hpp"
#include "gsx/index.hpp"
#include "index/store/index_changed.hpp"
#include "support/index_file.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Place {
  TemporaryFolder folder;
  std::string path = folder / "g.gsx", bytes;

  Place() {
    Random random(910);
    build_index(text_of_records({random_string(random, 5000, "ACGT")}), {.device = "cpu"})
        .save(path);
    bytes = read_file(path);
  }
  /// Changes a byte of a section in place, and leaves the time of the last change as it was.
  void damage(const char* section) const {
    struct stat before {};
    REQUIRE(stat(path.c_str(), &before) == 0);
    const auto at = static_cast<std::streamoff>(IndexFile(bytes).at(section));
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const char byte = static_cast<char>(bytes[static_cast<std::size_t>(at)] ^ 1);
    file.seekp(at).write(&byte, 1);
    file.close();
    const timespec times[2] = {before.st_atim, before.st_mtim};
    REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  }
  void change_mode() const { REQUIRE(chmod(path.c_str(), 0600) == 0); }
};

/// What is said of an index that has changed, or was wrong from the start.
std::string refusal(const Index& index) {
  try {
    index.require_unchanged();
  } catch (const IndexChangedError& error) {
    CHECK(std::string(error.what()).find("was written to while it was in use") !=
          std::string::npos);
    return "changed";
  } catch (const CorruptIndexError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file that was wrong when it was opened lazily is not said to have changed since") {
  const Place place;
  place.damage("samples");
  const Index index = Index::open(place.path, Load::lazy);
  CHECK(refusal(index) == "");
  place.change_mode();
  CHECK(refusal(index).find("is corrupt: section 'samples' does not match its checksum") !=
        std::string::npos);
}

TEST_CASE("a file that was right once, and is not any more, is said to have changed") {
  for (const Load load : {Load::map, Load::lazy}) {
    for (const bool by_mode : {false, true}) {
      CAPTURE(by_mode);
      const Place place;
      const Index index = Index::open(place.path, load);
      if (by_mode) {  // after which the whole file is read once
        place.change_mode();
      } else if (load == Load::lazy) {
        index.check_content();
      }
      CHECK(refusal(index) == "");
      place.damage("samples");
      CHECK(refusal(index) == "changed");
    }
  }
}

TEST_CASE("a file whose mode changes is still the same") {
  for (const Load load : {Load::map, Load::read, Load::lazy}) {
    const Place place;
    const Index index = Index::open(place.path, load);
    place.change_mode();
    CHECK(refusal(index) == "");
  }
}

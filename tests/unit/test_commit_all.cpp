// Outputs that get their names together.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>

#include "bytes/mapped_file.hpp"
#include "bytes/output.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("outputs that are committed together all appear, or none if one fails") {
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    const TempFolder folder;
    Output first(folder / "first"), second(folder / "second");
    first.write("1");
    second.write("22");
    if (fails) second.check_before_writing([] { throw RuntimeError("no"); });
    const std::array<Output*, 3> all{&first, nullptr, &second};
    if (fails) {
      CHECK_THROWS_AS(commit_all(all), RuntimeError);
    } else {
      commit_all(all);
      CHECK(read_file(folder / "first") == "1");
      CHECK(read_file(folder / "second") == "22");
    }
    CHECK(std::filesystem::exists(folder / "first") == !fails);
    CHECK(std::filesystem::exists(folder / "second") == !fails);
  }
}

TEST_CASE("a mapped file that is written to is noticed, one that is replaced or closed is not") {
  const TempFolder folder;
  const std::string path = write_file(folder / "a", "abc");
  const bool before = has_written_map();  // true if an earlier test has written to one
  {
    const MappedFile mapped(path);
    write_file(folder / "b", "abcd");
    std::filesystem::rename(folder / "b", path);
    CHECK(has_written_map() == before);
  }
  write_file(path, "abcde");
  CHECK(has_written_map() == before);
  MappedFile mapped(path);
  write_file(path, "longer than it was");
  CHECK(has_written_map());
  mapped = {};
  CHECK(has_written_map());  // what was read from it may still be in use
}

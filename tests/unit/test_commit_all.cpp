// Outputs that get their names together.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>

#include "bytes/mapped_file.hpp"
#include "bytes/outputs.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("outputs that are committed together all appear, or none if one fails") {
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    const TemporaryFolder folder;
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

TEST_CASE("the outputs of a run are encoded by their names, checked, and appear together") {
  const TemporaryFolder folder;
  bool valid = true;
  const auto check = [&valid] {
    if (!valid) throw RuntimeError("the index has changed");
  };
  Outputs outputs(2);
  Output& result = outputs.open(folder / "result.gz");
  outputs.check_before_writing(check);
  CHECK(outputs.open_if_named("") == nullptr);
  Output* const side = outputs.open_if_named(folder / "side");
  REQUIRE(side != nullptr);
  result.write("1");
  side->write("22");
  CHECK_FALSE(std::filesystem::exists(folder / "side"));
  outputs.commit();
  CHECK(read_file(folder / "side") == "22");
  CHECK(read_file(folder / "result.gz").starts_with("\x1f\x8b"));

  Outputs refused;
  refused.check_before_writing(check);
  refused.open(folder / "late").write("3");
  valid = false;
  CHECK_THROWS_AS(refused.commit(), RuntimeError);
  CHECK_FALSE(std::filesystem::exists(folder / "late"));
}

TEST_CASE("a mapped file that is written to is noticed, one that is replaced or closed is not") {
  const TemporaryFolder folder;
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

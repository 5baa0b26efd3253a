// Lists of patterns: how much of them has been read.
#include <doctest/doctest.h>

#include "query/pattern_list.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("a reader of lists counts the bytes that it has read") {
  const TemporaryFolder folder;
  const std::string first = folder.write("a.txt", "ACGT\nAC\n"),
                    second = folder.write("b.txt", "T");
  PatternListReader lists({first, second}, 1);
  CHECK(lists.bytes_read() == 0);
  RecordBatch batch;
  REQUIRE(lists.next(batch));
  CHECK(lists.bytes_read() == 8);
  while (lists.next(batch)) {
  }
  CHECK(lists.bytes_read() == 9);
}

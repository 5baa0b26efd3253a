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

TEST_CASE("batches of lists are as large as a BatchSize says at the time") {
  const TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 100; ++i)
    lines += "ACGTACGTA\n";
  BatchSize size(200, 1);
  PatternListReader lists({folder.write("a.txt", lines)}, 200, ~std::uint64_t{0}, &size);
  RecordBatch batch;
  REQUIRE(lists.next(batch));
  CHECK(batch.size() == 20);
  size.learn(200, 10, 1);
  REQUIRE(lists.next(batch));
  CHECK(batch.size() == 2);
  size.learn(20, 1, 2);  // grows to twice as much
  REQUIRE(lists.next(batch));
  CHECK(batch.size() == 4);
}

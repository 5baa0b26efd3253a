// What the first queries of a run tell of all.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "run/query_sample.hpp"
#include "support/files.hpp"

using namespace gsx;
using gsx::testing::TemporaryFolder;

namespace {

std::string reads_of(int number, int length) {
  std::string reads;
  for (int i = 0; i < number; ++i)
    reads += "@r" + std::to_string(100'000 + i) + "\n" + std::string(length, 'A') + "\n+\n" +
             std::string(length, 'I') + "\n";
  return reads;
}

QuerySample sample_patterns(const std::vector<std::string>& patterns,
                            const std::vector<std::string>& files = {}) {
  QueryInputs inputs;
  inputs.patterns = patterns;
  inputs.files = files;
  return sample_queries(inputs);
}

QuerySample sample_files(const std::vector<std::string>& files) {
  return sample_patterns({}, files);
}

}  // namespace

TEST_CASE("few queries are counted, and many estimated by the sizes of the files") {
  const TemporaryFolder folder;
  CHECK(sample_queries({}).queries == 0);
  const QuerySample patterns = sample_patterns({"ACGT", "ACGTACGT"});
  CHECK(patterns.queries == 2);
  CHECK(patterns.mean_length == 6);
  const QuerySample few = sample_files({folder.write("few.fq", reads_of(7, 100))});
  CHECK(few.queries == 7);
  CHECK(few.mean_length == 100);
  CHECK(sample_patterns({"ACGT"}, {folder / "few.fq"}).queries == 8);
  const std::string many = folder.write("many.fq", reads_of(10'000, 150));
  for (const std::vector<std::string>& files : {std::vector{many}, {many, many}}) {
    const double right = 10'000 * static_cast<double>(files.size());
    const QuerySample sample = sample_files(files);
    CHECK(sample.queries > right / 4);
    CHECK(sample.queries < right * 2);
    CHECK(sample.mean_length == 150);
  }
  QueryInputs lists;
  lists.pattern_files = {folder.write("list.txt", "ACGTACGT\nACGTACGA\n")};
  const QuerySample list = sample_queries(lists);
  CHECK(list.queries == 2);
  CHECK(list.mean_length == 8);
}

TEST_CASE("the largest file speaks for all, compressed or not, and no record takes much memory") {
  const TemporaryFolder folder;
  const std::string many = folder.write("many.fq", reads_of(10'000, 150));
  const std::string few = folder.write("few.fq", "@r\nACGT\n+\nIIII\n");
  const std::string empty = folder.write("empty.fq", "");
  REQUIRE(std::system(("gzip -k " + many).c_str()) == 0);
  for (const std::vector<std::string>& files :
       {std::vector{empty, many}, {many, empty}, {few, many}, {many, few}}) {
    CHECK(sample_files(files).queries > 2500);
    CHECK(sample_files(files).queries < 20'000);
    CHECK(sample_files(files).mean_length == 150);
  }
  // These reads are all alike, and a file of them smaller than such files are.
  CHECK(sample_files({many + ".gz"}).queries > 100);
  CHECK(sample_files({many + ".gz"}).mean_length == 150);
  const QuerySample longest =
      sample_files({folder.write("long.fa", ">c\n" + std::string(10'000'000, 'A') + "\n")});
  CHECK(longest.queries == 1);
  CHECK(longest.mean_length > 100'000);
  CHECK(longest.mean_length < 1'000'000);  // no more of it was read
}

TEST_CASE("what is no regular file, or cannot be read, may hold any number of queries") {
  const TemporaryFolder folder;
  CHECK(std::isinf(sample_files({"-"}).queries));
  CHECK(std::isinf(sample_files({folder / "missing.fq"}).queries));
  CHECK(std::isinf(sample_files({folder.path()}).queries));
  CHECK(std::isinf(sample_files({folder.write("bad.fq", "@r\nACGT\nno plus\n")}).queries));
  CHECK(sample_files({folder.write("empty.fq", "")}).queries == 0);
}

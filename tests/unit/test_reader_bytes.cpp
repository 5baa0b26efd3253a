// The bytes of records, for callers that ask for them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "records/sequence_reader.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::string> records_of(const std::string& path, int threads,
                                    std::uint64_t block_bytes) {
  SequenceReader reader({path},
                        {.threads = threads, .block_bytes = block_bytes, .keep_bytes = true});
  std::vector<std::string> records;
  RecordBatch batch;
  while (reader.next(batch)) {
    std::string joined;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      records.emplace_back(batch.bytes.run(i, i + 1));
      joined += records.back();
    }
    CHECK(batch.bytes.run(0, batch.size()) == joined);
    CHECK(batch.bytes.size() == joined.size());
  }
  return records;
}

void check_records(const std::vector<std::string>& expected) {
  const TemporaryFolder folder;
  std::string all;
  std::size_t longest = 0;
  for (const std::string& record : expected) {
    all += record;
    longest = std::max(longest, record.size());
  }
  folder.write("r", "\n \r\n" + all);  // empty lines before the first record belong to none
  for (const std::uint64_t block : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100},
                                    std::uint64_t{1000}, std::uint64_t{1} << 20}) {
    for (const int threads : {1, 3}) {
      if (block == 1 && threads == 3) continue;
      CAPTURE(block);
      CAPTURE(threads);
      CHECK(records_of(folder.path() + "/r", threads, block) == expected);
    }
  }
}

/// `text` on lines of `width` symbols.
std::string wrapped(const std::string& text, std::size_t width, const char* end) {
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += width)
    lines += text.substr(at, width) + end;
  return lines.empty() ? end : lines;
}

}  // namespace

TEST_CASE("bytes of FASTQ records are those of the file, for blocks of any size") {
  Random random(31);
  for (const bool wraps : {false, true}) {
    std::vector<std::string> expected;
    for (int i = 0; i < 200; ++i) {
      const char* end = below(random, 3) == 0 ? "\r\n" : "\n";
      const std::uint64_t length = below(random, 9) == 0 ? 0 : 1 + below(random, 90);
      const std::string symbols = random_string(random, length, "ACGTacgtuN");
      const std::string qualities = random_string(random, length, "@+!I>#");
      std::string record = "@r" + std::to_string(i) + (i % 3 == 0 ? "\tand \tmore " : "") + end;
      const std::size_t width = wraps ? 1 + below(random, 50) : 1000;
      record += wrapped(symbols, width, end) + "+r" + std::to_string(i) + end +
                wrapped(qualities, width, end);
      if (below(random, 6) == 0) record += std::string(end) + " \t" + end;
      expected.push_back(record);
    }
    expected.back() = "@last\nACGT\n+\nIIII";  // without a line end
    check_records(expected);
  }
}

TEST_CASE("bytes of FASTA records are those of the file, for blocks of any size") {
  Random random(32);
  std::vector<std::string> expected;
  for (int i = 0; i < 200; ++i) {
    const char* end = below(random, 3) == 0 ? "\r\n" : "\n";
    const std::string symbols =
        random_string(random, below(random, 5) == 0 ? 0 : below(random, 300), "ACGTacgtN");
    std::string record = ">r" + std::to_string(i) + " " + std::string(below(random, 30), 'x') + end;
    record += wrapped(symbols, 1 + below(random, 50), end);
    if (below(random, 6) == 0) record += std::string(end) + end;
    expected.push_back(record);
  }
  check_records(expected);
}

TEST_CASE("bytes are kept of whole records only") {
  const ReaderOptions both{.split_records = true, .keep_bytes = true};
  CHECK_THROWS_AS(SequenceReader({"r"}, both), UsageError);
}

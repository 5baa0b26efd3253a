// Qualities of FASTQ records, for callers that ask for them.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "records/sequence_reader.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Read {
  std::string name, symbols, qualities;
  bool operator==(const Read&) const = default;
};

std::vector<Read> reads_of(const std::string& path, int threads, std::uint64_t block_bytes) {
  SequenceReader reader({path},
                        {.threads = threads, .block_bytes = block_bytes, .keep_qualities = true});
  std::vector<Read> reads;
  RecordBatch batch;
  while (reader.next(batch)) {
    for (std::size_t i = 0; i < batch.size(); ++i)
      reads.push_back({std::string(batch.name(i)), std::string(batch.sequence(i)),
                       std::string(batch.quality(i))});
  }
  return reads;
}

/// `text` on lines of `width` symbols.
std::string wrapped(const std::string& text, std::size_t width, const char* end) {
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += width)
    lines += text.substr(at, width) + end;
  return lines.empty() ? end : lines;
}

}  // namespace

TEST_CASE("qualities come with their symbols, for blocks of any size, wrapped or not") {
  Random random(911);
  const TemporaryFolder folder;
  std::string values;  // all of them, including '@' and '+'
  for (char c = '!'; c <= '~'; ++c)
    values += c;
  for (const bool wraps : {false, true}) {
    for (const char* end : {"\n", "\r\n"}) {
      std::vector<Read> expected;
      std::string fastq;
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t length = below(random, 20) == 0 ? 0 : 1 + below(random, 120);
        const Read read{"r" + std::to_string(i), random_string(random, length, "ACGTN"),
                        random_string(random, length, values)};
        const std::size_t width = wraps ? 1 + below(random, 60) : 1000;
        fastq += '@' + read.name + end + wrapped(read.symbols, width, end) + '+' + end +
                 wrapped(read.qualities, width, end);
        expected.push_back(read);
      }
      const std::string path = folder.write("r.fq", fastq);
      for (const std::uint64_t block : {1u, 7u, 100u, 4096u, 1u << 20}) {
        CAPTURE(block);
        CHECK(reads_of(path, 1, block) == expected);
        CHECK(reads_of(path, 3, block) == expected);
      }
    }
  }
}

TEST_CASE("FASTA has no qualities, and a reader that splits records keeps none") {
  const TemporaryFolder folder;
  const std::string path = folder.write("g.fa", ">a\nACGT\n>b\nAC\nGT\n");
  CHECK(reads_of(path, 2, 3) == std::vector<Read>{{"a", "ACGT", ""}, {"b", "ACGT", ""}});
  CHECK_THROWS_AS(SequenceReader({path}, {.split_records = true, .keep_qualities = true}),
                  UsageError);
}

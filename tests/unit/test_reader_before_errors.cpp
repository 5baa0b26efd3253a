// What a reader gives before an error in its input.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"
#include "records/sequence_reader.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The text of some records.
struct Input {
  std::string text;
  std::vector<std::string> records;
};

Input fasta() {
  Random random(41);
  Input input;
  for (int i = 0; i < 20; ++i) {
    std::string record = ">r" + std::to_string(i) + " about it\n";
    for (std::uint64_t lines = below(random, 4); lines > 0; --lines)
      record += random_string(random, 1 + below(random, 40), "ACGTN") + "\n";
    input.text += record;
    input.records.push_back(record);
  }
  return input;
}

Input fastq(bool wraps) {
  Random random(42);
  Input input;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t length = 1 + below(random, 60);
    std::string symbols = random_string(random, length, "ACGTN"), qualities(length, 'I');
    for (std::string* lines : {&symbols, &qualities})
      if (wraps && length > 9) lines->insert(9, "\n");
    const std::string record =
        "@r" + std::to_string(i) + "\n" + symbols + "\n+\n" + qualities + "\n";
    input.text += record;
    input.records.push_back(record);
  }
  return input;
}

/// Checks that the records of `good` come before the error that `bad` behind them is.
template <class Error>
void check_before(const Input& good, const std::string& bad) {
  constexpr std::uint64_t header_bytes = 1000;
  CAPTURE(bad.substr(0, 100));
  const TemporaryFolder folder;
  folder.write("r", good.text + bad);
  for (const std::uint64_t block : {1u, 5u, 64u, 1000u, 1u << 20}) {
    for (const int threads : {1, 3}) {
      for (const bool bytes : {false, true}) {
        CAPTURE(block);
        CAPTURE(threads);
        CAPTURE(bytes);
        SequenceReader reader({folder.path() + "/r"}, {.threads = threads,
                                                       .block_bytes = block,
                                                       .keep_bytes = bytes,
                                                       .header_bytes = header_bytes,
                                                       .refuse_fastq_in_fasta = true});
        std::vector<std::string> found, names;
        const auto read = [&] {
          RecordBatch batch;
          while (reader.next(batch)) {
            for (std::size_t i = 0; i < batch.size(); ++i) {
              names.emplace_back(batch.name(i));
              found.emplace_back(bytes ? batch.bytes.run(i, i + 1) : "");
            }
          }
        };
        CHECK_THROWS_AS(read(), Error);
        REQUIRE(names.size() == good.records.size());
        CHECK(names.front() == "r0");
        CHECK(names.back() == "r19");
        if (bytes) CHECK(found == good.records);
        CHECK_THROWS_AS(read(), Error);  // and once more
        CHECK(names.size() == good.records.size());
      }
    }
  }
}

}  // namespace

TEST_CASE("all records before an error in FASTA come, in blocks of any size") {
  check_before<InputError>(fasta(), ">bad\nACGT\nAC\x01GT\n>next\nACGT\n");
  check_before<InputError>(fasta(), ">bad\n\x01\n");
  check_before<InputError>(fasta(), ">bad\nACGT\n@q\nACGT\n+\nIIII\n");
  const std::string line(60, 'A');  // many lines as long
  check_before<InputError>(
      fasta(), ">bad\n" + line + '\n' + line + "\n@" + line.substr(1) + '\n' + line + "\n+\n");
  check_before<OutOfMemoryError>(fasta(), ">" + std::string(2000, 'x') + "\nACGT\n>next\nACGT\n");
}

TEST_CASE("all records before an error in FASTQ come, in blocks of any size") {
  for (const bool wraps : {false, true}) {
    CAPTURE(wraps);
    const Input good = fastq(wraps);
    for (const char* bad :
         {"@bad\nACGT\n+\nIII\n@next\nACGT\n+\nIIII\n", "@bad\nACGT\n+\nIIIII\n", "@bad\nACGT\n",
          "@bad\nACGT\n+\nII", "@bad", "garbage\n@next\nACGT\n+\nIIII\n", ">fasta\nACGT\n",
          "@bad\nACGT\n@next\nACGT\n+\nIIII\n", "@bad\nA\x01GT\n+\nIIII\n"})
      check_before<InputError>(good, bad);
    check_before<OutOfMemoryError>(good, "@" + std::string(2000, 'x') + "\nACGT\n+\nIIII\n");
  }
}

// Blocks of plain files that are parsed piece by piece while they are read: the same records, lines
// and errors as from blocks that are read whole.
#include "records/sequence_file.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::size_t kib = 1024;

std::string fastq_of(std::mt19937& random, std::size_t bytes, std::size_t longest,
                     const std::string& end, std::size_t width) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) {
    const std::string read = "A" + random_letters(random, random() % longest);
    std::string qualities = random_qualities(random, read.size());
    if (random() % 2 == 0) qualities[0] = "@+>"[random() % 3];
    text += "@r" + std::to_string(i) + " c" + end + wrapped(read, width, end) + "+" + end +
            wrapped(qualities, width, end);
  }
  return text;
}

std::string fasta_of(std::mt19937& random, std::size_t bytes, std::size_t longest) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i)
    text += ">s" + std::to_string(i) + '\n' +
            wrapped(random_letters(random, random() % longest), 60, "\n");
  return text;
}

/// Reads the text from a plain file in large blocks, and by gzip, whose blocks are read whole.
void check_same(const TemporaryFolder& folder, const std::string& text, bool has_error) {
  const std::string plain = write_file(folder / "reads", text);
  const auto one_name = [&](std::string error, const std::string& path) {
    if (const auto at = error.find(path); at == 0) error.erase(0, path.size());
    // Damage of compressed data may look like this.
    return error.substr(0, error.find("; or the file, compressed by gzip"));
  };
  gzip_bytes(folder / "gz", text);
  for (const std::size_t block : {200 * kib, 500 * kib, 4096 * kib}) {
    for (const bool split : {false, true}) {
      for (const int threads : {1, 3}) {
        CAPTURE(block);
        CAPTURE(split);
        CAPTURE(threads);
        const ReaderOptions options{
            .threads = threads, .block_bytes = block, .split_records = split};
        const Reading got = read_on_threads({plain}, options, threads);
        const Reading expected = read_on_threads({folder / "gz"}, options, threads);
        CHECK(got.records == expected.records);
        CHECK(one_name(got.error, plain) == one_name(expected.error, folder / "gz"));
        CHECK(got.error.empty() != has_error);
      }
    }
  }
}

}  // namespace

TEST_CASE("blocks that are parsed while they are read have the same records") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::size_t all = 1500 * kib;
  SUBCASE("FASTQ") {
    check_same(folder, fastq_of(random, all, 300, "\n", 1000), false);
  }
  SUBCASE("FASTQ with CRLF") {
    check_same(folder, fastq_of(random, all, 300, "\r\n", 1000), false);
  }
  SUBCASE("FASTQ of many lines, where a guess of a start can be wrong") {
    check_same(folder, fastq_of(random, all, 400, "\n", 7), false);
  }
  SUBCASE("FASTQ with reads longer than a piece") {
    check_same(folder, fastq_of(random, all, 400 * kib, "\n", 1000 * kib), false);
  }
  SUBCASE("FASTA") {
    check_same(folder, fasta_of(random, all, 5000), false);
  }
  SUBCASE("FASTA with records longer than a block") {
    check_same(folder, fasta_of(random, all, 2000 * kib), false);
  }
}

TEST_CASE("blocks that are parsed while they are read have the same errors") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  std::string text = fastq_of(random, 1000 * kib, 300, "\n", 1000);
  SUBCASE("the file ends inside a record") {
    text.resize(text.size() - 2);  // the last quality value and the line end
  }
  SUBCASE("a record is wrong") {
    const std::size_t at = text.find("\n@r", 300 * kib + random() % (600 * kib));
    text[at + 1] = '?';
  }
  check_same(folder, text, true);
}

TEST_CASE("only blocks larger than a piece are passed on, and can be loaded afterwards") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq_of(random, 1500 * kib, 300, "\n", 1000);
  const std::string path = write_file(folder / "reads", text);
  gzip_bytes(folder / "gz", text);
  const auto count_pieces = [](const std::string& from, std::size_t block_bytes) {
    SequenceFile file(from, 1, block_bytes, BlockCut::record);
    std::size_t pieces = 0;
    for (Block block; file.take(block); block.storage = {}) {
      std::string passed;
      const bool done = file.pass_on(block, [&](std::string_view piece) {
        passed += piece;
        ++pieces;
      });
      if (done) CHECK(block.storage.size() < 200 * kib);
      file.load(block);
      if (done) CHECK(passed == block.text);
    }
    return pieces;
  };
  CHECK(count_pieces(path, 1000 * kib) >= 10);
  CHECK(count_pieces(path, 100 * kib) == 0);
  CHECK(count_pieces(folder / "gz", 1000 * kib) == 0);
}

TEST_CASE("a plain file that becomes shorter while its blocks are passed on is an error") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string path =
      write_file(folder / "reads", fastq_of(random, 1500 * kib, 300, "\n", 1000));
  SequenceReader reader({path}, {.threads = 1, .block_bytes = 500 * kib});
  RecordBatch batch;
  REQUIRE(reader.next(batch));
  std::filesystem::resize_file(path, 700 * kib);
  std::string error;
  try {
    while (reader.next(batch)) {
    }
  } catch (const InputError& thrown) {
    error = thrown.what();
  }
  CHECK(error.find("the file has become shorter while it was read") != std::string::npos);
}

// Compressed input: damage is reported at the same place for any threads, and what may follow the
// data.
#include <map>

#include "records/formats/byte_source.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string reads(std::mt19937& random, int count) {
  std::string text;
  for (int r = 0; r < count; ++r)
    text += "@read" + std::to_string(r) + '\n' + random_letters(random, 50) + "\n+\n" +
            std::string(50, 'I') + '\n';
  return text;
}

}  // namespace

TEST_CASE("damage in or after BGZF is reported after the same records, for any threads") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = reads(random, 20'000);
  const std::string whole = bgzf_bytes(folder / "f", text);
  std::string flipped = whole, header = whole;
  flipped[whole.size() / 2] ^= 0x10;
  const std::map<std::string, std::string> damages = {
      {whole + std::string(31, 'x'), "not compressed follow the complete compressed data"},
      {whole.substr(0, whole.size() - 28) + std::string(31, 'x'), "truncated or damaged"},
      {whole.substr(0, whole.size() - 28), "end-of-file marker is missing"},
      {whole.substr(0, whole.size() * 2 / 3), "truncated or damaged"},
      {whole + whole.substr(0, 20), "truncated or damaged"},
      {flipped, "truncated or damaged"}};
  for (const auto& [bytes, expected] : damages) {
    const std::string path = write_file(folder / "damaged.gz", bytes);
    CAPTURE(expected);
    for (const std::uint64_t block : {20'000, 1 << 20}) {
      const Reading first = read_on_threads({path}, {1, block, false}, 1);
      CHECK(has(first.error, expected));
      for (const int threads : {1, 2, 3, 8}) {
        CAPTURE(threads);
        const Reading again = read_on_threads({path}, {threads, block, false}, threads);
        CHECK(again.error == first.error);
        CHECK((again.records == first.records));
      }
    }
  }
}

TEST_CASE("bytes after the end: zeros are padding, others are an error") {
  const TemporaryFolder folder;
  const std::string text = ">a\nACGT\n";
  const std::string gz = gzip_bytes(folder / "1", text), bgzf = bgzf_bytes(folder / "2", text);
  const Records expected = {{"a", "", "ACGT"}};
  for (const std::string& bytes : {gz, bgzf, bgzf + gz, gz + bgzf}) {
    for (const std::size_t padding : {1, 17, 18, 511, 100'000}) {
      CAPTURE(padding);
      const std::string path = write_file(folder / "padded.gz", bytes + std::string(padding, '\0'));
      for (const int threads : {1, 4}) {
        const Records found = read_all({path}, {threads, 1 << 20, true});
        CHECK(found.size() == (bytes.size() > std::max(gz, bgzf).size() ? 2 : 1));
        CHECK(found[0].symbols == "ACGT");
        for (const char* garbage : {"x", "\n", "trailing bytes that are no block at all"}) {
          const std::string more = bytes + std::string(padding, '\0') + garbage;
          const std::string message =
              error_of({write_file(folder / "more.gz", more)}, {threads, 1 << 20, true});
          CHECK(has(message, "bytes that are not compressed follow the complete compressed data"));
          CHECK_FALSE(has(message, "trunca"));
        }
      }
    }
  }
}

TEST_CASE("waiting threads inflate, and the records come in order") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = reads(random, 30'000);
  const std::string plain = write_file(folder / "plain", text);
  const Records expected = read_all({plain});
  for (const std::size_t inflated : {100, 5000, 65280}) {
    bgzf_bytes(folder / "packed", text, inflated);
    for (const int threads : {1, 2, 7}) {
      const Reading reading =
          read_on_threads({folder / "packed"}, {threads, 30'000, false}, threads);
      CHECK(reading.error.empty());
      CHECK((reading.records == expected));
    }
  }
}

TEST_CASE("helpers alone may inflate the blocks, in any order") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = random_letters(random, 3'000'000);
  bgzf_bytes(folder / "f", text);
  int more = 0;
  ByteSource source(folder / "f", 5 << 20, [&] { ++more; });
  std::string got;
  for (std::string_view bytes; !(bytes = source.peek()).empty();) {
    got += bytes;
    source.skip(bytes.size());
    while (source.help()) {
    }
    CHECK_FALSE(source.wants_help());
  }
  CHECK((got == text));
  CHECK(more > 0);
  CHECK_FALSE(source.help());
}

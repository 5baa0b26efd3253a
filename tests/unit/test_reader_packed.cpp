// bzip2, xz and zstd: the same records as plain text in any blocks, from files and pipes, and what
// is damaged is reported behind the records before it.
#include <htslib/hfile.h>

#include <functional>
#include <map>

#include "bytes/compression/packed_stream.hpp"
#include "bytes/compression/unpacker.hpp"
#include "records/formats/byte_source.hpp"
#include "support/packed_files.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Pack = std::function<std::string(const std::string&)>;

const std::map<std::string, Pack> packings = {
    {"bzip2", bzip2_bytes},
    {"xz", [](const std::string& text) { return xz_bytes(text); }},
    {"zstd", [](const std::string& text) { return zstd_bytes(text); }}};

/// Lends its first bytes through a FIFO to a reader of the path.
class Piped {
 public:
  Piped(const std::string& path, const std::string& bytes) {
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    writer_ = std::thread([path, bytes] { write_file(path, bytes); });
  }
  ~Piped() { writer_.join(); }

 private:
  std::thread writer_;
};

std::string fastq(std::mt19937& random, int count) {
  std::string text;
  for (int r = 0; r < count; ++r)
    text += "@read" + std::to_string(r) + '\n' + random_letters(random, 80) + "\n+\n" +
            random_qualities(random, 80) + '\n';
  return text;
}

}  // namespace

TEST_CASE("packed files give the records of the plain file, in any blocks, also through a pipe") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  int pipes = 0;
  for (int round = 0; round < 10; ++round) {
    const Records records = random_records(random);
    const std::string text =
        random() % 2 == 0 ? fasta_of(records, random) : fastq_of(records, random);
    for (const auto& [name, pack] : packings) {
      CAPTURE(name);
      // In one stream, in two, and with padding between and behind them.
      const std::size_t half = random() % (text.size() + 1);
      const std::string first = pack(text.substr(0, half)), second = pack(text.substr(half));
      for (const std::string& bytes :
           {pack(text), first + second,
            first + std::string(8, '\0') + second + std::string(4, '\0')}) {
        const std::string path = write_file(folder / "packed", bytes);
        for (const std::uint64_t block : {1, 7, 100, 1 << 20}) {
          CHECK((read_all({path}, {1, block, false}) == records));
          CHECK((read_all({path}, {1, block, true}) == records));
        }
        CHECK((read_on_threads({path, path}, {3, 50, false}, 3).records.size() ==
               2 * records.size()));
        const std::string fifo = folder / ("fifo" + std::to_string(pipes++));
        const Piped piped(fifo, bytes);
        CHECK((read_all({fifo}, {1, 100, false}) == records));
      }
    }
  }
}

TEST_CASE("packed streams do not depend on where their input and their output are cut") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = random_letters(random, 5000);
  const std::map<std::string, Packing> kinds = {
      {"bzip2", Packing::bzip2}, {"xz", Packing::xz}, {"zstd", Packing::zstd}};
  for (const auto& [name, pack] : packings) {
    CAPTURE(name);
    const std::string path = write_file(folder / "p", pack(text) + pack("") + pack(text));
    for (const std::size_t in : {1, 2, 13, 4096}) {
      for (const std::size_t out : {1, 3, 1000, 100'000}) {
        hFILE* file = hopen(path.c_str(), "r");
        REQUIRE(file != nullptr);
        PackedStream stream(*file, kinds.at(name), Decoding::usual_unpack_bytes, in);
        std::string got, piece(out, '\0');
        for (std::size_t count; (count = stream.read(piece.data(), out)) != 0;)
          got.append(piece, 0, count);
        CHECK((got == text + text));
        CHECK(stream.position() == std::filesystem::file_size(path));
        hclose_abruptly(file);
      }
    }
  }
}

TEST_CASE("a packed file cut anywhere is an error behind whole records, the same on any threads") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq(random, 60);
  const Records records = read_all({write_file(folder / "plain", text)});
  for (const auto& [name, pack] : packings) {
    CAPTURE(name);
    const std::string bytes = pack(text);
    const std::size_t least = name == "xz" ? 6 : 4;
    for (std::size_t size = least; size < bytes.size(); size += 1 + random() % 60) {
      CAPTURE(size);
      const std::string path = write_file(folder / "cut", bytes.substr(0, size));
      const Reading one = read_on_threads({path}, {1, 500, false}, 1);
      CHECK(has(one.error, name + " data ends early: the file is truncated"));
      CHECK(one.records.size() <= records.size());
      CHECK(std::equal(one.records.begin(), one.records.end(), records.begin()));
      const Reading three = read_on_threads({path}, {3, 500, false}, 3);
      CHECK(three.error == one.error);
      CHECK((three.records == one.records));
    }
  }
}

TEST_CASE("a flipped bit in a packed file is found") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq(random, 40);
  const Records records = read_all({write_file(folder / "plain", text)});
  for (const auto& [name, pack] : packings) {
    CAPTURE(name);
    const std::string bytes = pack(text);
    for (std::size_t at = 6; at < bytes.size(); at += 1 + random() % 40) {
      CAPTURE(at);
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
      const Reading found = read_on_threads({write_file(folder / "flip", damaged)}, {}, 1);
      // A few bits mean nothing. What is wrong may be no FASTQ before its checksum is reached.
      CHECK((!found.error.empty() || found.records == records));
    }
  }
  std::string checksum = zstd_bytes(text);
  checksum.back() = static_cast<char>(checksum.back() ^ 1);
  CHECK(has(error_of({write_file(folder / "sum", checksum)}), "wrong checksum"));
}

TEST_CASE("what follows packed data, and packed data of nothing") {
  const TemporaryFolder folder;
  const std::string text = ">a\nACGT\n";
  for (const auto& [name, pack] : packings) {
    CAPTURE(name);
    CHECK(has(error_of({write_file(folder / "t", pack(text) + "x")}),
              "bytes that are not compressed follow the complete compressed data"));
    CHECK(has(error_of({write_file(folder / "t", pack(text) + std::string(5, '\0') + ">b\nA\n")}),
              "bytes that are not compressed follow"));
    CHECK(has(error_of({write_file(folder / "e", pack(""))}), "the file is empty"));
    CHECK(has(error_of({write_file(folder / "h", pack("hello"))}), "it begins with 'h'"));
    CHECK(has(error_of({write_file(folder / "twice", pack(pack(text)))}), "compressed twice, "));
    CHECK(has(error_of({write_file(folder / "g", pack(gzip_bytes(folder / "gz", text)))}),
              "compressed twice, gzip inside " + std::string(name)));
  }
  const std::string skipped = std::string("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  CHECK(read_all({write_file(folder / "s", skipped + zstd_bytes(text))}).size() == 1);
}

TEST_CASE("data that takes too much memory to decompress is refused") {
  const TemporaryFolder folder;
  const std::string text = ">a\n" + std::string(100'000, 'A') + "\n";
  const std::string xz = write_file(folder / "xz", xz_bytes(text, 64 << 20));
  const std::string zstd = write_file(folder / "zstd", zstd_bytes(text, 26));
  CHECK(read_all({xz}).size() == 1);
  CHECK(read_all({zstd}).size() == 1);
  ReaderOptions options;
  options.decoding.unpack_bytes = 16 << 20;
  CHECK(has(error_of({xz}, options), "takes 65 MiB, more memory than the 16 MiB allowed"));
  CHECK(has(error_of({xz}, options), "xz -dc " + xz));
  CHECK(has(error_of({zstd}, options), "takes more memory than the 16 MiB allowed"));
}

TEST_CASE("lists may be packed, too") {
  const TemporaryFolder folder;
  for (const auto& [name, pack] : packings) {
    ByteSource source(write_file(folder / "list", pack("one\ntwo\n")));
    std::string got;
    for (std::string_view bytes; !(bytes = source.peek()).empty(); source.skip(bytes.size()))
      got += bytes;
    CHECK(got == "one\ntwo\n");
    CHECK_FALSE(source.is_made());
  }
}

TEST_CASE("what stands before damage in zstd is read, in blocks of any size") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq_reads(random, "r", 4000);
  std::string packed = zstd_bytes(text);
  for (std::size_t i = 0; i < 20; ++i)
    packed[packed.size() * 3 / 4 + i] ^= 0x55;
  const std::string path = write_file(folder / "z", packed);
  const auto records_of = [&](std::uint64_t block) {
    const Reading reading = read_on_threads({path}, {3, block, false}, 3);
    CHECK(has(reading.error, "zstd"));
    return reading.records.size();
  };
  const std::size_t expected = records_of(1 << 20);
  // At most two blocks of 128 KiB are lost.
  CHECK(expected * 250 + (std::size_t{1} << 18) > text.size() * 3 / 4);
  for (const std::uint64_t block : {100u, 1000u, 65'536u, 111'111u, 200'000u, 1u << 22}) {
    CAPTURE(block);
    CHECK(records_of(block) == expected);
  }
}

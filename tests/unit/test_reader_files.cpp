// Several input files: read ahead where that cannot block, given in order, with the first error in
// input order.
#include <atomic>
#include <chrono>

#include "records/formats/byte_source.hpp"
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Files of all kinds, and the records of all of them.
struct ManyFiles {
  ManyFiles(std::mt19937& random, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string path = folder / std::to_string(i);
      const std::string text =
          fastq_reads(random, "f" + std::to_string(i) + '_', 1 + static_cast<int>(random() % 400));
      write_file(path, text);
      const Records part = read_all({path});
      records.insert(records.end(), part.begin(), part.end());
      if (i % 5 == 3) bgzf_bytes(path, text, 3000);
      if (i % 5 < 3) gzip_bytes(path, text);
      paths.push_back(path);
    }
  }
  TemporaryFolder folder;
  std::vector<std::string> paths;
  Records records;
};

}  // namespace

TEST_CASE("the kind of a regular file is known before its turn, and no other file is touched") {
  const TemporaryFolder folder;
  const std::string text = ">a\nACGT\n";
  gzip_bytes(folder / "gz", text);
  bgzf_bytes(folder / "bgzf", text);
  write_file(folder / "plain", text);
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  CHECK(ByteSource::kind_of_file(folder / "gz") == FileKind::gzip);
  CHECK(ByteSource::kind_of_file(folder / "bgzf") == FileKind::bgzf);
  for (const std::string& path : {folder / "plain", folder / "fifo", folder / "missing",
                                  folder / ".", std::string("-"), std::string("/dev/null")})
    CHECK(ByteSource::kind_of_file(path) == FileKind::plain);
}

TEST_CASE("files of all kinds give their records in input order, for any threads and blocks") {
  std::mt19937 random(seed());
  const ManyFiles files(random, 23);
  for (const std::uint64_t block : {300, 5000, 1 << 20}) {
    if (block < 5000 && thinned()) continue;
    for (const int threads : {1, 2, 3, 8}) {
      CAPTURE(seed());
      CAPTURE(block);
      CAPTURE(threads);
      for (const bool split : {false, true}) {
        const Reading reading = read_on_threads(files.paths, {threads, block, split}, threads);
        CHECK(reading.error.empty());
        CHECK((reading.records == files.records));
      }
      // More threads than it was told of, and fewer.
      for (const int callers : {1, 5}) {
        const Reading reading = read_on_threads(files.paths, {threads, block, false}, callers);
        CHECK(reading.error.empty());
        CHECK((reading.records == files.records));
      }
    }
  }
}

TEST_CASE("the first error in input order is reported, whichever file is read first") {
  std::mt19937 random(seed());
  const ManyFiles files(random, 12);
  const TemporaryFolder folder;
  const std::string bad = fastq_reads(random, "r", 50) + "@x\nACGT\n+\nIII\n";
  gzip_bytes(folder / "bad", bad);
  const std::string whole = gzip_bytes(folder / "cut", fastq_reads(random, "r", 5000));
  write_file(folder / "cut", whole.substr(0, whole.size() / 2));
  gzip_bytes(folder / "empty", "");
  const std::map<std::string, std::string> errors = {
      {"bad", "record 51 ('x'), line 204: 3 quality values for 4 symbols"},
      {"cut", "truncated or damaged"},
      {"missing", "No such file"},
      {"empty", "the file is empty"}};
  for (const auto& [name, expected] : errors) {
    for (const auto& other : errors) {
      std::vector<std::string> paths(files.paths.begin(), files.paths.begin() + 3);
      paths.push_back(folder / name);
      paths.push_back(files.paths[3]);
      paths.push_back(folder / other.first);
      const Reading first = read_on_threads(paths, {1, 3000, false}, 1);
      CHECK(has(first.error, folder / name));
      CHECK(has(first.error, expected));
      for (const int threads : {2, 4, 9}) {
        CAPTURE(threads);
        const Reading again = read_on_threads(paths, {threads, 3000, false}, threads);
        CHECK(again.error == first.error);
        CHECK((again.records == first.records));
      }
    }
  }
}

TEST_CASE("empty files among others are noted in input order, if they may be empty") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  std::vector<std::string> paths, empty;
  for (int i = 0; i < 12; ++i) {
    paths.push_back(folder / std::to_string(i));
    gzip_bytes(paths.back(), i % 3 == 0 ? "\n \n" : fastq_reads(random, "r", 20));
    if (i % 3 == 0) empty.push_back(paths.back());
  }
  for (const int threads : {1, 4}) {
    ReaderOptions options{threads, 1000, false};
    options.allow_empty = true;
    SequenceReader reader(paths, options);
    std::atomic<std::size_t> records = 0;
    run_threads(threads, [&](int) {
      RecordBatch batch;
      while (reader.next(batch))
        records += batch.size();
    });
    CHECK(records == 8 * 20);
    CHECK((reader.empty_files() == empty));
  }
}

TEST_CASE("FIFOs that one writer fills one after another are read, also between gzip files") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq_reads(random, "r", 3000);
  const std::string packed = gzip_bytes(folder / "gz", text);
  const Records once = read_all({folder / "gz"});
  const std::vector<std::string> fifos = {folder / "one", folder / "two", folder / "three"};
  for (const std::string& fifo : fifos)
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const std::vector<std::string> paths = {fifos[0], folder / "gz", folder / "gz",
                                          fifos[1], fifos[2],      folder / "gz"};
  Records expected;
  for (std::size_t i = 0; i < paths.size(); ++i)
    expected.insert(expected.end(), once.begin(), once.end());
  for (const std::string& bytes : {text, packed}) {
    for (const int threads : {1, 2, 6}) {
      CAPTURE(threads);
      // Opening a FIFO for writing waits for the reader, which must not wait for the next one.
      std::thread writer([&] {
        for (const std::string& fifo : fifos)
          write_file(fifo, bytes);
      });
      const Reading reading = read_on_threads(paths, {threads, 20'000, false}, threads);
      writer.join();
      CHECK(reading.error.empty());
      CHECK((reading.records == expected));
    }
  }
}

TEST_CASE("records that a pipe has given come out while it gives no more") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq_reads(random, "r", 2000);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  std::atomic<std::size_t> records = 0;
  // 420 kB in blocks of 2000 bytes: most records are in whole blocks.
  SequenceReader reader({path}, {2, 2000, false});
  std::thread reading([&] {
    run_threads(2, [&](int) {
      RecordBatch batch;
      while (reader.next(batch))
        records += batch.size();
    });
  });
  REQUIRE(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  for (int i = 0; records < 1500 && i < 3000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(records >= 1500);
  close(ends[1]);
  reading.join();
  close(ends[0]);
  CHECK(records == 2000);
}

// Reading ahead of the first call of next(): bounded, stopped at any time, with the same records
// and the same errors in the same places.
#include <chrono>
#include <functional>

#include "base/stage_times.hpp"
#include "support/open_files.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// FASTQ whose bytes gzip cannot make much smaller.
std::string fastq_of(std::mt19937& random, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string qualities;
    for (int j = 0; j < 100; ++j)
      qualities += static_cast<char>('!' + random() % 90);
    text +=
        "@r" + std::to_string(i) + '\n' + random_letters(random, 100) + "\n+\n" + qualities + '\n';
  }
  return text;
}

/// The records before the first error, and its message.
std::pair<Records, std::string> read_after(const std::vector<std::string>& paths, int threads,
                                           std::uint64_t ahead) {
  SequenceReader reader(paths, {.threads = threads, .block_bytes = 5000, .allow_empty = true});
  if (ahead != 0) reader.read_ahead(ahead);
  std::map<std::uint64_t, Records> batches;
  std::mutex mutex;
  std::string error;
  run_threads(threads, [&](int) {
    RecordBatch batch;
    try {
      while (reader.next(batch)) {
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < batch.size(); ++i) {
          batches[batch.number].push_back({std::string(batch.name(i)),
                                           std::string(batch.comment(i)),
                                           std::string(batch.sequence(i))});
        }
      }
    } catch (const Error& thrown) {
      const std::lock_guard lock(mutex);
      error = thrown.what();
    }
  });
  Records records;
  for (auto& [number, batch] : batches)
    records.insert(records.end(), batch.begin(), batch.end());
  return {std::move(records), std::move(error)};
}

}  // namespace

TEST_CASE("what is read ahead has the same records and errors") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq_of(random, 600);
  const std::string gz = gzip_bytes(folder / "gz", text);
  gzip_bytes(folder / "other", fastq_of(random, 50));
  gzip_bytes(folder / "empty", "");
  bgzf_bytes(folder / "bgzf", text, 3000);
  write_file(folder / "plain", text);
  write_file(folder / "cut", gz.substr(0, gz.size() / 2));
  write_file(folder / "short", gz.substr(0, 10));
  gzip_bytes(folder / "wrong", text + "no record\n" + text);
  using Names = std::vector<std::string>;
  for (const Names& names :
       {Names{"gz"}, Names{"gz", "other", "empty", "gz"}, Names{"gz", "plain", "other"},
        Names{"plain", "gz"}, Names{"bgzf", "gz"}, Names{"empty", "gz"}, Names{"cut", "gz"},
        Names{"gz", "cut", "other"}, Names{"wrong", "other"}, Names{"other", "wrong"},
        Names{"missing", "gz"}, Names{"gz", "missing"}, Names{"short", "gz"},
        Names{"gz", "short"}}) {
    Names paths;
    for (const std::string& name : names)
      paths.push_back(folder / name);
    const auto expected = read_after(paths, 1, 0);
    for (const int threads : {1, 2, 7}) {
      for (const std::uint64_t ahead : {std::uint64_t{1}, std::uint64_t{5000}, 4 * mib}) {
        CAPTURE(names);
        CAPTURE(threads);
        CAPTURE(ahead);
        CHECK(read_after(paths, threads, ahead) == expected);
      }
    }
  }
}

TEST_CASE("reading ahead begins before the first batch is asked for, and is bounded") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = fastq_of(random, 40000);
  const std::string path = std::filesystem::canonical(folder / ".").string() + "/gz";
  const auto size = static_cast<std::int64_t>(gzip_bytes(path, text).size());
  REQUIRE(size > 4 * static_cast<std::int64_t>(mib));
  StageTimes times;
  SequenceReader reader({path}, {.threads = 2, .block_bytes = 65536, .times = &times});
  CHECK(position_in(path) == -1);
  reader.read_ahead(mib);
  std::int64_t position = 0;
  REQUIRE(becomes_true([&] {
    const std::int64_t before = std::exchange(position, position_in(path));
    return position > static_cast<std::int64_t>(mib) / 2 && position == before;
  }));
  CHECK(position < 2 * static_cast<std::int64_t>(mib));
  CHECK(reader.bytes_read() == 0);  // no batch has been given
  CHECK(times.seconds(Stage::read) > 0);
  RecordBatch batch;
  std::uint64_t records = 0;
  while (reader.next(batch))
    records += batch.size();
  CHECK(records == 40000);
  CHECK(reader.bytes_read() == static_cast<std::uint64_t>(size));
}

TEST_CASE("one thread does not read ahead") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string path = std::filesystem::canonical(folder / ".").string() + "/gz";
  gzip_bytes(path, fastq_of(random, 100));
  SequenceReader reader({path}, {.threads = 1});
  reader.read_ahead(mib);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(position_in(path) == -1);
}

TEST_CASE("a reader that reads ahead can be destroyed at any time") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string path = folder / "gz";
  gzip_bytes(path, fastq_of(random, 20000));
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  for (int i = 0; i < 40; ++i) {
    SequenceReader reader({path, folder / "fifo"}, {.threads = 3, .block_bytes = 20000});
    reader.read_ahead(64 * mib);
    if (i % 4 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(i / 4));
    RecordBatch batch;
    if (i % 4 == 2) CHECK(reader.next(batch));
  }
  // It neither opens a FIFO before its turn nor waits for it to have a writer.
  SequenceReader reader({folder / "fifo", path}, {.threads = 3});
  reader.read_ahead(64 * mib);
}

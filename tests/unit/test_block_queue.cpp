// Which files are opened and read ahead of their turn, and how far. Gates make the first file wait,
// so that nothing here depends on luck.
#include "records/block_queue.hpp"

#include <atomic>
#include <chrono>
#include <functional>

#include "support/open_files.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::size_t block_bytes = 10'000;

/// Records whose bytes gzip cannot make much smaller.
std::string fasta_of(std::mt19937& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    text += ">r\n";
    for (int i = 0; i < 100; ++i)
      text += static_cast<char>('?' + random() % 60);
    text += '\n';
  }
  return text;
}

/// The position at which reading of the file stays.
std::int64_t rest_in(const std::string& path) {
  std::int64_t position = position_in(path);
  for (int same = 0; same < 20; ++same) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::int64_t before = std::exchange(position, position_in(path));
    if (position != before) same = 0;
  }
  return position;
}

/// Threads that take all blocks of an input whose first file is a pipe. The pipe gives `first`,
/// which the reader must have whole to tell the format, and ends when finish() is called.
class GatedRun {
 public:
  GatedRun(const std::string& folder, std::vector<std::string> later, const std::string& first,
           int takers, int threads)
      : queue_(paths_behind_pipe(folder, std::move(later)),
               {.threads = threads, .block_bytes = block_bytes, .cut = BlockCut::record}) {
    for (int i = 0; i < takers; ++i)
      takers_.emplace_back([this] { take_all(); });
    pipe_ = open((folder + "/pipe").c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(write(pipe_, first.data(), first.size()) == static_cast<ssize_t>(first.size()));
  }
  ~GatedRun() { finish(); }
  GatedRun(const GatedRun&) = delete;
  GatedRun& operator=(const GatedRun&) = delete;

  /// Ends the pipe, and waits until all blocks have been taken.
  void finish() {
    if (pipe_ != -1) close(std::exchange(pipe_, -1));
    for (std::thread& taker : takers_)
      taker.join();
    takers_.clear();
  }
  int blocks() const { return blocks_; }
  bool failed() const { return failed_; }

 private:
  static std::vector<std::string> paths_behind_pipe(const std::string& folder,
                                                    std::vector<std::string> later) {
    REQUIRE(mkfifo((folder + "/pipe").c_str(), 0600) == 0);
    later.insert(later.begin(), folder + "/pipe");
    return later;
  }
  void take_all() {
    StageClock clock(nullptr);
    for (TakenBlock taken; queue_.take(taken, clock); taken = {}) {
      if (taken.failure) failed_ = true;
      ++blocks_;
    }
  }

  BlockQueue queue_;
  std::vector<std::thread> takers_;
  int pipe_ = -1;
  std::atomic<int> blocks_{0};
  std::atomic<bool> failed_{false};
};

struct Files {
  std::string path(const std::string& name) const {
    return std::filesystem::canonical(folder / ".").string() + '/' + name;
  }
  std::string gzip(const std::string& name, std::size_t bytes) {
    gzip_bytes(path(name), fasta_of(random, bytes));
    return path(name);
  }
  std::string first() { return fasta_of(random, 25'000); }

  const TemporaryFolder folder;
  std::mt19937 random{seed()};
};

}  // namespace

TEST_CASE("gzip files are opened and read ahead while the first file waits, but only so far") {
  Files files;
  const std::string small = files.gzip("small", 200), large = files.gzip("large", 4'000'000);
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(large));
  REQUIRE(size > 2'000'000);
  GatedRun run(files.path("."), {small, large}, files.first(), 2, 2);
  CHECK(becomes_true([&] { return position_in(large) > 0; }));
  const std::int64_t rest = rest_in(large);
  CHECK(rest > 0);
  CHECK(rest < size / 2);
  run.finish();
  CHECK(!run.failed());
  CHECK(run.blocks() > 300);
}

TEST_CASE("a file that is not gzip is not opened ahead, nor is any file after it") {
  for (const bool is_pipe : {false, true}) {
    CAPTURE(is_pipe);
    Files files;
    const std::string small = files.gzip("small", 200), after = files.gzip("after", 200);
    const std::string other = files.path("other");
    std::thread feeder;
    if (is_pipe) {
      REQUIRE(mkfifo(other.c_str(), 0600) == 0);
    } else {
      write_file(other, fasta_of(files.random, 200));
    }
    GatedRun run(files.path("."), {small, other, after}, files.first(), 3, 3);
    CHECK(becomes_true([&] { return position_in(small) != -1; }));
    CHECK(rest_in(other) == -1);
    CHECK(position_in(after) == -1);
    if (is_pipe) feeder = std::thread([&] { write_file(other, fasta_of(files.random, 200)); });
    run.finish();
    if (is_pipe) feeder.join();
    CHECK(!run.failed());
  }
}

TEST_CASE("a pipe is read for the threads that wait, not further") {
  Files files;
  GatedRun run(files.path("."), {}, files.first(), 1, 8);
  // Two blocks are there. With one block more to read, the pipe blocks.
  CHECK(becomes_true([&] { return run.blocks() == 2; }));
  run.finish();
  CHECK(!run.failed());
  CHECK(run.blocks() >= 3);
}

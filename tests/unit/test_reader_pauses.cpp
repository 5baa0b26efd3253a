// The sequence reader: pipes whose writer pauses.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string fastq_of(const Records& records, const char* end) {
  std::string text;
  for (const Record& record : records)
    text += "@" + record.name + end + record.symbols + end + "+" + end +
            std::string(record.symbols.size(), '@') + end;
  return text;
}
std::string fasta_of(const Records& records, const char* end) {
  std::string text;
  for (const Record& record : records)
    text += ">" + record.name + end + wrapped(record.symbols, 30, end);
  return text;
}

/// A pipe into which a thread of its own writes.
class Pipe {
 public:
  /// `write_all` gets a function that writes bytes.
  template <class WriteAll>
  explicit Pipe(WriteAll write_all) {
    REQUIRE(pipe(ends_) == 0);
    writer_ = std::thread([this, write_all] {
      write_all([this](std::string_view bytes) {
        CHECK(::write(ends_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
      });
      close(ends_[1]);
    });
  }
  ~Pipe() {
    writer_.join();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }

 private:
  int ends_[2];
  std::thread writer_;
};

}  // namespace

TEST_CASE("whole records that have come are given while the writer of a pipe pauses") {
  const Records records{{"a", "", "ACGT"}, {"b", "", "GATTACA"}, {"c", "", "CCC"}};
  for (const bool fastq : {true, false}) {
    for (const int threads : {1, 3}) {
      const std::string text = fastq ? fastq_of(records, "\n") : fasta_of(records, "\n");
      const std::size_t cut = text.size() - 2;  // inside the last record
      std::atomic<std::size_t> given{0};
      std::atomic<bool> in_time{false};
      const Pipe pipe([&](const auto& write) {
        write(std::string_view(text).substr(0, cut));
        for (int waited = 0; waited < 2000 && !in_time; ++waited) {
          in_time = given == 2;
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        write(std::string_view(text).substr(cut));
      });
      SequenceReader reader({pipe.path()}, {.threads = threads});
      RecordBatch batch;
      Records all;
      while (reader.next(batch)) {
        add_batch(batch, all);
        given = all.size();
      }
      CHECK(in_time);
      CHECK(all == records);
    }
  }
}

TEST_CASE("a pipe that pauses anywhere gives the records of a file, and their bytes") {
  std::mt19937 random(seed());
  Records records;
  for (int i = 0; i < 20; ++i)
    records.push_back({"r" + std::to_string(i), "", random_letters(random, 1 + random() % 90)});
  for (const bool fastq : {true, false}) {
    for (const char* end : {"\n", "\r\n"}) {
      for (const std::uint64_t block_bytes : {150, 1000000}) {
        const std::string text = fastq ? fastq_of(records, end) : fasta_of(records, end);
        std::vector<std::size_t> cuts{0, text.size()};
        for (int i = 0; i < 4; ++i)
          cuts.push_back(random() % text.size());
        std::ranges::sort(cuts);
        const Pipe pipe([&](const auto& write) {
          for (std::size_t i = 1; i < cuts.size(); ++i) {
            write(std::string_view(text).substr(cuts[i - 1], cuts[i] - cuts[i - 1]));
            std::this_thread::sleep_for(std::chrono::milliseconds(150));
          }
        });
        SequenceReader reader({pipe.path()},
                              {.threads = 2, .block_bytes = block_bytes, .keep_bytes = true});
        RecordBatch batch;
        Records all;
        std::string bytes;
        while (reader.next(batch)) {
          add_batch(batch, all);
          bytes += batch.bytes.run(0, batch.size());
        }
        CHECK(all == records);
        CHECK(bytes == text);
      }
    }
  }
}

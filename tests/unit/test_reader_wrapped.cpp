// FASTQ whose sequences and qualities are on several lines, and '+' lines that repeat no header.
#include "support/log_capture.hpp"
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// A text in lines of random lengths; it may have no line at all.
std::string in_random_lines(std::mt19937& random, const std::string& text, const char* end) {
  const std::size_t most = 1 + random() % 12;
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t width = random() % 4 == 0 ? text.size() : 1 + random() % most;
    lines += text.substr(at, width) + end;
    at += width;
    if (random() % 20 == 0) lines += end;
  }
  return lines;
}

/// Qualities that look like headers, '+' lines and sequences.
std::string marked_qualities(std::mt19937& random, std::size_t length) {
  std::string text(length, '!');
  for (char& c : text)
    c = "@@+>ACI~"[random() % 8];
  return text;
}

std::string wrapped_fastq(std::mt19937& random, const Records& records) {
  const char* const end = random() % 3 == 0 ? "\r\n" : "\n";
  std::string text;
  for (const Record& record : records) {
    text += "@" + header_of(record) + end;
    text += in_random_lines(random, record.symbols, end);
    text += "+" + (random() % 2 == 0 ? header_of(record) : "") + end;
    text += in_random_lines(random, marked_qualities(random, record.symbols.size()), end);
    if (random() % 8 == 0) text += end;
  }
  return text;
}

}  // namespace

TEST_CASE("wrapped FASTQ: qualities go on until they are as many as the symbols") {
  const std::pair<const char*, Records> cases[] = {
      {"@r1\nCATTACGT\n+\nIIII\n@III\n@r2\nCATTACGT\n+\n@r2\nI\n+\nII\n@\n",
       {{"r1", "", "CATTACGT"}, {"r2", "", "CATTACGT"}}},
      {"@a\nAC\nGT\n+a\n@b\nCC\n@c\nA\n+\n@\n", {{"a", "", "ACGT"}, {"c", "", "A"}}},
      {"@a\nACGTAC\n+\n@b\nA\n+\n\nII\n@c\nA\n+\n+\n", {{"a", "", "ACGTAC"}, {"c", "", "A"}}},
      {"@a\nAC\n+\nI\nI  \n \t\n@b\nA\n+\nI \t\r\n", {{"a", "", "AC"}, {"b", "", "A"}}},
  };
  for (const auto& [text, records] : cases) {
    CAPTURE(text);
    check_text(text, records);
  }
}

TEST_CASE("wrapped FASTQ of random lines is read back, for blocks of any size") {
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(5); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    const Records records = random_records(random);
    check_text(wrapped_fastq(random, records), records);
  }
}

TEST_CASE("qualities come with the symbols of wrapped FASTQ, on any number of threads") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  std::string text, expected;
  for (int r = 0; r < 300; ++r) {
    const std::size_t length = random() % 80;
    const std::string qualities = marked_qualities(random, length);
    text += "@r\n" + in_random_lines(random, random_letters(random, length), "\n") + "+\n" +
            in_random_lines(random, qualities, "\n");
    expected += qualities;
  }
  const std::string path = write_file(folder / "f.fq", text);
  for (const int threads : {1, 3}) {
    for (const std::uint64_t block : {50, 1000}) {
      SequenceReader reader(
          {path},
          {.threads = threads, .block_bytes = block, .keep_qualities = true, .keep_bytes = true});
      std::map<std::uint64_t, std::pair<std::string, std::string>> batches;
      std::mutex mutex;
      run_threads(threads, [&](int) {
        RecordBatch batch;
        while (reader.next(batch)) {
          const std::lock_guard lock(mutex);
          batches[batch.number] = {batch.qualities, std::string(batch.bytes.run(0, batch.size()))};
        }
      });
      std::string qualities, bytes;
      for (const auto& [number, batch] : batches) {
        qualities += batch.first;
        bytes += batch.second;
      }
      CHECK((qualities == expected));
      CHECK((bytes == text));
    }
  }
}

TEST_CASE("FASTQ with too few or too many qualities is refused where they are") {
  const std::pair<const char*, const char*> cases[] = {
      {"@a\nACGT\n+\nIII\n@b 1\nACGT\n+\nIIII\n", "record 1 ('a'), line 4: 3 quality values for 4"},
      {"@a\nACGTACGTACGT\n+\nIII\n@b\nA\n+\nI\n@c\nACGT\n+\nIIII\n",
       "record 1 ('a'), line 4: 3 quality values for 12 symbols"},
      {"@a\nACGT\n+\nI\nI\nIII\n", "record 1 ('a'), line 6: more than 4 quality values"},
      {"@a\nACGT\n+\nIII\n@b\n", "record 1 ('a'), line 4: 3 quality values for 4 symbols"},
      {"@a\nACGT\n+\nIII\n", "record 1 ('a'), line 4: 3 quality values for 4 symbols"},
      {"@a\nACGT\n+\nI II\n", "record 1 ('a'), line 4: a blank inside a quality line"},
      {"@a\nACGT\n+\nI\n \tIII\n", "record 1 ('a'), line 5: a blank inside a quality line"},
      {"@a\nACGT\n+\nIIII I\n", "record 1 ('a'), line 4: a blank inside a quality line"},
  };
  for (const auto& [text, error] : cases) {
    CAPTURE(text);
    check_error(text, error);
  }
}

TEST_CASE("one warning per file counts the '+' lines that repeat neither header nor name") {
  const TemporaryFolder folder;
  const std::string good = "@a x\nAC\n+a x\nII\n@a x\nA\n+a\nI\n@ b\nA\n+b \nI\n@c\n\n+c\n\n";
  const std::string bad = "@d x\nACG\n+d y\nIII\n@e\nAC\nGT\n+f\nII\nII\n@g\nA\n+g x\nI\n";
  const std::string path = write_file(folder / "f.fq", good + bad + good + "@h\n\n+i");
  write_file(folder / "good.fq", good);
  for (const bool split : {false, true}) {
    for (const std::uint64_t block : {1, 5, 30, 1000}) {
      for (const int threads : {1, 3}) {
        CAPTURE(block);
        const LogCapture log(spdlog::level::warn);
        const Reading all =
            read_on_threads({path, folder / "good.fq"}, {threads, block, split}, threads);
        CHECK(all.error.empty());
        CHECK(log.text() == path +
                                ": the '+' line of 4 records differs from the header (first: "
                                "record 5); names are those of the headers\n");
      }
    }
  }
}

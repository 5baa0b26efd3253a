// Sequence files for the reader tests: written, compressed, and read back.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hts_log.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "records/sequence_reader.hpp"
#include "support/files.hpp"
#include "support/seeds.hpp"

namespace gsx::testing {

struct Record {
  std::string name;
  std::string comment;
  std::string symbols;
  bool operator==(const Record&) const = default;
};
using Records = std::vector<Record>;

inline std::string gzip_bytes(const std::string& folder_file, const std::string& text) {
  gzFile file = gzopen(folder_file.c_str(), "wb");
  if (!text.empty()) gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(folder_file);
}

/// BGZF with at most `block` bytes of text per block, so that tests choose where the parser sees
/// cuts.
inline std::string bgzf_bytes(const std::string& folder_file, const std::string& text,
                              std::size_t block = 0xff00) {
  BGZF* file = bgzf_open(folder_file.c_str(), "w1");
  REQUIRE(file != nullptr);
  for (std::size_t at = 0; at < text.size(); at += block) {
    const std::string piece = text.substr(at, block);
    REQUIRE(bgzf_write(file, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size()));
    REQUIRE(bgzf_flush(file) == 0);
  }
  REQUIRE(bgzf_close(file) == 0);
  return read_file(folder_file);
}

/// Adds the entries of a batch to `all`, joins continued records, and checks the batch's numbers.
inline void add_batch(const RecordBatch& batch, Records& all) {
  const std::size_t size = batch.size();
  const bool sound = size != 0 && batch.name_ends.size() == size &&
                     batch.comment_ends.size() == size &&
                     batch.symbol_ends.back() == batch.symbols.size() &&
                     batch.first_record + (batch.continues ? 1 : 0) == all.size();
  REQUIRE(sound);
  for (std::size_t i = 0; i < size; ++i) {
    const Record record{std::string(batch.name(i)), std::string(batch.comment(i)),
                        std::string(batch.sequence(i))};
    if (i == 0 && batch.continues) {
      const bool continued =
          !record.symbols.empty() && record.name.empty() && record.comment.empty();
      REQUIRE(continued);
      all.back().symbols += record.symbols;
    } else {
      all.push_back(record);
    }
  }
}

inline Records read_all(const std::vector<std::string>& paths, ReaderOptions options = {}) {
  SequenceReader reader(paths, options);
  RecordBatch batch;
  Records all;
  for (std::uint64_t number = 0; reader.next(batch); ++number) {
    CHECK(batch.number == number);
    add_batch(batch, all);
  }
  CHECK(batch.size() == 0);
  CHECK(batch.symbols.empty());
  CHECK(!reader.next(batch));
  return all;
}

/// The result of reading on several threads: the records before the batch with the error, and the
/// error message, which must be the same for all threads that get it.
struct Reading {
  Records records;
  std::string error;
};

inline Reading read_on_threads(
    const std::vector<std::string>& paths, ReaderOptions options, int threads,
    const std::function<void()>& after_batch = [] {}) {
  SequenceReader reader(paths, options);
  std::mutex mutex;
  std::map<std::uint64_t, RecordBatch> batches;
  std::optional<std::pair<std::uint64_t, std::string>> error;
  bool same_error = true;
  run_threads(threads, [&](int) {
    RecordBatch batch;
    try {
      while (reader.next(batch)) {
        const std::lock_guard lock(mutex);
        batches[batch.number] = std::move(batch);
        after_batch();
      }
    } catch (const gsx::InputError& thrown) {
      const std::lock_guard lock(mutex);
      const std::pair<std::uint64_t, std::string> mine{batch.number, thrown.what()};
      if (!error) error = mine;
      same_error = same_error && *error == mine;
    }
  });
  Reading reading;
  std::uint64_t number = 0;
  for (const auto& [found, batch] : batches) {
    REQUIRE(found == number++);
    add_batch(batch, reading.records);
  }
  CHECK(same_error);
  if (error) CHECK(error->first == number);
  if (error) reading.error = error->second;
  return reading;
}

/// The message of the error that ends reading, or "" if there is none.
inline std::string error_of(const std::vector<std::string>& paths, ReaderOptions options = {}) {
  try {
    SequenceReader reader(paths, options);
    RecordBatch batch;
    while (reader.next(batch)) {
    }
  } catch (const gsx::Error& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Block sizes that cut a short text everywhere.
inline std::vector<std::uint64_t> block_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes = {0, 1 << 20};
  const std::uint64_t all = std::min<std::uint64_t>(text.size() + 2, 70);
  for (std::uint64_t size = 1; size <= all; ++size)
    sizes.push_back(size);
  if (text.size() > all) sizes.insert(sizes.end(), {71, 100, 257, 1000, 4096});
  return sizes;
}

/// Reads `text` as a plain file, as a stream and as BGZF cut at several sizes, in blocks of all
/// sizes, whole and split, on one thread and on several; checks that all give `expected`.
inline void check_text(const std::string& text, const Records& expected) {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& path, std::uint64_t block) {
    for (const bool split : {false, true}) {
      CAPTURE(path);
      CAPTURE(block);
      CAPTURE(split);
      CHECK(read_all({path}, {1, block, split}) == expected);
      if (block % 9 != 1) continue;
      const Reading reading = read_on_threads({path}, {1, block, split}, 3);
      CHECK(reading.error.empty());
      CHECK(reading.records == expected);
    }
  };
  const std::string plain = write_file(folder / "plain", text);
  const std::string stream = folder / "stream";
  bgzf_bytes(stream, text);
  for (const std::uint64_t block : block_sizes(text)) {
    check(plain, block);
    check(stream, block);
  }
  for (const std::size_t inflated : {1, 2, 3, 7, 1000}) {
    bgzf_bytes(stream, text, inflated);
    for (const std::uint64_t block : {1, 2, 33, 40, 1 << 20})
      check(stream, block);
  }
}

/// Checks that a text is refused with the same message in every way of reading it.
inline void check_error(const std::string& text, const std::string& expected) {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "f", text);
  const std::string message = error_of({path});
  CAPTURE(message);
  CHECK(has(message, expected));
  CHECK(message.starts_with(path + ": "));
  const auto check = [&](std::uint64_t block) {
    CAPTURE(block);
    for (const bool split : {false, true}) {
      CHECK(error_of({path}, {1, block, split}) == message);
      CHECK(read_on_threads({path}, {1, block, split}, 3).error == message);
    }
  };
  for (const std::uint64_t block : block_sizes(text))
    check(block);
  for (const std::size_t inflated : {1, 2, 5}) {
    bgzf_bytes(path, text, inflated);
    for (const std::uint64_t block : {1, 7, 1 << 20})
      check(block);
  }
}

inline std::string random_letters(std::mt19937& random, std::size_t length) {
  std::string text(length, 'A');
  for (char& c : text)
    c = "ACGTNacgtn*-"[random() % 12];
  return text;
}

/// FASTQ of so many reads of 100 bases, named `name`0, `name`1, ...
inline std::string fastq_reads(std::mt19937& random, const std::string& name, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += '@' + name + std::to_string(i) + '\n' + random_letters(random, 100) + "\n+\n" +
            std::string(100, 'I') + '\n';
  }
  return text;
}

inline std::string random_qualities(std::mt19937& random, std::size_t length) {
  std::string text(length, '!');
  for (char& c : text)
    c = "@>+!~IF#"[random() % 8];
  return text;
}

inline Records random_records(std::mt19937& random) {
  Records records(1 + random() % 12);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].name = random() % 8 == 0 ? "" : "r" + std::to_string(random() % 1000);
    if (random() % 2 == 0 && !records[i].name.empty()) records[i].comment = "some words\tand @>+";
    const std::size_t kind = random() % 6;
    const std::size_t length = kind == 0 ? 0 : kind == 1 ? random() % 300 : random() % 60;
    records[i].symbols = random_letters(random, length);
  }
  return records;
}

inline std::string wrapped(const std::string& text, std::size_t width,
                           const std::string& line_end) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += width)
    out += text.substr(at, width) + line_end;
  return out;
}

inline std::string header_of(const Record& record) {
  return record.name + (record.comment.empty() ? "" : " " + record.comment);
}

inline std::string fasta_of(const Records& records, std::mt19937& random) {
  const std::string line_end = random() % 3 == 0 ? "\r\n" : "\n";
  const std::size_t width = random() % 3 == 0 ? 1 + random() % 5 : 16 + random() % 40;
  std::string text;
  for (const Record& record : records) {
    text += ">" + header_of(record) + line_end + wrapped(record.symbols, width, line_end);
    if (random() % 5 == 0) text += line_end;
  }
  return text;
}

inline std::string fastq_of(const Records& records, std::mt19937& random) {
  const std::string line_end = random() % 3 == 0 ? "\r\n" : "\n";
  const bool wrap = random() % 3 == 0;
  std::string text;
  for (const Record& record : records) {
    const std::size_t width = wrap ? 1 + record.symbols.size() / 2 : 100000;
    text += "@" + header_of(record) + line_end;
    text += record.symbols.empty() ? line_end : wrapped(record.symbols, width, line_end);
    text += (random() % 2 == 0 ? "+" : "+" + header_of(record)) + line_end;
    const std::string qualities = random_qualities(random, record.symbols.size());
    text += qualities.empty() ? line_end : wrapped(qualities, width, line_end);
  }
  return text;
}

/// The seed of this run, for the generators here.
inline std::uint32_t seed() {
  return static_cast<std::uint32_t>(run_seed());
}

}  // namespace gsx::testing

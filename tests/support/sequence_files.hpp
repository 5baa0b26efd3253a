// Sequence files for the reader tests: written, compressed, and read back whole.
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
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx::testing {

struct Record {
  std::string name;
  std::string comment;
  std::string symbols;
  bool operator==(const Record&) const = default;
};
using Records = std::vector<Record>;

/// A folder of its own, removed at the end of the test.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gsx-reader-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string gzip_bytes(const std::string& folder_file, const std::string& text) {
  gzFile file = gzopen(folder_file.c_str(), "wb");
  if (!text.empty()) gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(folder_file);
}

/// BGZF with blocks of at most `block` bytes of text, so that the parser sees cuts where we like.
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

/// Adds a batch's entries to `all`, joining a continued record, and checks the batch's numbers.
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
      const bool continued = !record.symbols.empty() && record.name == all.back().name &&
                             record.comment == all.back().comment;
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
  while (reader.next(batch))
    add_batch(batch, all);
  CHECK(batch.size() == 0);
  CHECK(batch.symbols.empty());
  CHECK(!reader.next(batch));
  return all;
}

/// The message of the InputError that reading ends with, or "" when there is none.
inline std::string error_of(const std::vector<std::string>& paths, ReaderOptions options = {}) {
  try {
    SequenceReader reader(paths, options);
    RecordBatch batch;
    while (reader.next(batch)) {
    }
  } catch (const gsx::InputError& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Reads `text` as a plain file and as BGZF cut at several block sizes, with several batch sizes,
/// whole and split, and checks that all give `expected`.
inline void check_text(const std::string& text, const Records& expected) {
  const TempFolder folder;
  std::vector<std::string> paths = {write_file(folder / "plain", text)};
  for (const std::size_t block : {1, 2, 3, 7, 1000}) {
    const std::string path = folder / ("block" + std::to_string(block));
    bgzf_bytes(path, text, block);
    paths.push_back(path);
  }
  for (const std::string& path : paths) {
    for (const std::uint64_t batch : {0, 1, 2, 33, 40, 1 << 20}) {
      for (const bool split : {false, true}) {
        CAPTURE(path);
        CAPTURE(batch);
        CAPTURE(split);
        CHECK(read_all({path}, {1, batch, split}) == expected);
      }
    }
  }
}

/// The same for a text that is refused: every way of reading it gives the same message.
inline void check_error(const std::string& text, const std::string& expected) {
  const TempFolder folder;
  const std::string path = write_file(folder / "f", text);
  const std::string message = error_of({path});
  CAPTURE(message);
  CHECK(has(message, expected));
  CHECK(message.starts_with(path + ": "));
  for (const std::size_t block : {1, 2, 5}) {
    bgzf_bytes(path, text, block);
    CHECK(error_of({path}) == message);
    CHECK(error_of({path}, {1, 1, true}) == message);
  }
}

inline std::string random_letters(std::mt19937& random, std::size_t length) {
  std::string text(length, 'A');
  for (char& c : text)
    c = "ACGTNacgtn*-"[random() % 12];
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
    // Where the sequence takes one line, so must the qualities.
    const std::size_t width = wrap ? 1 + record.symbols.size() / 2 : 100000;
    text += "@" + header_of(record) + line_end;
    text += record.symbols.empty() ? line_end : wrapped(record.symbols, width, line_end);
    text += (random() % 2 == 0 ? "+" : "+" + header_of(record)) + line_end;
    const std::string qualities = random_qualities(random, record.symbols.size());
    text += qualities.empty() ? line_end : wrapped(qualities, width, line_end);
  }
  return text;
}

inline std::uint32_t seed() {
  const char* text = std::getenv("GSX_SEED");
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : 20240607u;
}

}  // namespace gsx::testing

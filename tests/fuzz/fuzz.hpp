// What the fuzz targets share. A target is the usual LLVMFuzzerTestOneInput and names inputs to
// begin with. libFuzzer drives it if the compiler is Clang, otherwise driver.cpp does.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/output.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "support/files.hpp"
#include "text/extract.hpp"
#include "text/record_checksum.hpp"
#include "text/text_builder.hpp"

namespace gsx::fuzzing {

/// Small inputs to begin with; every target defines them.
std::vector<std::string> seeds();
/// Pieces worth inserting; every target defines them.
std::vector<std::string> tokens();

/// Ends the process if `condition` does not hold.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz target: not so: %s\n", what);
  std::abort();
}

/// A regular file, with a path, that exists only in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error("no file in memory");
    while (!bytes.empty()) {
      const ssize_t done = write(fd_, bytes.data(), bytes.size());
      if (done < 0) throw std::runtime_error("cannot write to memory");
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

/// The name, comment and symbols of a record.
struct FuzzRecord {
  std::string name;
  std::string comment;
  std::string symbols;
};

/// The bytes of the index of these records.
inline std::string index_of(const std::vector<FuzzRecord>& records, const TextOptions& policy,
                            const BuildOptions& build) {
  TextBuilder builder(policy);
  RecordBatch batch;
  for (const FuzzRecord& record : records) {
    batch.begin_record(record.name, record.comment);
    batch.append(record.symbols);
  }
  builder.add(batch);
  Text text = builder.finish();
  checksum_records(text, 1);
  const testing::TemporaryFolder folder;
  Output out(folder / "index");
  write_index(out, text, make_cpu_backend()->build_index(text.view(), build), 1);
  out.commit();
  return folder.read("index");
}

/// `length` symbols that depend only on `seed`.
inline std::string fixed_symbols(std::size_t length, std::uint64_t seed, std::string_view symbols) {
  std::string made;
  for (std::uint64_t state = seed; made.size() < length;
       state = state * 6364136223846793005u + 1442695040888963407u)
    made += symbols[(state >> 33) % symbols.size()];
  return made;
}

inline std::string reverse_complement(std::string_view bases) {
  std::string made;
  for (std::size_t i = bases.size(); i-- > 0;) {
    const std::size_t code = std::string_view("ACGT").find(bases[i]);
    made += code == std::string_view::npos ? bases[i] : "TGCA"[code];
  }
  return made;
}

/// The segments of an index as symbols, in text order.
inline std::vector<std::string> segments_of(const Index& index) {
  const RecordsView& records = index.records();
  const SegmentsView segments = index.text().segments;
  std::vector<std::string> made(segments.count);
  for (std::size_t s = 0; s < made.size(); ++s) {
    const std::uint64_t begin = records.segment_offsets[s];
    const std::uint64_t length = segments.starts[s + 1] - 1 - segments.starts[s];
    extract(index.text(), records, index.alphabet(), records.segment_records[s], begin,
            begin + length, made[s]);
  }
  return made;
}

/// All places where `pattern` begins, found by comparing everywhere.
inline std::vector<Hit> occurrences(const std::vector<std::string>& segments,
                                    const SegmentsView& table, std::string_view pattern,
                                    bool reverse) {
  std::vector<Hit> hits;
  if (pattern.empty()) return hits;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    for (std::size_t at = 0; (at = segments[s].find(pattern, at)) != std::string::npos; ++at)
      hits.emplace_back(table.starts[s] + at, reverse);
  }
  return hits;
}

}  // namespace gsx::fuzzing

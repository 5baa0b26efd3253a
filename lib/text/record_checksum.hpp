// Checksums of records, which an index file keeps.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Computes the checksum of every record, in tasks that share out long records as well. A checksum
/// is the XXH3-128 of the XXH3-128 values of the record's pieces, so that any thread can hash any
/// piece; index/store/FORMAT.md defines it. Cost: 0.13 ns per symbol of DNA, and 50 ns per record.
class RecordChecksums {
 public:
  /// Symbols of a piece; the last one of a record may be shorter. Part of the file format.
  static constexpr std::uint64_t piece = std::uint64_t{1} << 20;

  /// Sees symbols of a record, from `begin` on, as extract() gives them.
  using Visit =
      std::function<void(std::uint64_t record, std::uint64_t begin, std::string_view symbols)>;

  /// Refers to what it is given.
  RecordChecksums(const TextView& text, const RecordsView& records, const Alphabet& alphabet);

  std::uint64_t tasks() const { return tasks_.size(); }
  /// Symbols that a task hashes, and 1 per record that ends in them.
  std::uint64_t cost(std::uint64_t number) const;
  /// Hashes the records or the piece of one task, and shows all symbols to `visit`, if there is
  /// one. Tasks may run on any threads at the same time.
  void run(std::uint64_t number, const Visit& visit = {});
  /// The checksum of each record. Pre: every task has run.
  std::vector<RecordChecksum> take();

 private:
  /// Short records [record, end), or the piece of a long record that begins at symbol `begin`.
  struct Task {
    std::uint64_t record;
    std::uint64_t end;
    std::uint64_t begin;
    std::uint64_t symbols;
    std::uint64_t slot;  ///< in pieces_, for a long record
  };
  class Hasher;

  TextView text_;
  RecordsView records_;
  const Alphabet& alphabet_;
  std::vector<Task> tasks_;
  std::vector<RecordChecksum> pieces_;     ///< values of the pieces of long records, in order
  std::vector<RecordChecksum> checksums_;  ///< of the records
};

/// Computes the checksums of all records, which an index file needs. Cost: as RecordChecksums,
/// shared by the threads.
void checksum_records(Text& text, int threads);

/// Computes the checksums, unless the text has them, and the MD5s, if text.keeps_md5, while `main`
/// runs; see run_beside(). A suffix array may be built at the same time: nothing that text.view()
/// refers to changes. `first`, if there is one, is called as the first of the tasks. For the cost
/// of MD5s see RecordMd5s.
void checksum_records_beside(Text& text, int threads, int aside, const std::function<void()>& main,
                             const std::function<void()>& first = {});

}  // namespace gsx

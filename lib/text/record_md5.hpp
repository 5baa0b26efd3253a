// MD5s of records, which SAM uses.
#pragma once

#include <cstdint>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Computes the MD5 of every record as extract() gives it, in upper case for DNA and protein, which
/// is SAM's M5. A task is one or several whole records: MD5 cannot share out one. Cost: 1.4 ns per
/// symbol.
class RecordMd5s {
 public:
  /// Refers to what it is given.
  RecordMd5s(const TextView& text, const RecordsView& records, const Alphabet& alphabet);

  std::uint64_t tasks() const { return tasks_.size(); }
  /// Tasks may run on any threads at the same time.
  void run(std::uint64_t number);
  /// The MD5 of each record. Pre: every task has run.
  std::vector<Md5> take();

 private:
  /// Records [begin, end).
  struct Task {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t symbols;
  };

  TextView text_;
  RecordsView records_;
  const Alphabet& alphabet_;
  std::vector<Task> tasks_;  ///< the longest first
  std::vector<Md5> md5s_;
};

/// The MD5s of all records, by RecordMd5s on several threads.
std::vector<Md5> md5s_of_records(const TextView& text, const RecordsView& records,
                                 const Alphabet& alphabet, int threads);

}  // namespace gsx

// The LZ77 parse of each record of a text, or of all records as one text.
#pragma once

#include <cstdint>
#include <functional>

#include "analysis/lz77/record_phrases.hpp"
#include "device/backend.hpp"

namespace gsx {

struct Lz77Options {
  /// Whether a source may lie in an earlier record; otherwise a record is parsed alone.
  bool across_records = false;
  BuildOptions build;
};

/// What a parse will take.
struct Lz77Plan {
  std::uint64_t parts = 0;         ///< pieces of the text that are sorted and parsed one by one
  std::uint64_t part_symbols = 0;  ///< of the largest, separators included
  std::uint64_t host_bytes = 0;    ///< beside what the process holds when the parse begins
  std::uint64_t device_bytes = 0;
};

/// Throws what Backend::plan() throws.
Lz77Plan plan_lz77(const RecordSource& source, Backend& backend, const Lz77Options& options);

/// Gives `take` the phrases of each record, in order, one call at a time, in the thread that
/// called. A phrase is the longest prefix of the rest of the record that begins at an earlier
/// position, which may overlap it, and its source is the first such position; or a literal. No
/// phrase reaches across a symbol outside the alphabet. `backend` sorts the suffixes; records of
/// less than 2^18 symbols are put together, and on the CPU sorted side by side. The result depends
/// on neither. Throws ResourceError where the memory limit has no room, as far as possible before
/// the parse. Memory per symbol of the largest record (of all, across records), beside the text: 12
/// bytes, or what the suffix array takes if that is more; 24 with 64-bit positions; and 8 bytes per
/// phrase, or 16. As much again at most where neighbours in the suffix array come in the order of
/// the text. Cost: that of the suffix array, two random accesses per symbol, which threads share,
/// and one pass from left to right on one thread.
void factorize(const RecordSource& source, Backend& backend, const Lz77Options& options,
               const std::function<void(const RecordPhrases&)>& take);

}  // namespace gsx

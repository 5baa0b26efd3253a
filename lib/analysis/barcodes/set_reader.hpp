// Reads sets of sequences from lists, FASTA, FASTQ and alignments.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/memory_growth.hpp"
#include "records/decoding.hpp"
#include "records/record_batch.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

/// Which symbols of a read make the sequence: those of some ranges, one after another, or all.
struct SymbolRanges {
  /// Half-open; or if it is from the end, by the numbers of symbols that follow, of which `begin`
  /// is the greater one.
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    bool from_end = false;

    std::uint64_t length() const { return from_end ? begin - end : end - begin; }
    /// This range, counted from the beginning of a read of so many symbols.
    Range in(std::uint64_t symbols) const {
      return from_end ? Range{symbols - begin, symbols - end} : *this;
    }
  };
  std::vector<Range> ranges;  ///< none for all symbols

  /// Symbols in all ranges.
  std::uint64_t length() const;
  /// The least length of a read that has all of them, and none twice.
  std::uint64_t least_read() const;
  /// The sequence of a read, or what stands beside its symbols. It may be in `space`. Pre: the
  /// read has at least least_read() symbols.
  std::string_view of(std::string_view read, std::string& space) const;
};

/// Of which reads sequences are taken.
enum class MateUse : std::uint8_t {
  each,   ///< of all
  alone,  ///< of all, and files of pairs are refused
  first,  ///< of the first mates in files of pairs, where mates follow one another
};

class UncertainReads;

struct SetReadOptions {
  int threads = 1;
  std::uint64_t block_bytes = std::uint64_t{1} << 20;
  bool hands_over = true;  ///< as ReaderOptions::hands_over
  SymbolRanges at = {};
  MateUse mates = MateUse::each;
  bool counts =
      true;  ///< whether a list may have counts; if not, what follows a tab is passed over
  std::uint64_t record_bytes = ~std::uint64_t{0};  ///< most bytes of a record; see ReaderOptions
  Decoding decoding = {};
  RequireMemory require = {};
  UncertainReads* uncertain = nullptr;  ///< if not null, gets the reads of FASTQ that are uncertain
  /// If it is there, called now and then with the records and the bytes of the files read so far.
  std::function<void(std::uint64_t records, std::uint64_t bytes)> report = {};
};

/// A set, and what it was made of.
struct ReadSet {
  SequenceSet set;
  std::uint64_t records = 0;    ///< or lines of a list; with second mates, and what is too short
  std::uint64_t sum = 0;        ///< of the counts of those that are not too short
  std::uint64_t too_short = 0;  ///< of the counts of those that lack symbols of `at`
  bool only_fastq = true;       ///< whether all files with records are FASTQ
  std::vector<std::string> empty_files;  ///< as messages name them
  std::vector<std::string> list_notes;   ///< SequenceReader::list_notes()
};

/// Reads the sequences of all files, in input order. What is too short for `at` is passed over, and
/// counted. Names are kept if the first file is FASTA.
/// Files without records are no error. Throws UsageError and LongQueryError as SequenceReader;
/// InputError, with file and record or line, for what is no sequence of A C G T U N, for lengths
/// that differ or are above 64, for wrong counts, and for mates that are out of step; UsageError
/// for pairs where reads are to be alone; ResourceError.
ReadSet read_sequence_set(const std::vector<std::string>& paths, const SetReadOptions& options);

/// Whether record i of a batch is a second mate, of which no sequence is taken.
inline bool is_passed_over(const RecordBatch& batch, std::size_t i, MateUse mates) {
  return mates == MateUse::first && (batch.first_in_source + i) % 2 == 0;
}

/// The InputError of record i of a batch.
InputError error_in_record(const RecordBatch& batch, std::size_t i, const std::string& what);
/// Why a sequence cannot become a key: "'-' is not a letter of a sequence ...".
std::string why_no_sequence(std::string_view sequence);

}  // namespace gsx

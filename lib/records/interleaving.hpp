// Mates that follow one another in a file, or lie in two: whether they do, and that they keep doing
// so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "records/mate_names.hpp"
#include "records/record_batch.hpp"

namespace gsx {

/// "record 5 ('name') of 'file'"
std::string place_of(std::uint64_t number, std::string_view name, const std::string& file);
std::string place_of(const RecordBatch& reads, std::size_t i);

inline ReadHeader read_header(const RecordBatch& reads, std::size_t i) {
  return {reads.name(i), reads.comment(i)};
}

/// What to do about mates that do not follow one another. Alignments come by their places, and
/// some may have lost their mates.
std::string advice_on_order(bool is_alignment);

/// Whether reads are mates, two and two, by the headers of some of them. Names that single reads
/// may have, too, tell it from two pairs on, and in FASTA not at all.
class MateEvidence {
 public:
  /// How many pairs tell it.
  static constexpr std::uint64_t most_pairs = 100;

  /// Takes the next two reads; false if they tell that all are single.
  bool add(const ReadHeader& first, const ReadHeader& second, SequenceFormat format);
  /// Whether the reads so far, which are all that there are but for half a pair, are mates. Pre:
  /// add() was true.
  bool tells_pairs(bool half) const;

 private:
  MateNames names_;
  std::uint64_t pairs_ = 0;
  std::string last_name_;  ///< of the first mate that came last
};

/// Tells whether a file holds pairs though it is to be one of single reads, by its first reads: if
/// the first 100 pairs of records, or all of a shorter file, are mates by MateEvidence, whatever
/// the last record of an odd number is. Of alignments, in which mates lie anywhere, one read of a
/// pair tells it. Long reads tell it in fewer pairs.
class PairWatch {
 public:
  enum class Answer : std::uint8_t { open, pairs, single };

  /// Takes the next records of the file, or as many as the answer needs. Pre: the answer is open.
  Answer take(const RecordBatch& reads, bool is_alignment);
  /// The answer for a file that ends here.
  Answer end();
  /// Throws UsageError that says which reads are mates, and what the options are for that decide:
  /// "give --interleaved to KEEP, or --unpaired to SPLIT". Pre: the answer is pairs.
  [[noreturn]] void refuse(const std::string& keep, const std::string& split) const;

 private:
  Answer take(const RecordBatch& reads, std::size_t i);

  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

  MateEvidence evidence_;
  Answer answer_ = Answer::open;
  bool is_alignment_ = false;
  std::uint64_t records_ = 0, bytes_ = 0;
  std::string last_name_, last_comment_;  ///< of the first mate
  std::string found_;  ///< "record 1 ('r/1') of FILE and record 2 ('r/2') are mates"
};

/// Tells whether two files hold the mates of one another though each read is to stand alone, by
/// their first reads: if the first 100 of both, or all of two shorter files, are mates by
/// MateEvidence. Alignments and lists tell nothing. Memory: the headers of these reads, at most
/// some 64 KiB per file.
class MateFilesWatch {
 public:
  /// Takes the next records, in input order. Throws UsageError once it is told; its message ends in
  /// `cure`, which says what to do.
  void take(const RecordBatch& reads, bool is_alignment, const std::string& cure);
  /// Ends the file that the last records were of. Throws as take().
  void end_file(const std::string& cure);

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 16;

  struct Header {
    std::string name, comment;
  };
  /// The first reads of a file.
  struct Head {
    std::string file;  ///< as messages name it
    SequenceFormat format;
    std::vector<Header> headers;
    std::size_t bytes = 0;
    bool is_full = false;  ///< there are enough; otherwise, they are all
  };
  static bool are_mates(const Head& one, const Head& other);
  /// Throws if the last file and one before it hold mates.
  void require_strangers(const std::string& cure) const;

  std::vector<Head> heads_;  ///< of the files that have ended, and then of the one that is open
  std::optional<std::size_t> file_;  ///< that is open
};

/// Checks that the mates of interleaved files follow one another, over batches in input order.
class InterleavedMates {
 public:
  /// Throws InputError for mates that are out of step, also for a file that ends before the batch
  /// does with one that has no mate.
  void check(const RecordBatch& reads, bool is_alignment);
  /// Ends the input. Throws InputError for a mate that is alone.
  void finish() const;

 private:
  /// A first mate whose second one is in the next batch.
  struct Single {
    std::string name, comment, place;
    std::size_t file;
  };
  MateNames names_;
  std::optional<Single> single_;
};

/// What is wrong with two reads that should be mates: " are both first mates".
std::string what_is(MateAnswer answer);

/// Throws InputError for two reads that should be mates, by where they are.
[[noreturn]] void fail_on_mates(MateAnswer answer, const std::string& first,
                                const std::string& second, const std::string& advice);

}  // namespace gsx

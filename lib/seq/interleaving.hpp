// Mates that follow one another in a file: whether they do, and that they keep doing so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "seq/mate_names.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// "record 5 ('name') of 'file'"
std::string place_of(std::uint64_t number, std::string_view name, const std::string& file);
std::string place_of(const RecordBatch& reads, std::size_t i);

inline ReadHeader header_of(const RecordBatch& reads, std::size_t i) {
  return {reads.name(i), reads.comment(i)};
}

/// What to do about mates that do not follow one another. Alignments come by their places.
std::string advice_on_order(bool is_alignment);

/// Tells whether a file holds pairs though it is to be one of single reads, by its first reads: if
/// the first 100 pairs of records, or all of a shorter file, are mates; a last record alone, as in
/// a file that was cut, tells nothing. Names that single reads may
/// have, too, tell it from two pairs on, and in FASTA not at all. Of alignments, in which mates lie
/// anywhere, one read of a pair tells it. Long reads tell it in fewer pairs.
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

  static constexpr std::uint64_t most_pairs = 100;
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

  MateNames names_;
  Answer answer_ = Answer::open;
  bool is_alignment_ = false;
  std::uint64_t records_ = 0, bytes_ = 0;
  std::string last_name_, last_comment_;  ///< of the first mate
  std::string last_pair_;                 ///< the name of the first mate before it
  std::string found_;  ///< "record 1 ('r/1') of FILE and record 2 ('r/2') are mates"
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

// Pairs of primers on their way to a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/primers/primer_pair.hpp"
#include "analysis/primers/primer_pairing.hpp"
#include "records/short_record_reader.hpp"
#include "search/mismatches/set_patterns.hpp"
#include "search/mismatches/unasked.hpp"
#include "text/text.hpp"

namespace gsx {

/// Reads the pairs of files in order ("-" is standard input): lists of
/// NAME<tab>FORWARD<tab>REVERSE, as records/lists/list_columns.hpp finds their columns, or lists or
/// FASTA with two records per pair, in any order, whose names say which is which (PrimerPairing).
class PrimerReader {
 public:
  /// Opens nothing yet. The pairs of `first` come before those of the files. Throws UsageError as
  /// SequenceReader.
  explicit PrimerReader(std::vector<std::string> paths, std::vector<PrimerPair> first = {});

  /// Replaces `pairs` by the next ones, those given first or at most `most`, and none after those
  /// that have `most_symbols` symbols together; false if there are none left. Primers that wait for
  /// their partners take a few bytes per such symbol at most, or a megabyte. Throws InputError with
  /// file and place if a file cannot be read, or what it holds is no pair, or too long
  /// (ShortRecordReader), and ResourceError if too many primers wait; the pairs before it come
  /// first.
  bool next(std::vector<PrimerPair>& pairs, std::size_t most, std::uint64_t most_symbols);
  /// The files that held no pair, as messages name them.
  std::vector<std::string> empty_files() const { return reader_.empty_files(); }
  /// SequenceReader::list_notes().
  std::vector<std::string> list_notes() const { return reader_.list_notes(); }

 private:
  bool next_pair(std::vector<PrimerPair>& pairs);
  void read_on(std::vector<PrimerPair>& pairs);
  SinglePrimer take_single();

  std::vector<PrimerPair> first_;
  ShortRecordReader reader_;
  PrimerPairing single_;
  std::size_t file_ = 0;                  ///< of the primers in single_
  std::uint64_t most_waiting_ = 0;        ///< bytes of them
  bool ended_ = false;                    ///< whether nothing is left to read
  std::exception_ptr failure_ = nullptr;  ///< to be thrown behind the pairs before it
};

/// A batch of pairs and the patterns to search for: 2 i is the forward primer of pair i, 2 i + 1
/// the reverse primer. Both are empty if one of them cannot be asked for. The reverse one is empty,
/// too, if it is the same as the forward one.
struct PrimerBatch {
  std::vector<PrimerPair> pairs;
  SetPatternBuffer patterns;

  std::size_t size() const { return pairs.size(); }
};

/// Why the primers of a pair cannot be asked for, in words that follow "it "; none if they can be.
std::optional<std::string> why_unasked(const PrimerPair& pair, const PrimerRules& rules);

/// Makes the patterns of the pairs of a batch, and adds pairs that cannot be asked for to
/// `unasked`. Letters are IUPAC codes.
void prepare_primers(PrimerBatch& batch, const PrimerRules& rules, UnaskedQueries& unasked);

/// How many places of `length` symbols in the records hold one that was kept out of the text, such
/// as N, and so match nothing; each is counted once, for both strands. Cost: linear in the
/// segments.
std::uint64_t count_excluded_places(const TextView& text, const RecordsView& records,
                                    std::uint64_t length);

}  // namespace gsx

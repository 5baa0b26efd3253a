// Pairs of primers on their way to a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "amplicon/primer_pair.hpp"
#include "query/unasked.hpp"
#include "scan/set_patterns.hpp"
#include "seq/short_record_reader.hpp"

namespace gsx {

/// Reads the pairs of files in order ("-" is standard input): lists of
/// NAME<tab>FORWARD<tab>REVERSE, as seq/list_columns.hpp finds their columns, or lists or FASTA
/// with two records per pair, one behind the other. Their names differ in an end that says which is
/// which, such as _F and _R.
class PrimerReader {
 public:
  /// Opens nothing yet. Throws UsageError as SequenceReader.
  explicit PrimerReader(std::vector<std::string> paths);

  /// Replaces `pairs` by the next ones, at most `most`, and none after those that have
  /// `most_symbols` symbols together; false if there are none left. Throws InputError with file and
  /// place if a file cannot be read, or what it holds is no pair, or too long (ShortRecordReader);
  /// the pairs before it come first.
  bool next(std::vector<PrimerPair>& pairs, std::size_t most, std::uint64_t most_symbols);
  /// The files that held no pair, as messages name them.
  std::vector<std::string> empty_files() const { return reader_.empty_files(); }
  /// SequenceReader::list_notes().
  std::vector<std::string> list_notes() const { return reader_.list_notes(); }

 private:
  /// The first of two records that are a pair.
  struct FirstPrimer {
    std::string name, sequence;
    std::shared_ptr<const std::string> source;
    std::size_t file;
    bool is_line;              ///< of a list
    std::uint64_t number = 0;  ///< 1-based, of the record or the line in its file

    [[noreturn]] void fail(const std::string& what) const;
  };

  bool next_pair(std::vector<PrimerPair>& pairs);
  FirstPrimer take_first();
  PrimerPair pair_of(const FirstPrimer& first) const;

  ShortRecordReader reader_;
  std::exception_ptr failure_ = nullptr;  ///< of a pair of records, to be thrown later
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

}  // namespace gsx

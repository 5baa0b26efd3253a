// Pairs of primers on their way to a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "amplicon/primer_pair.hpp"
#include "query/unasked.hpp"
#include "scan/set_patterns.hpp"
#include "seq/line_reader.hpp"

namespace gsx {

/// Reads the pairs of files in order ("-" is standard input), plain, gzip or BGZF. A line is
/// NAME<tab>FORWARD<tab>REVERSE; blank lines and those that begin with '#' are skipped, and so is
/// the first other line of a file if neither FORWARD nor REVERSE looks like a sequence.
class PrimerReader {
 public:
  /// Opens nothing yet.
  explicit PrimerReader(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  /// Replaces `pairs` by the next ones, at most `most`, and none after those that have
  /// `most_symbols` symbols together; false if there are none left. Throws InputError with file and
  /// line if a file cannot be read, or a line is not a pair.
  bool next(std::vector<PrimerPair>& pairs, std::size_t most, std::uint64_t most_symbols);
  /// The files that held no pair, as messages name them.
  const std::vector<std::string>& empty_files() const { return empty_files_; }
  /// The files whose first line was skipped as a header.
  const std::vector<std::string>& files_with_header() const { return files_with_header_; }

 private:
  bool next_pair(std::vector<PrimerPair>& pairs);

  std::vector<std::string> paths_;
  std::size_t opened_ = 0;
  std::optional<LineReader> lines_;  ///< of the open file, if any
  bool any_ = false;                 ///< whether the open file had a pair
  bool begun_ = false;               ///< whether it had that, or a header
  std::vector<std::string> empty_files_;
  std::vector<std::string> files_with_header_;
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

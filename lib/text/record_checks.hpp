// Checks whether records and symbols fit the alphabet, and words the errors for those that do not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "records/record_batch.hpp"
#include "text/symbol_runs.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// The input does not fit the alphabet of the text.
struct AlphabetError : InputError {
  /// `what`, if not empty, is what to do to the file, whatever the alphabet.
  AlphabetError(const InputError& error, const std::string& advice, std::string what)
      : InputError(error.what() + ("; " + (what.empty() ? "" : what + ", or ") + advice)),
        fact(error.what()),
        change(std::move(what)) {}

  /// The message for those who cannot choose the alphabet, but may make an index.
  std::string without_alphabet() const;

  std::string fact;    ///< the message without any advice
  std::string change;  ///< what to do to the file
};

/// Follows the records of the input and refuses those that do not fit the alphabet. Errors name the
/// file, record and line, and do not depend on how the input was cut into batches.
class RecordChecks {
 public:
  RecordChecks(const TextOptions& options, SymbolPolicy policy)
      : options_(options), dna_(policy == SymbolPolicy::dna) {}

  void begin_batch(const RecordBatch& batch);
  /// Starts record `i` of the batch. Pre: end_record() has ended the record before it.
  void begin_record(std::size_t i);
  /// Takes the next run of the record in progress. Throws AlphabetError.
  void take(const SymbolRun& run);
  /// Throws AlphabetError when the record looks like protein and the alphabet is DNA.
  void end_record() const;

 private:
  void refuse_symbol(char symbol) const;
  [[noreturn]] void refuse(std::uint64_t line, const std::string& why, const std::string& advice,
                           const std::string& change = {}) const;

  const TextOptions& options_;
  bool dna_;
  const RecordBatch* batch_ = nullptr;
  std::uint64_t symbol_ = 0;  ///< index in the batch of the next symbol
  std::shared_ptr<const std::string> source_;
  std::uint64_t number_ = 0;  ///< of the record in progress, counted in its file
  std::string name_;
  std::uint64_t unstored_ = 0;  ///< symbols of the input so far that stay out of the text
  std::uint64_t length_ = 0;
  std::uint64_t nucleotides_ =
      0;                       ///< nucleotides at its beginning; counted when protein was guessed
  std::uint64_t foreign_ = 0;  ///< letters that are no nucleotide code
  char first_foreign_ = 0;
  std::uint64_t foreign_line_ = 0;
};

/// Symbols of DNA that may stay out of a text, soft-masked bases apart. No stored byte stands for
/// each of these, so only this bounds what a small index file can ask of its reader.
inline constexpr std::uint64_t most_unstored = std::uint64_t{1} << 40;

/// A record is taken for protein when more than one letter in this many is not a nucleotide code.
inline constexpr std::uint64_t protein_share = 20;
/// Whether a letter is not a nucleotide code. X does not count: it is often used to mask DNA.
bool only_in_protein(char upper);

}  // namespace gsx

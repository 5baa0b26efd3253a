// Which records and symbols an alphabet takes, and what is said of the others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "seq/record_batch.hpp"
#include "text/symbol_runs.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// Follows the records of the input, and refuses those that do not fit the alphabet. An error names
/// the file, the record and the line, whatever batches the records come in.
class RecordChecks {
 public:
  explicit RecordChecks(const TextOptions& options) : options_(options) {}

  void begin_batch(const RecordBatch& batch);
  /// The batch's record `i` begins. Pre: end_record() has been called for the one before it.
  void begin_record(std::size_t i);
  /// The record in progress goes on with a run of the batch. Throws InputError.
  void take(const Run& run);
  /// Throws InputError when the record looks like protein and the alphabet is DNA.
  void end_record() const;

 private:
  void refuse_symbol(char symbol) const;
  [[noreturn]] void refuse(std::uint64_t line, const std::string& why) const;

  const TextOptions& options_;
  const RecordBatch* batch_ = nullptr;
  std::uint64_t symbol_ = 0;  ///< of the batch, that comes next
  std::shared_ptr<const std::string> source_;
  std::uint64_t number_ = 0;  ///< of the record in progress in its file
  std::string name_;
  std::uint64_t length_ = 0;
  std::uint64_t nucleotides_ = 0;  ///< with which it begins, for a guessed protein alphabet
  std::uint64_t foreign_ = 0;      ///< letters that no nucleotide code explains
  char first_foreign_ = 0;
  std::uint64_t foreign_line_ = 0;
};

/// One letter in this many that no nucleotide code explains, and a record is not DNA.
inline constexpr std::uint64_t protein_share = 20;
/// Letters that no nucleotide code explains; X is commonly used to mask DNA.
bool only_in_protein(char upper);

}  // namespace gsx

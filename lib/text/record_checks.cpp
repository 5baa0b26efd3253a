#include "text/record_checks.hpp"

#include "base/messages.hpp"
#include "records/known_files.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

bool is_letter(char c) {
  return to_upper(c) >= 'A' && to_upper(c) <= 'Z';
}

/// What to do about a symbol that neither DNA nor protein has.
std::string advice_on(char symbol, bool dna) {
  if (symbol == ';') return "remove comments that begin with ';' (grep -v '^;')";
  if (symbol >= '0' && symbol <= '9')
    return "remove the numbers from the sequence lines, or take any symbol with --alphabet bytes";
  if (symbol == '@' || symbol == '+') return "give FASTA and FASTQ each a file of its own";
  if (!dna) return "--alphabet bytes takes any symbol";
  return "--alphabet dna keeps it out of the text, --alphabet bytes takes any symbol";
}

/// How to take the gaps out of an alignment.
std::string gap_removal(const std::string& file) {
  const bool packed = file.ends_with(".gz") || file.ends_with(".bgz");
  return "take the gaps out: " +
         with_file_named(packed ? "gzip -dc FILE | sed '/^>/!s/[-.]//g' > ungapped.fa"
                                : "sed '/^>/!s/[-.]//g' FILE > ungapped.fa",
                         file.empty() || file == "standard input" ? "-" : file);
}

}  // namespace

std::string AlphabetError::without_alphabet() const {
  const std::string index = "make an index of it with gsx index --alphabet, and name that by -x";
  return fact + "; " + (change.empty() ? index : change);
}

bool only_in_protein(char upper) {
  return upper >= 'A' && upper <= 'Z' && upper != 'X' && dna_class(upper) == SymbolClass::other;
}

void RecordChecks::begin_batch(const RecordBatch& batch) {
  batch_ = &batch;
  symbol_ = 0;
}

void RecordChecks::begin_record(std::size_t i) {
  if (source_ != batch_->source) source_ = batch_->source;
  number_ = batch_->first_in_source + i;
  name_ = batch_->name(i);
  length_ = nucleotides_ = foreign_ = 0;
}

void RecordChecks::take(const SymbolRun& run) {
  if (run.kind < plain_run) {
    refuse_symbol(static_cast<char>(run.kind));
    unstored_ += run.length;
    if (unstored_ > most_unstored) {
      refuse(batch_->lines.line_of(symbol_),
             "the input has more than " + std::to_string(most_unstored) +
                 " symbols that are not A, C, G or T",
             "index its files apart");
    }
  }
  if (dna_ && run.kind < plain_run && only_in_protein(static_cast<char>(run.kind))) {
    if (foreign_ == 0) {
      first_foreign_ = static_cast<char>(run.kind);
      foreign_line_ = batch_->lines.line_of(symbol_);
    }
    foreign_ += run.length;
  }
  if (options_.guessed && run.kind == nucleotide_run && nucleotides_ == length_) {
    nucleotides_ += run.length;
    if (nucleotides_ >= dna_prefix) {
      refuse(batch_->lines.line_of(symbol_ + run.length - 1 - (nucleotides_ - dna_prefix)),
             "its first " + std::to_string(dna_prefix) +
                 " letters are all A, C, G, T, U or N: it looks like DNA, where the first records "
                 "are proteins",
             "index DNA apart from proteins, or take all as protein with --alphabet protein");
    }
  }
  length_ += run.length;
  symbol_ += run.length;
}

void RecordChecks::end_record() const {
  if (foreign_ * protein_share <= length_) return;
  const std::string sign = std::string("'") + first_foreign_ + "' is not a nucleotide code; " +
                           std::to_string(foreign_) + " of " + std::to_string(length_) +
                           " symbols are not: the record looks like protein, not DNA";
  refuse(foreign_line_, sign,
         options_.only_dna ? "give DNA: proteins cannot be searched this way"
         : options_.guessed
             ? "index proteins apart from DNA, or take all as protein with --alphabet protein"
             : "use --alphabet protein");
}

void RecordChecks::refuse_symbol(char symbol) const {
  const std::uint64_t line = batch_->lines.line_of(symbol_);
  const std::string shown = "'" + printable(std::string(1, symbol)) + "' is ";
  const bool known = is_letter(symbol) || symbol == '*' || dna_class(symbol) == SymbolClass::gap;
  if (options_.guessed && !known) {
    refuse(line, shown + "neither a DNA nor a protein letter", advice_on(symbol, dna_));
  }
  if (!dna_ && (symbol == '-' || symbol == '.')) {
    refuse(line, shown + "not a protein letter, but a gap of an alignment",
           "take any symbol with --alphabet bytes", gap_removal(source_ ? *source_ : ""));
  }
  if (!dna_) refuse(line, shown + "not a protein letter", "--alphabet bytes takes any symbol");
  if (options_.ambiguous == AmbiguousPolicy::error) {
    refuse(line, shown + "not A, C, G or T", "--ambiguous split keeps it out of the text");
  }
}

void RecordChecks::refuse(std::uint64_t line, const std::string& why, const std::string& advice,
                          const std::string& change) const {
  throw AlphabetError(input_error(source_ ? *source_ : std::string(), number_, name_, line, why),
                      advice, change);
}

}  // namespace gsx

// Options for how input symbols become a text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "records/decoding.hpp"
#include "text/alphabet.hpp"

namespace gsx {

enum class AmbiguousPolicy : std::uint8_t {
  split,  ///< a symbol that is not A C G T ends a segment and is kept as a run
  error,  ///< any of them is an InputError
};
enum class SoftMaskPolicy : std::uint8_t {
  fold,   ///< lower case counts as upper case
  split,  ///< lower-case bases stay out of the text, as ambiguous symbols do
  keep,   ///< lower case counts as upper case in the text, but the index remembers it
};

struct TextOptions {
  /// None: read_text and make_text take guess_alphabet() of the first records, and refuse records
  /// of another kind; a TextBuilder takes DNA.
  std::optional<SymbolPolicy> alphabet = {};
  AmbiguousPolicy ambiguous = AmbiguousPolicy::split;
  SoftMaskPolicy soft_mask = SoftMaskPolicy::fold;
  bool guessed = false;   ///< for a TextBuilder: refuse records of another kind than `alphabet`
  bool only_dna = false;  ///< for messages: no other alphabet would do
};

struct ReadTextOptions {
  TextOptions text = {};
  /// Keep the name of each file, as file_stems() gives it, and which records are its. Throws
  /// UsageError for a file that has no name of its own, such as standard input, and for two that
  /// would have the same. If two files have a record of one name, each record is named FILE#NAME.
  bool keep_files = false;
  /// Names to keep in place of those: none, or one per file, of which "" stands for the file's own.
  std::vector<std::string> file_names = {};
  int threads = 0;  ///< that decompress, read and pack; 0: as many as this process may run
  std::uint64_t block_bytes = std::uint64_t{1} << 20;  ///< bytes that a thread reads at a time
  /// Bytes of host memory that the process may take while the text grows; unlimited unless told.
  std::uint64_t memory_limit = ~std::uint64_t{0};
  /// The name of a record is all of its header line, without blanks around it, and not only the
  /// first word. A tab in it is an InputError.
  bool whole_header = false;
  /// Read BGZF that lacks the empty block which ends it, with a warning. Otherwise that
  /// is an InputError: the file may have been cut between two blocks.
  bool allow_no_eof = false;
  CramReferences cram = {};  ///< where the references of CRAM files are
  /// If it is there, takes what the log would warn of, on any thread that reads.
  std::function<void(const std::string& message)> on_warning = {};
};

}  // namespace gsx

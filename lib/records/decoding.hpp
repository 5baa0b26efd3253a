// How the bytes of a file are decoded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/export.hpp"

namespace gsx {

/// Where the reference sequences of CRAM files are. All of them are local files.
struct CramReferences {
  std::string fasta;    ///< a FASTA file with an index (.fai) beside it; empty if there is none
  bool search = false;  ///< whether `path`, `cache` and the header of the file are searched, too
  std::string path;     ///< what REF_PATH says to this process
  std::string cache;    ///< what REF_CACHE says to this process, or where htslib has it by default
};

/// The places that htslib looks at: those that REF_PATH and REF_CACHE name, or where neither is
/// set, its cache in a folder of the user. `variable` gives the value of a variable of the
/// environment, empty if it is not set: the library reads none by itself.
GSX_API CramReferences
usual_references(const std::function<std::string(const char* name)>& variable);

/// The columns that plain lists of sequences are declared to have (records/lists/list_columns.hpp).
enum class ListForm : std::uint8_t {
  none,     ///< there are none: such a file is an error
  counted,  ///< SEQUENCE, or SEQUENCE<tab>COUNT
  named,    ///< SEQUENCE, or NAME<tab>SEQUENCE
  pairs     ///< NAME<tab>FORWARD<tab>REVERSE
};

struct Decoding {
  /// bytes/compression/unpacker.hpp says what for.
  static constexpr std::uint64_t usual_unpack_bytes = std::uint64_t{256} << 20;

  std::uint64_t unpack_bytes = usual_unpack_bytes;  ///< most memory that decompressing may take
  /// Most memory that a line of SAM or BAM may take, and a sequence that CRAM is decoded by.
  std::uint64_t record_bytes = ~std::uint64_t{0};
  bool as_sequences = false;  ///< 2bit becomes FASTA; SAM, BAM and CRAM become FASTQ
  CramReferences cram = {};
  /// Whether BGZF may lack the empty block that ends it: all of it is read, with a warning.
  /// Otherwise it is an error, since the file may have been cut between two blocks.
  bool allow_no_eof = false;
  /// What that error advises.
  const char* no_eof_advice = "fetch it again, or if it is whole, add --allow-no-eof";
  /// Whether the log warns of what is read though it is odd. Not where a file is read again.
  bool warns = true;
  /// If it is there, takes the warnings in place of the log, on any thread that reads.
  std::function<void(const std::string& message)> on_warning = {};
  /// What a file is that begins with neither '>' nor '@'.
  ListForm lists = ListForm::none;
};

}  // namespace gsx

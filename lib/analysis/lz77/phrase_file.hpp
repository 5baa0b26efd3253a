// The LZ77 file: phrases in few bytes, with names and a checksum. apps/gsx/doc/formats.md describes
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analysis/lz77/record_phrases.hpp"

namespace gsx {

inline constexpr std::string_view phrase_file_magic = "GSXLZ77\n";
inline constexpr std::uint32_t phrase_file_version = 1;

/// Takes the next bytes of a file.
using WriteBytes = std::function<void(std::string_view)>;

/// Writes an LZ77 file, record by record.
class PhraseFileWriter {
 public:
  /// Writes the header. With `across_records`, sources count from the first symbol of all records,
  /// otherwise from that of their own.
  PhraseFileWriter(const RecordsView& records, bool across_records, WriteBytes write);
  ~PhraseFileWriter();
  PhraseFileWriter(const PhraseFileWriter&) = delete;
  PhraseFileWriter& operator=(const PhraseFileWriter&) = delete;

  /// Call it for all records, in order.
  void add(const RecordPhrases& phrases);
  /// Writes the checksum; must be the last call.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A record given back.
struct PhraseFileRecord {
  std::string_view name;
  std::string_view comment;
  std::string_view symbols;  ///< valid during the call
};

/// Gives `take` the records of an LZ77 file, in order. Trusts nothing: the checksum, and each
/// length and source are checked before anything is given, or memory taken for it. `shown` names
/// the file in messages. Calls require(bytes) before it takes that much memory: for the symbols of
/// the longest record, or of all if sources may lie in other records. Throws ForeignIndexError for
/// what is no such file or has another version, CorruptIndexError for one that is damaged. Cost:
/// two passes over the file; each symbol is copied once.
void read_phrase_file(std::span<const std::uint8_t> bytes, const std::string& shown,
                      const std::function<void(std::uint64_t)>& require,
                      const std::function<void(const PhraseFileRecord&)>& take);

}  // namespace gsx

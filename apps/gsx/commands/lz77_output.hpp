// What gsx lz77 writes of the phrases of each record.
#pragma once

#include <cstdint>
#include <memory>

#include "analysis/lz77/phrase_file.hpp"
#include "analysis/lz77/record_phrases.hpp"
#include "bytes/output.hpp"

namespace gsx::app {

enum class PhraseFormat : std::uint8_t { lz77, tsv, stats, bedgraph };

/// Writes records in order.
class PhraseOutput {
 public:
  virtual ~PhraseOutput() = default;
  virtual void add(const RecordPhrases& phrases) = 0;
  virtual void finish() {}
};

struct PhraseOutputRules {
  PhraseFormat format = PhraseFormat::tsv;
  bool across_records = false;
  std::uint64_t window = 0;  ///< symbols per line of bedgraph
  bool header = true;        ///< whether a table has a header line
};

/// Writes the header, if the format has one and the rules do. `out` and what `records` refers to
/// outlive it.
std::unique_ptr<PhraseOutput> make_phrase_output(const PhraseOutputRules& rules,
                                                 const RecordsView& records, Output& out);

/// Writes a record as FASTA with 60 symbols per line.
void write_fasta(const PhraseFileRecord& record, Output& out);

}  // namespace gsx::app

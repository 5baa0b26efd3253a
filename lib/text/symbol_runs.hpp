// Runs of symbols that a text treats alike: the first step from a batch of records to a text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "records/record_batch.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// What a run consists of. A value below 256 is the symbol itself (upper case where case is
/// folded): an ambiguous one in DNA, one that is not allowed in protein.
enum RunKind : std::uint16_t {
  plain_run = 256,       ///< symbols that go into the text
  masked_run = 257,      ///< soft-masked bases that stay out of the text
  record_run = 258,      ///< no symbols: the next record of the batch begins here
  nucleotide_run = 259,  ///< like plain_run: the A C G T U N at the beginning of a protein record
};
/// A record that begins with this many letters of A C G T U N is not a protein.
inline constexpr std::uint64_t dna_prefix = 200;

struct SymbolRun {
  std::uint32_t length;  ///< in symbols; a longer stretch makes several runs
  std::uint16_t kind;    ///< a RunKind or a symbol
  bool separator;        ///< whether a segment ends before the run; set by TextBuilder::place
};
static_assert(sizeof(SymbolRun) == 8);

inline bool is_plain(const SymbolRun& run) {
  return run.kind == plain_run || run.kind == nucleotide_run;
}

/// Lower-case symbols [begin, end) of an entry of the batch.
struct LowerRun {
  std::size_t entry;
  std::uint64_t begin;
  std::uint64_t end;
};

/// The runs of one batch, in order.
struct SymbolRuns {
  std::vector<SymbolRun> runs;
  std::uint64_t lower_case = 0;  ///< number of lower-case symbols
  std::vector<LowerRun> lower;   ///< where they are, if SoftMaskPolicy::keep asks for it
  std::array<bool, 256> raw{};   ///< which bytes occur; for protein and bytes only
  std::uint64_t text_begin = 0;  ///< where the batch begins in the text; set by TextBuilder::place
  std::uint64_t masked_begin = 0;  ///< the same for its masked bases

  void clear();
  void add(std::uint64_t length, std::uint16_t kind);
};

class RunFinder {
 public:
  RunFinder(SymbolPolicy policy, SoftMaskPolicy soft_mask);

  /// Replaces `found` with the runs of a batch. Several threads may call it at once. Cost: one or
  /// two passes, 16 bytes per step, and a few steps per run.
  void find(const RecordBatch& batch, SymbolRuns& found) const;

  /// The symbol as the text keeps it: case folded where the policy folds case, and U as T in DNA.
  char normal(char symbol) const { return normal_[static_cast<unsigned char>(symbol)]; }
  const std::array<char, 256>& normal() const { return normal_; }

 private:
  std::uint16_t kind(char symbol) const { return kinds_[static_cast<unsigned char>(symbol)]; }
  static void find_lower_case(const RecordBatch& batch, SymbolRuns& found);
  void find_dna(std::string_view symbols, SymbolRuns& found) const;
  void find_general(std::string_view symbols, bool continues, SymbolRuns& found) const;
  std::size_t run_end(std::string_view symbols, std::size_t begin) const;

  SymbolPolicy policy_;
  bool split_masked_;
  bool keep_case_;
  std::array<char, 256> normal_{};
  std::array<std::uint16_t, 256> kinds_{};
};

}  // namespace gsx

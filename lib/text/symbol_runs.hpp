// Runs of symbols that a text treats alike: the first step from a batch of records to a text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "seq/record_batch.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// What a run is made of. Values below 256 are a symbol itself, upper case where case is folded:
/// in DNA an ambiguous one, in protein one that may not be there.
enum RunKind : std::uint16_t {
  plain_run = 256,       ///< symbols that go into the text
  masked_run = 257,      ///< soft-masked bases that are kept out of it
  record_run = 258,      ///< no symbols: here begins the batch's next record
  nucleotide_run = 259,  ///< as plain_run: A C G T U N, with which a record of proteins begins
};
/// A record that begins with so many letters A C G T U N is no protein.
inline constexpr std::uint64_t dna_prefix = 200;

struct Run {
  std::uint32_t length;  ///< symbols; a longer stretch is several runs
  std::uint16_t kind;    ///< RunKind or a symbol
  bool separator;        ///< whether a segment ends before the run; known once it is placed
};
static_assert(sizeof(Run) == 8);

inline bool is_plain(const Run& run) {
  return run.kind == plain_run || run.kind == nucleotide_run;
}

/// Symbols [begin, end) of an entry of the batch that are lower case.
struct LowerRun {
  std::size_t entry;
  std::uint64_t begin;
  std::uint64_t end;
};

/// The runs of one batch, in order.
struct SymbolRuns {
  std::vector<Run> runs;
  std::uint64_t lower_case = 0;    ///< symbols
  std::vector<LowerRun> lower;     ///< of them, where SoftMaskPolicy::keep asks for it
  std::array<bool, 256> raw{};     ///< bytes that occur; for protein and bytes only
  std::uint64_t text_begin = 0;    ///< where the batch's part of the text begins, once placed
  std::uint64_t masked_begin = 0;  ///< the same for its masked bases

  void clear();
  void add(std::uint64_t length, std::uint16_t kind);
};

class RunFinder {
 public:
  RunFinder(SymbolPolicy policy, SoftMaskPolicy soft_mask);

  /// Replaces `found` by the runs of a batch. Many threads may call it.
  /// Cost: one or two passes, 16 bytes a step, and some steps a run.
  void find(const RecordBatch& batch, SymbolRuns& found) const;

  /// A symbol in the case in which it is kept; U as T in DNA.
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

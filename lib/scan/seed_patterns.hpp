// Patterns of a batch, ready to be looked up by pieces: where the pieces are, and what is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scan/mismatches.hpp"
#include "scan/strand_masks.hpp"
#include "search/searcher.hpp"

namespace gsx {

/// A part of a pattern as given; the reverse complement has it at [length - end, length - begin).
struct SeedPiece {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Cuts a pattern into disjoint pieces, so many that wherever it has at most `mismatches`
/// mismatches, one of the pieces has none. A piece has only positions that match one base, and the
/// shortest piece is as long as possible. A position that matches no base is a mismatch everywhere,
/// so it saves a piece.
class SeedCutter {
 public:
  /// Replaces `pieces`. False if the pattern has too few such positions for that: it cannot be
  /// looked up. No piece, and true: it has more mismatches wherever it is.
  bool cut(std::span<const BaseSet> pattern, std::uint32_t mismatches,
           std::vector<SeedPiece>& pieces);

 private:
  std::vector<SeedPiece> runs_;  ///< of positions that match one base
};

/// Owns the strands and pieces of some patterns; reused from batch to batch.
class SeedPatterns {
 public:
  /// How a pattern is searched.
  enum class Way : std::uint8_t { nowhere, pieces, scan };
  struct Entry {
    Way way;
    std::uint64_t first_piece;  ///< of those of all patterns
    std::uint64_t last_piece;   ///< one behind the last
  };

  /// Replaces the patterns. Patterns whose shortest piece is below `least_length` are scanned.
  void prepare(const SetPatterns& patterns, std::uint32_t mismatches, std::uint32_t least_length);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<SeedPiece>& pieces() const { return pieces_; }
  /// The codes of all pieces.
  Patterns lookups() const { return {codes_, piece_ends_}; }
  /// Number 2 i is pattern i, and 2 i + 1 its reverse complement.
  std::span<const StrandMasks> strands() const { return strands_; }

 private:
  void pack(std::span<const BaseSet> pattern);

  SeedCutter cutter_;
  std::vector<Entry> entries_;
  std::vector<SeedPiece> pieces_, own_;
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> piece_ends_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> first_words_;
  std::vector<StrandMasks> strands_;
  std::vector<std::uint8_t> strand_codes_;
};

}  // namespace gsx

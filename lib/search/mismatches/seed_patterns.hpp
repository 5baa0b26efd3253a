// Patterns of a batch, ready to be looked up by pieces: where the pieces are, and what is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "search/exact/searcher.hpp"
#include "search/mismatches/base_set.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/set_patterns.hpp"
#include "search/mismatches/strand_masks.hpp"
#include "text/packed_bases.hpp"

namespace gsx {

/// A part of a pattern as given; the reverse complement has it as far from its other end.
struct SeedPiece {
  std::uint64_t begin;
  std::uint32_t length;
  std::uint32_t pattern;  ///< number of the pattern in the batch
};

/// How a pattern is searched.
enum class SeedWay : std::uint8_t { nowhere, pieces, scan };

/// A pattern of a batch.
struct SeedEntry {
  std::uint64_t begin;  ///< of its symbols, among those of the batch
  std::uint64_t length;
  std::uint64_t first_word;   ///< of its strand; its reverse complement's follow
  std::uint32_t first_piece;  ///< number of its first piece in the batch
  std::uint32_t last_piece;   ///< one behind its last
  SeedWay way;
  bool has_sets;
};

/// Where one piece of a strand has no mismatch.
struct SeedPlace {
  std::uint64_t position;  ///< where the pattern would start
  std::uint32_t piece;     ///< number in the batch
  bool reverse;
};

/// The strands and pieces of a batch, for the CPU and the GPU.
struct SeedsView {
  const std::uint64_t* words;
  const SeedEntry* entries;
  const SeedPiece* pieces;

  GSX_HD StrandMasks strand(std::uint64_t pattern, bool reverse) const {
    const SeedEntry& entry = entries[pattern];
    const std::uint64_t own = StrandMasks::words_for(entry.length, entry.has_sets);
    return {words + entry.first_word + (reverse ? own : 0), entry.length, entry.has_sets};
  }
  /// How many symbols of the strand come before a piece.
  GSX_HD std::uint64_t before(std::uint32_t piece, bool reverse) const {
    const SeedPiece& part = pieces[piece];
    return reverse ? entries[part.pattern].length - part.begin - part.length : part.begin;
  }
  /// The number of mismatches of the pattern at a place. Above `most` if it has more, has one where
  /// it must match, does not lie in one segment, or if an earlier piece has no mismatch there,
  /// either, and reports it. Pre: position + length <= text.length().
  GSX_HD std::uint32_t mismatches_at(const TextView& text, const SeedPlace& place,
                                     std::uint32_t most) const {
    const std::uint32_t pattern = pieces[place.piece].pattern;
    const StrandMasks masks = strand(pattern, place.reverse);
    const std::uint32_t found = masks.mismatches_at(text.symbols, place.position, most);
    if (found > most) return found;
    const std::uint64_t end = place.position + masks.length;
    if (text.segments.separator_from(place.position) < end) return most + 1;
    for (std::uint32_t piece = entries[pattern].first_piece; piece < place.piece; ++piece) {
      const std::uint64_t begin = before(piece, place.reverse);
      if (masks.is_exact(text.symbols, place.position, begin, begin + pieces[piece].length))
        return most + 1;
    }
    return found;
  }
};
static_assert(std::is_trivially_copyable_v<SeedsView>);

/// Word `word` of a strand whose positions match one base each, from the packed symbols of the
/// batch. Pre: symbols.bits is 2; the word begins before the strand ends.
GSX_HD std::uint64_t strand_word(const PackedView& symbols, const SeedEntry& entry, bool reverse,
                                 std::uint64_t word) {
  const std::uint64_t done = word * StrandMasks::positions, left = entry.length - done;
  const auto count =
      left < StrandMasks::positions ? static_cast<std::uint32_t>(left) : StrandMasks::positions;
  const std::uint64_t from = entry.begin + (reverse ? left - count : done);
  const std::uint64_t bases = StrandMasks::symbols_at(symbols, from) >> (64 - 2 * count);
  return (reverse ? reverse_complement(bases, count) : bases) << (64 - 2 * count);
}

/// The sum of cost(i) of the patterns that can be asked. What a pattern of single bases costs must
/// depend on its length alone: it is computed once for all in a row that have the same.
template <class Cost>
double sum_of_costs(const SetPatterns& patterns, std::uint32_t mismatches, const Cost& cost) {
  double sum = 0, last = 0;
  std::size_t last_length = 0;  // 0, which no pattern that can be asked has, after other kinds
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::span<const BaseSet> pattern = patterns[i];
    if (!can_be_asked(pattern, mismatches)) continue;
    const bool plain = patterns.is_plain(i);
    if (!plain || pattern.size() != last_length) {
      last = cost(i);
      last_length = plain ? pattern.size() : 0;
    }
    sum += last;
  }
  return sum;
}

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
  struct Run {
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::vector<Run> runs_;  ///< of positions that match one base
};

/// Owns the strands and pieces of some patterns; reused from batch to batch.
class SeedPatterns {
 public:
  /// Replaces the patterns. Patterns whose shortest piece is below `least_length` are scanned. Of
  /// words(), only the first ones are there, of patterns with sets: those of single bases follow
  /// from the symbols alone, by strand_word(), on whichever device needs them. Pre: they have fewer
  /// than 2^32 symbols, or are fewer than 2^24.
  void prepare(const SetPatterns& patterns, std::uint32_t mismatches, std::uint32_t least_length);
  /// Makes the rest of words(), and lookups(). Pre: they are the patterns that were prepared.
  void pack(const SetPatterns& patterns);

  std::span<const SeedEntry> entries() const { return entries_; }
  std::span<const SeedPiece> pieces() const { return pieces_; }
  std::span<const std::uint64_t> words() const { return words_; }
  /// How many words there are after pack().
  std::uint64_t all_words() const { return all_words_; }
  SeedsView view() const { return {words_.data(), entries_.data(), pieces_.data()}; }
  /// The codes of all pieces.
  Patterns lookups() const { return {piece_codes_, piece_ends_}; }

 private:
  SeedWay cut(std::span<const BaseSet> pattern, std::uint32_t mismatches,
              std::uint32_t least_length);

  SeedCutter cutter_;
  std::vector<SeedEntry> entries_;
  std::vector<SeedPiece> pieces_, own_;
  std::vector<std::uint64_t> words_;
  std::uint64_t all_words_ = 0;
  std::vector<std::uint8_t> codes_, packed_;  ///< of all patterns
  std::vector<std::uint8_t> piece_codes_;
  std::vector<std::uint64_t> piece_ends_;
};

}  // namespace gsx

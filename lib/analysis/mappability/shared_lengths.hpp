// How much suffixes have in common, from the rows of a suffix array.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/shared_lengths.hpp"
#include "index/lcp/suffix_pairs.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// Makes SharedLengths from the rows of a suffix array, which come in order, some at a time, and
/// are needed once. Rows are compared by two loads of the text. The suffixes that agree on more are
/// kept in pairs, and measured at the end (index/lcp/long_prefixes.hpp).
///
/// Memory: 4 bytes per position, 16 MB, and up to 4 SuffixPairs for each suffix that shares more
/// than 58 bases; 5 bytes (9 of wide positions) for each row since the last one of either strand.
/// In finish(), also SharedLengths, and of the pairs half as much more as the longest list has.
///
/// Cost: 10 ns per row on one core of 2024.
template <class Pos>
class SharedLengthsBuilder {
 public:
  /// As for FrequencyBuilder. Asks `require` while pairs and rows are kept, and in finish().
  SharedLengthsBuilder(const BothStrandsView& text, int threads, const RequireMemory& require = {});

  void add(const Pos* rows, std::uint64_t count);
  /// Pre: add() has had all rows. Call it once.
  SharedLengths finish();

 private:
  enum Strand : std::uint8_t { forward, reverse };
  /// The nearest row of each strand on one side.
  struct Nearest {
    struct Row {
      bool found = false;
      std::uint8_t shared = 0;
      Pos position = 0;
    };
    std::array<Row, 2> rows;

    void limit(std::uint8_t lcp);
    void meet(Strand strand, Pos position, std::uint8_t shared);
    /// Takes the rows of `farther` for the strands that were not met. They share at most `least`.
    void meet_others(const Nearest& farther, std::uint8_t least);
  };
  /// As in SharedLengths, for one position; SmallNumbers::escape stands for what is yet to be
  /// measured. Side by side, because positions come in no order.
  struct Shared {
    std::uint8_t left, forward, reverse, unused;
  };
  /// Suffixes that agree on more than is compared, by strand and by side.
  using AllPairs = std::array<std::array<SuffixPairs<Pos>, 2>, 2>;

  Strand strand_of(Pos p) const { return text_.is_forward(p) ? forward : reverse; }
  bool both() const { return text_.half < text_.text.length(); }
  bool has_all(const Nearest& nearest) const {
    return nearest.rows[forward].found && (nearest.rows[reverse].found || !both());
  }
  void compare(const Pos* rows, std::uint64_t count);
  /// The rows that are followed by one of each strand.
  std::uint64_t complete_rows() const {
    return both() ? std::min(behind_[forward], behind_[reverse]) : behind_[forward];
  }
  void take_rows(std::uint64_t count);
  void take_slice(std::uint64_t begin, std::uint64_t end, Nearest above, Nearest below,
                  AllPairs& pairs);
  Nearest nearest_above(std::uint64_t begin, std::uint64_t end, const Nearest& farther) const;
  Nearest nearest_below(std::uint64_t begin, std::uint64_t end, const Nearest& farther) const;
  void require_to_finish() const;
  /// What a row shares with the nearest ones of a strand on one side. Keeps pairs that share more
  /// than is compared.
  std::uint8_t shared(Pos p, const Nearest& nearest, Strand strand, bool above,
                      AllPairs& pairs) const;
  Buffer<std::uint8_t> bytes_of(std::uint8_t Shared::*member) const;

  BothStrandsView text_;
  int threads_;
  std::uint8_t compared_;  ///< symbols of each two rows
  std::uint64_t added_ = 0;
  GrowingArray<Pos> rows_;                    ///< not yet taken
  GrowingArray<std::uint8_t> lcps_;           ///< of these, at most compared_
  Nearest before_;                            ///< the first of these
  std::array<std::uint64_t, 2> behind_ = {};  ///< how many come before the last of each strand
  Buffer<Shared> shared_;
  AllPairs pairs_;
  RequireMemory require_;
  MemoryGrowth growth_;
};

}  // namespace gsx

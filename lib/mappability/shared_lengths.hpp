// How much the suffix at each position has in common with any other suffix, on either strand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/buffer.hpp"
#include "lcp/small_numbers.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// For each position p of a text of n symbols, the most symbols that its suffix has in common
///   left     with the nearest suffix of the forward strand above it in the suffix array: so p is
///            the first place of its k-mer, in that order, for all k that are larger;
///   forward  with any other suffix of the forward strand: for larger k, p is the only place of its
///            k-mer there;
///   reverse  with any suffix of the reverse strand: for larger k, its k-mer is not there.
/// Memory: 1.03 bytes per symbol each, and 4 or 8 bytes for each number of 255 and more.
struct SharedLengths {
  SmallNumbers left;
  SmallNumbers forward;
  std::optional<SmallNumbers> reverse;  ///< none if there is only one strand
};

/// Makes them from the rows of a suffix array, which come in order, some at a time, and are needed
/// once. Rows are compared by two loads of the text. The suffixes that agree on more are kept in
/// pairs, and measured at the end (lcp/long_prefixes.hpp).
/// Memory: 4 bytes per position, at the end twice that of SharedLengths, 16 MB, and up to 4 pairs
/// of positions for each suffix that shares more than 58 bases; the rows since the last one of
/// either strand. Cost: 10 ns per row on one core of 2024.
template <class Pos>
class SharedLengthsBuilder {
 public:
  /// As for FrequencyBuilder.
  SharedLengthsBuilder(const BothStrandsView& text, int threads);

  void add(const Pos* rows, std::uint64_t count);
  /// Bytes that finish() takes beside what is there.
  std::uint64_t bytes_to_finish() const;
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
  };
  /// As in SharedLengths, for one position; SmallNumbers::escape stands for what is yet to be
  /// measured. Side by side, because positions come in no order.
  struct Shared {
    std::uint8_t left, forward, reverse, unused;
  };
  /// Pairs of suffixes that agree on more than is compared.
  struct Pairs {
    std::vector<Pos> positions, partners;
    void append(const Pairs& others);
  };
  /// By strand and by side.
  using AllPairs = std::array<std::array<Pairs, 2>, 2>;

  Strand strand_of(Pos p) const { return text_.is_forward(p) ? forward : reverse; }
  bool both() const { return text_.half < text_.text.length(); }
  void compare(const Pos* rows, std::uint64_t count);
  std::uint64_t complete_rows() const;
  void take_rows(std::uint64_t count);
  void take_slice(std::uint64_t begin, std::uint64_t end, AllPairs& pairs);
  Nearest before(std::uint64_t row) const;
  Nearest after(std::uint64_t row) const;
  /// What a row shares with the nearest ones of a strand on one side. Keeps pairs that share more
  /// than is compared.
  std::uint8_t shared(Pos p, const Nearest& nearest, Strand strand, bool above,
                      AllPairs& pairs) const;
  Buffer<std::uint8_t> bytes_of(std::uint8_t Shared::*member) const;

  BothStrandsView text_;
  int threads_;
  std::uint8_t compared_;  ///< symbols of each two rows
  std::uint64_t added_ = 0;
  std::vector<Pos> rows_;           ///< not yet taken
  std::vector<std::uint8_t> lcps_;  ///< of these, at most compared_
  Nearest before_;                  ///< the first of these
  Buffer<Shared> shared_;
  AllPairs pairs_;
};

}  // namespace gsx

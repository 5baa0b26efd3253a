// Cuts patterns into pieces, and makes the strings that are looked up for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mismatches/seed_patterns.hpp"

namespace gsx {

/// What an index costs, as far as a cut depends on it.
struct SeedCosts {
  double length;  ///< of the text
  double sigma;   ///< symbols of its alphabet
  double lookup;  ///< seconds to look up a string
  double place;   ///< seconds to locate a row and to compute the columns there
};

/// The pieces of a pattern. Wherever it has at most so many edits as asked for, one of the pieces
/// has none, or at most one if they are `near` ones: there is one piece more than edits, or half as
/// many (the pigeonhole principle).
struct EditPieces {
  bool can_be_cut = false;
  bool near = false;
  std::vector<SeedPiece> pieces;  ///< none, if it can be cut: the pattern has no place
  double cost = 0;                ///< seconds that a search for one strand takes in random text
};

/// Cuts patterns in the way that costs least; reused from pattern to pattern.
class EditCutter {
 public:
  explicit EditCutter(bool dna) : dna_(dna) {}
  /// The pieces of a pattern, valid until the next call.
  const EditPieces& cut(std::span<const std::uint8_t> pattern, std::uint32_t edits,
                        const SeedCosts& costs);

 private:
  bool dna_;
  SeedCutter cutter_;
  std::vector<BaseSet> sets_;
  EditPieces exact_, near_;
};

/// Calls add(codes) for strings of bases such that each string that differs from the piece by at
/// most one edit has one of them in it, not farther to the left or right than an edit may move it.
/// They are the piece without its first base, and without its last one, which also stand for the
/// piece itself and for other bases there; and those with one edit inside. Pre: it has two bases or
/// more. Cost: about 6 strings per base.
template <class Add>
void for_each_near_string(std::span<const std::uint8_t> piece, const Add& add) {
  std::vector<std::uint8_t> string(piece.begin() + 1, piece.end());
  add(string);
  string.assign(piece.begin(), piece.end() - 1);
  add(string);
  const std::size_t last = piece.size() - 1;
  for (std::size_t i = 1; i < last; ++i) {
    string.assign(piece.begin(), piece.end());
    for (std::uint8_t code = 0; code < 4; ++code) {
      string[i] = code;
      if (code != piece[i]) add(string);
    }
    if (piece[i] == piece[i - 1]) continue;  // as without the base before
    string.assign(piece.begin(), piece.end());
    string.erase(string.begin() + static_cast<std::ptrdiff_t>(i));
    add(string);
  }
  for (std::size_t i = 1; i <= last; ++i) {
    string.assign(piece.begin(), piece.end());
    string.insert(string.begin() + static_cast<std::ptrdiff_t>(i), 0);
    for (std::uint8_t code = 0; code < 4; ++code) {
      string[i] = code;
      if (code != piece[i - 1]) add(string);  // as before the base before
    }
  }
}

}  // namespace gsx

// Walks through the pieces of a BWT on the CPU, many at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/buffer.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/bwt/splitters.hpp"

namespace gsx {

/// Symbols that the walks have found, in pages of one piece each.
template <class Pos>
struct SymbolPages {
  static constexpr std::uint64_t page_symbols = 64;  // a cache line
  /// Pages that a thread takes at a time.
  static constexpr std::uint64_t taken_at_once = 64;
  static constexpr Pos none = std::numeric_limits<Pos>::max();

  /// Which symbols of its piece a page holds: those from page_symbols * number on.
  struct Place {
    Pos piece;  ///< none: the page is not used
    Pos number;
  };

  Buffer<std::uint8_t> symbols;
  Buffer<Place> places;
  std::atomic<std::uint64_t> taken{0};

  explicit SymbolPages(std::uint64_t pages)
      : symbols(pages * page_symbols, "inverting the BWT"), places(pages, "inverting the BWT") {}

  /// Enough pages for so many symbols: each piece may end with one that is not full.
  static std::uint64_t enough(std::uint64_t symbols, std::uint64_t pieces, int threads) {
    return symbols / page_symbols + pieces + static_cast<std::uint64_t>(threads) * taken_at_once;
  }
};

/// The walks of one thread.
template <class Steps, class Pos>
class PieceWalks {
 public:
  PieceWalks(const Steps& steps, const SplitterRows& splitters, const BwtAlphabet& alphabet,
             WalkedPiece<Pos>* pieces, SymbolPages<Pos>& pages, std::atomic<std::uint64_t>& next)
      : steps_(steps),
        splitters_(splitters),
        alphabet_(alphabet),
        pieces_(pieces),
        pages_(pages),
        next_(next) {}

  /// Walks pieces until none is left.
  void run() {
    std::size_t active = 0;
    while (active < lanes && begin(walks_[active]))
      ++active;
    while (active > 0) {
      for (std::size_t lane = 0; lane < active;) {
        if (step(walks_[lane]) || begin(walks_[lane])) {
          ++lane;
        } else {
          walks_[lane] = walks_[--active];
        }
      }
    }
    while (page_ < page_end_)
      pages_.places[page_++] = {SymbolPages<Pos>::none, 0};
  }

 private:
  /// Enough walks that the row of each has come from memory when its turn comes again.
  static constexpr std::size_t lanes = 32;
  static constexpr std::uint64_t pieces_at_once = 4;
  static constexpr Pos page_symbols = SymbolPages<Pos>::page_symbols;

  struct Walk {
    Pos row;
    Pos piece;
    Pos length;
    std::uint8_t* to;
  };

  /// Starts the walk of the next piece; false if there is none.
  bool begin(Walk& walk) {
    for (;;) {
      if (piece_ == piece_end_) {
        const std::uint64_t count = splitters_.pieces();
        piece_ = next_.fetch_add(pieces_at_once, std::memory_order_relaxed);
        if (piece_ >= count) {
          piece_ = piece_end_;
          return false;
        }
        piece_end_ = std::min(count, piece_ + pieces_at_once);
      }
      const std::uint64_t row = splitters_.row_of(piece_);
      walk.piece = static_cast<Pos>(piece_++);
      walk.length = 0;
      if (row < splitters_.rows) {
        walk.row = static_cast<Pos>(row);
        break;
      }
      pieces_[walk.piece] = {0, 0};  // nothing leads here
    }
    __builtin_prefetch(steps_.needed_at(walk.row));
    open_page(walk);
    return true;
  }

  void open_page(Walk& walk) {
    if (page_ == page_end_) {
      page_ = pages_.taken.fetch_add(SymbolPages<Pos>::taken_at_once, std::memory_order_relaxed);
      page_end_ = page_ + SymbolPages<Pos>::taken_at_once;
    }
    pages_.places[page_] = {walk.piece, walk.length / page_symbols};
    walk.to = pages_.symbols.data() + page_++ * page_symbols;
  }

  /// Whether the walk goes on.
  bool step(Walk& walk) {
    std::uint32_t code = 0;
    if (!steps_.step(walk.row, code)) {
      pieces_[walk.piece] = {walk.length, walk.row};
      return false;
    }
    if (walk.length % page_symbols == 0 && walk.length != 0) open_page(walk);
    *walk.to++ = alphabet_.symbol_of[code];
    ++walk.length;
    Pos next = 0;
    if (splitters_.ends_at(walk.row, next)) {
      pieces_[walk.piece] = {walk.length, next};
      return false;
    }
    __builtin_prefetch(steps_.needed_at(walk.row));
    return true;
  }

  const Steps steps_;
  const SplitterRows splitters_;
  const BwtAlphabet& alphabet_;
  WalkedPiece<Pos>* pieces_;
  SymbolPages<Pos>& pages_;
  std::atomic<std::uint64_t>& next_;
  std::uint64_t piece_ = 0, piece_end_ = 0;
  std::uint64_t page_ = 0, page_end_ = 0;
  Walk walks_[lanes];
};

}  // namespace gsx

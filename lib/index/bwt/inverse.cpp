#include "index/bwt/inverse.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/bwt/lf_steps.hpp"
#include "index/bwt/piece_walks.hpp"

namespace gsx {
namespace {

/// First row of each symbol, and how to search among them.
template <class Pos>
struct SymbolStarts {
  std::array<Pos, TableSteps<Pos>::most_starts> rows;
  std::uint32_t half = 1;

  SymbolStarts(const BwtAlphabet& alphabet, const std::array<std::uint64_t, 256>& counts) {
    rows.fill(std::numeric_limits<Pos>::max());
    while (2 * half < alphabet.size)
      half *= 2;
    std::uint64_t next = alphabet.separators;
    for (std::uint32_t code = 0; code < alphabet.size; ++code) {
      rows[code] = static_cast<Pos>(next);
      next += counts[alphabet.symbol_of[code]];
    }
  }
};

/// For every row, where an LF step leads; for a separator, the number of separators before it. Pre:
/// rows fit Pos. Cost: two passes. Throws ResourceError.
template <class Pos>
Buffer<Pos> make_lf_table(const BwtBytes& bwt, const BwtAlphabet& alphabet, int threads) {
  // The code of a separator is the largest.
  using Next = std::array<Pos, 256>;
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<Next> next(slices);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    next[s] = {};
    const Slice slice = slice_of(bwt.rows(), slices, s);
    bwt.for_each(slice.begin, slice.end,
                 [&](std::uint64_t, std::uint8_t byte) { ++next[s][alphabet.code_of[byte]]; });
  });
  Pos total = 0;
  const auto place = [&](std::size_t code) {
    for (Next& counts : next)
      total = static_cast<Pos>(total + std::exchange(counts[code], total));
  };
  place(BwtAlphabet::hole);
  if (!bwt.has_separators) total = 1;
  for (std::size_t code = 0; code < alphabet.size; ++code)
    place(code);
  Buffer<Pos> table(bwt.rows(), "inverting the BWT");
  if (!bwt.has_separators) table[bwt.primary] = 0;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(bwt.rows(), slices, s);
    bwt.for_each(slice.begin, slice.end, [&](std::uint64_t row, std::uint8_t byte) {
      table[row] = next[s][alphabet.code_of[byte]]++;
    });
  });
  return table;
}

/// Windows are as large as they may be, so that pieces are few, and pages full; each thread has
/// enough pieces to share the work evenly.
constexpr int largest_shift = 12, smallest_shift = 6;
constexpr std::uint64_t pieces_per_thread = 1024;

std::uint32_t shift_for(std::uint64_t rows, int threads) {
  const std::uint64_t window = rows / (pieces_per_thread * static_cast<std::uint64_t>(threads));
  return static_cast<std::uint32_t>(std::clamp(bit_length(window), smallest_shift, largest_shift));
}

QuadVector rank_blocks(const BwtBytes& bwt, const BwtAlphabet& alphabet, int threads) {
  return {bwt.rows(),
          [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
            if (!bwt.has_separators && begin <= bwt.primary && bwt.primary < end)
              out[bwt.primary - begin] = BwtAlphabet::hole;
            bwt.for_each(begin, end, [&](std::uint64_t row, std::uint8_t byte) {
              out[row - begin] = alphabet.code_of[byte];
            });
          },
          threads};
}

/// Pieces in the order of the text.
template <class Pos>
class PieceOrder {
 public:
  PieceOrder(std::uint64_t segments, Buffer<WalkedPiece<Pos>>& pieces)
      : segments_(segments), pieces_(pieces) {}

  /// Symbols of a segment.
  std::uint64_t length_of(std::uint64_t segment) const {
    std::uint64_t length = 0;
    for (std::uint64_t piece = segment;; piece = pieces_[piece].next) {
      length += pieces_[piece].length;
      if (pieces_[piece].next < segments_) return length;
    }
  }
  /// Replaces the successor of each piece of a segment that ends at a place of the text by the
  /// place where the piece ends.
  void place(std::uint64_t segment, std::uint64_t end) {
    for (std::uint64_t piece = segment;;) {
      WalkedPiece<Pos>& walked = pieces_[piece];
      piece = walked.next;
      walked.next = static_cast<Pos>(end);
      end -= walked.length;
      if (piece < segments_) return;
    }
  }

 private:
  std::uint64_t segments_;
  Buffer<WalkedPiece<Pos>>& pieces_;
};

/// Writes the separators that the text has room for, and sets the successor of each piece to the
/// place where it ends. Throws InputError if pieces are left over.
template <class Pos>
void place_pieces(const BwtBytes& bwt, std::uint64_t segments, Buffer<WalkedPiece<Pos>>& pieces,
                  Buffer<std::uint8_t>& text, int threads) {
  const std::uint64_t slices = std::min(segments, static_cast<std::uint64_t>(threads) * 16);
  std::vector<std::uint64_t> starts(slices);
  PieceOrder<Pos> order(segments, pieces);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(segments, slices, s);
    for (std::uint64_t segment = slice.begin; segment < slice.end; ++segment)
      starts[s] += order.length_of(segment) + 1;
  });
  std::uint64_t total = 0;
  for (std::uint64_t& start : starts)
    total += std::exchange(start, total);
  require_all_reached(total, bwt.rows());
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(segments, slices, s);
    std::uint64_t end = starts[s];
    for (std::uint64_t segment = slice.begin; segment < slice.end; ++segment) {
      end += order.length_of(segment);
      order.place(segment, end);
      if (end < text.size()) text[end] = bwt.separator;
      ++end;
    }
  });
}

/// Copies all pages to the text, each back to front.
template <class Pos>
void copy_pages(const SymbolPages<Pos>& pages, const Buffer<WalkedPiece<Pos>>& pieces,
                Buffer<std::uint8_t>& text, int threads) {
  constexpr std::uint64_t pages_per_task = 4096;
  const std::uint64_t used = pages.taken.load();
  parallel_for(threads, divide_up(used, pages_per_task), [&](std::uint64_t task, int) {
    const std::uint64_t last = std::min(used, (task + 1) * pages_per_task);
    for (std::uint64_t page = task * pages_per_task; page < last; ++page) {
      const auto place = pages.places[page];
      if (place.piece == SymbolPages<Pos>::none) continue;
      const WalkedPiece<Pos>& piece = pieces[place.piece];
      const std::uint64_t first = place.number * pages.page_symbols;
      const std::uint64_t count = std::min<std::uint64_t>(pages.page_symbols, piece.length - first);
      const std::uint8_t* from = pages.symbols.data() + page * pages.page_symbols;
      std::reverse_copy(from, from + count, text.data() + (piece.next - first - count));
    }
  });
}

template <class Walks>
GSX_TARGET_AVX2 void run_avx2(Walks& walks) {
  walks.run();
}

/// An inversion whose parts have been counted.
template <class Pos>
class Inversion {
 public:
  Inversion(const BwtBytes& bwt, const InverseOptions& options)
      : bwt_(bwt),
        options_(options),
        counts_(count_bytes(bwt.bytes, options.threads)),
        alphabet_(bwt, counts_),
        splitters_{bwt.rows(), alphabet_.separators, shift_for(bwt.rows(), options.threads)},
        by_blocks_(takes_rank_blocks(alphabet_, bwt.rows())) {}

  Buffer<std::uint8_t> run() const {
    if (options_.before_allocating) options_.before_allocating(bytes());
    if (by_blocks_) {
      const QuadVector blocks = rank_blocks(bwt_, alphabet_, options_.threads);
      return run_by(QuadSteps{blocks.view(), alphabet_.separators});
    }
    const Buffer<Pos> table = make_lf_table<Pos>(bwt_, alphabet_, options_.threads);
    const SymbolStarts<Pos> starts(alphabet_, counts_);
    return run_by(TableSteps<Pos>{table.data(), starts.rows.data(),
                                  static_cast<Pos>(alphabet_.separators), starts.half});
  }

 private:
  using Pages = SymbolPages<Pos>;

  std::uint64_t pages() const {
    return Pages::enough(bwt_.rows() - alphabet_.separators, splitters_.pieces(), options_.threads);
  }
  std::uint64_t bytes() const {
    const std::uint64_t rows = bwt_.rows();
    const std::uint64_t steps =
        by_blocks_ ? QuadVector::block_count(rows) * sizeof(QuadBlock) : rows * sizeof(Pos);
    return steps + bwt_.bytes.size() + splitters_.pieces() * sizeof(WalkedPiece<Pos>) +
           pages() * (Pages::page_symbols + sizeof(typename Pages::Place));
  }

  template <class Steps>
  Buffer<std::uint8_t> run_by(const Steps& steps) const {
    const int threads = options_.threads;
    Buffer<WalkedPiece<Pos>> pieces(splitters_.pieces(), "inverting the BWT");
    Pages pages(this->pages());
    std::atomic<std::uint64_t> next{0};
    run_threads(threads, [&](int) {
      PieceWalks<Steps, Pos> walks(steps, splitters_, alphabet_, pieces.data(), pages, next);
      options_.path == CpuPath::avx2 ? run_avx2(walks) : walks.run();
    });
    Buffer<std::uint8_t> text(bwt_.bytes.size(), "text of the BWT");
    place_pieces(bwt_, alphabet_.separators, pieces, text, threads);
    copy_pages(pages, pieces, text, threads);
    return text;
  }

  const BwtBytes& bwt_;
  const InverseOptions& options_;
  std::array<std::uint64_t, 256> counts_;
  BwtAlphabet alphabet_;
  SplitterRows splitters_;
  bool by_blocks_;
};

}  // namespace

Buffer<std::uint8_t> invert_bwt(const BwtBytes& bwt, const InverseOptions& options) {
  return is_wide(bwt.rows(), options.width) ? Inversion<std::uint64_t>(bwt, options).run()
                                            : Inversion<std::uint32_t>(bwt, options).run();
}

void require_all_reached(std::uint64_t reached, std::uint64_t rows) {
  if (reached == rows) return;
  throw InputError("not a BWT: stepping back from its separators reaches " +
                   std::to_string(reached) + " of " + std::to_string(rows) + " symbols");
}

bool takes_rank_blocks(const BwtAlphabet& alphabet, std::uint64_t rows) {
  constexpr std::uint64_t rows_per_separator = 4096;
  return alphabet.size <= QuadSteps::most_symbols &&
         alphabet.separators <= rows / rows_per_separator + 64;
}

}  // namespace gsx

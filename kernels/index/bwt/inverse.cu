#include <algorithm>
#include <string>
#include <type_traits>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "index/bwt/inverse.hpp"
#include "index/bwt/lf_steps.hpp"
#include "index/bwt/splitters.hpp"
#include "kernels/arrays/rank/device_level.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/bwt/device_bwt.hpp"
#include "kernels/index/bwt/inverse.hpp"
#include "kernels/index/bwt/lf_table.hpp"
#include "kernels/index/bwt/piece_ranks.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// A counter from which threads take numbers.
using Taken = unsigned long long;

/// Codes that the walks have found, `bits` bits each, in pages of one piece each.
template <class Pos, unsigned bits>
struct CodePages {
  static constexpr unsigned page_codes = 64;
  static constexpr unsigned word_codes = 64 / bits;
  static constexpr unsigned page_words = bits;
  static constexpr Pos none = static_cast<Pos>(~Pos{0});

  /// Which codes of its piece a page holds: those from page_codes * number on.
  struct Place {
    Pos piece;  ///< none: the page is not used
    Pos number;
  };

  std::uint64_t* d_words;
  Place* d_places;
  Taken* d_taken;

  /// Enough pages for so many codes: each piece may end with one that is not full, and each thread
  /// with some that it has not used.
  static std::uint64_t enough(std::uint64_t codes, std::uint64_t pieces, std::uint64_t threads) {
    return codes / page_codes + pieces + threads * tuning::pages_taken;
  }
};

/// The pages that a thread writes to.
template <class Pos, unsigned bits>
class PageWriter {
 public:
  using Pages = CodePages<Pos, bits>;

  __device__ explicit PageWriter(const Pages& pages) : pages_(pages) {}

  __device__ void begin(Pos piece) {
    word_ = 0;
    open(piece, 0);
  }
  /// Code number `number` of the piece. Full words are written, and a page is opened before the
  /// next one.
  __device__ void put(Pos piece, Pos number, std::uint32_t code) {
    if (number % Pages::page_codes == 0 && number != 0) open(piece, number / Pages::page_codes);
    const auto at = static_cast<unsigned>(number % Pages::word_codes);
    word_ |= std::uint64_t{code} << (bits * at);
    if (at + 1 == Pages::word_codes) flush(number);
  }
  /// Writes what is left of a piece of so many codes.
  __device__ void end(Pos length) {
    if (length % Pages::word_codes != 0) flush(length - 1);
  }

 private:
  __device__ void flush(Pos number) {
    const auto at = static_cast<unsigned>(number / Pages::word_codes % Pages::page_words);
    pages_.d_words[page_ * Pages::page_words + at] = word_;
    word_ = 0;
  }
  __device__ void open(Pos piece, Pos number) {
    if (next_ == next_end_) {
      next_ = atomicAdd(pages_.d_taken, Taken{tuning::pages_taken});
      next_end_ = next_ + tuning::pages_taken;
    }
    page_ = next_++;
    pages_.d_places[page_] = {piece, number};
  }

  Pages pages_;
  std::uint64_t word_ = 0;
  std::uint64_t page_ = 0, next_ = 0, next_end_ = 0;
};

/// One step per iteration, of whichever piece the thread is at, so that a warp does not wait for
/// its longest piece.
template <class Steps, class Pos, unsigned bits>
__global__ void __launch_bounds__(block_threads)
    walk_kernel(Steps steps, SplitterRows splitters, CodePages<Pos, bits> pages, Taken* d_begun,
                WalkedPiece<Pos>* d_pieces) {
  if constexpr (std::is_same_v<Steps, TableSteps<Pos>>) {
    __shared__ Pos starts[TableSteps<Pos>::most_starts];
    for (unsigned i = threadIdx.x; i < TableSteps<Pos>::most_starts; i += blockDim.x)
      starts[i] = steps.starts[i];
    __syncthreads();
    steps.starts = starts;
  }
  const std::uint64_t count = splitters.pieces();
  PageWriter<Pos, bits> writer(pages);
  std::uint64_t next_piece = 0, next_end = 0;
  Pos row = 0, piece = 0, length = 0;
  for (bool walking = false;;) {
    if (!walking) {
      if (next_piece == next_end) {
        next_piece = atomicAdd(d_begun, Taken{tuning::pieces_taken});
        if (next_piece >= count) break;
        next_end =
            next_piece + tuning::pieces_taken < count ? next_piece + tuning::pieces_taken : count;
      }
      piece = static_cast<Pos>(next_piece);
      const std::uint64_t first = splitters.row_of(next_piece++);
      if (first >= splitters.rows) {
        d_pieces[piece] = {0, 0};  // nothing leads here
        continue;
      }
      row = static_cast<Pos>(first);
      length = 0;
      writer.begin(piece);
      walking = true;
    }
    std::uint32_t code = 0;
    Pos next = 0;
    if (steps.step(row, code)) {
      writer.put(piece, length++, code);
      walking = !splitters.ends_at(row, next);
    } else {
      next = row;
      walking = false;
    }
    if (!walking) {
      writer.end(length);
      d_pieces[piece] = {length, next};
    }
  }
}

/// One thread per code.
template <class Pos, unsigned bits>
__global__ void copy_kernel(CodePages<Pos, bits> pages, std::uint64_t page_count,
                            const WalkedPiece<Pos>* d_pieces, const Pos* d_ends,
                            const std::uint8_t* d_symbol_of, std::uint8_t* d_text) {
  using Pages = CodePages<Pos, bits>;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t page = i / Pages::page_codes;
  if (page >= page_count) return;
  const auto place = pages.d_places[page];
  if (place.piece == Pages::none) return;
  const auto within = static_cast<unsigned>(i % Pages::page_codes);
  const Pos number = place.number * Pages::page_codes + within;
  if (number >= d_pieces[place.piece].length) return;
  const std::uint64_t word = pages.d_words[page * Pages::page_words + within / Pages::word_codes];
  const auto code =
      static_cast<unsigned>(word >> bits * (within % Pages::word_codes)) & ((1u << bits) - 1);
  d_text[d_ends[place.piece] - 1 - number] = d_symbol_of[code];
}

/// A separator for which the text has no room is left out.
template <class Pos>
__global__ void separators_kernel(const Pos* d_segment_ends, std::uint64_t segments,
                                  std::uint8_t separator, std::uint64_t size,
                                  std::uint8_t* d_text) {
  const std::uint64_t segment = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (segment >= segments) return;
  const std::uint64_t at = d_segment_ends[segment] - 1;
  if (at < size) d_text[at] = separator;
}

/// Windows are as large as they may be, so that pieces are few, but each thread has several pieces
/// to share the work evenly.
std::uint32_t shift_for(std::uint64_t rows, std::uint64_t threads) {
  const std::uint64_t window = rows / (tuning::walked_pieces_per_thread * threads);
  return std::clamp(static_cast<std::uint32_t>(bit_length(window)), tuning::least_window_bits,
                    tuning::most_window_bits);
}

template <class Pos, unsigned bits, class Steps>
void invert_by(const Steps& steps, const BwtBytes& d_bwt, const BwtAlphabet& alphabet,
               std::uint8_t* d_text, DeviceStream stream) {
  using Pages = CodePages<Pos, bits>;
  const std::uint64_t most_blocks = std::uint64_t{multiprocessors()} * tuning::walk_blocks;
  const SplitterRows splitters{d_bwt.rows(), alphabet.separators,
                               shift_for(d_bwt.rows(), most_blocks * block_threads)};
  const std::uint64_t count = splitters.pieces();
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>(most_blocks, divide_up(count, block_threads)));
  const std::uint64_t page_count = Pages::enough(d_bwt.rows() - alphabet.separators, count,
                                                 std::uint64_t{blocks} * block_threads);
  DeviceBuffer<WalkedPiece<Pos>> pieces(count, stream);
  DeviceBuffer<std::uint64_t> words(page_count * Pages::page_words, stream);
  DeviceBuffer<typename Pages::Place> places(page_count, stream);
  DeviceBuffer<Taken> taken(2, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(taken.data(), 0, taken.bytes(), stream));
  GSX_CUDA_CHECK(cudaMemsetAsync(places.data(), 0xFF, places.bytes(), stream));  // none
  const Pages pages{words.data(), places.data(), taken.data()};
  walk_kernel<Steps, Pos, bits><<<blocks, block_threads, 0, stream>>>(
      steps, splitters, pages, taken.data() + 1, pieces.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  const PieceEnds<Pos> ends = rank_pieces(pieces, splitters, stream);
  require_all_reached(ends.reached, d_bwt.rows());
  DeviceBuffer<std::uint8_t> symbol_of(alphabet.symbol_of.size(), stream);
  symbol_of.copy_from_async(alphabet.symbol_of.data());
  copy_kernel<Pos, bits>
      <<<blocks_for(page_count * Pages::page_codes, block_threads), block_threads, 0, stream>>>(
          pages, page_count, pieces.data(), ends.pieces.data(), symbol_of.data(), d_text);
  GSX_CUDA_CHECK(cudaGetLastError());
  separators_kernel<<<blocks_for(alphabet.separators, block_threads), block_threads, 0, stream>>>(
      ends.segments.data(), alphabet.separators, d_bwt.separator, std::uint64_t{d_bwt.bytes.size()},
      d_text);
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

template <class Pos>
void invert(const BwtBytes& d_bwt, std::uint8_t* d_text, DeviceStream stream) {
  const BwtAlphabet alphabet = find_alphabet(d_bwt, stream);
  DeviceBuffer<std::uint8_t> codes = codes_of_bwt(d_bwt, alphabet, stream);
  if (takes_rank_blocks(alphabet, d_bwt.rows())) {
    const DeviceLevel level(codes, find_separators(d_bwt, stream), stream);
    codes = {};
    const QuadSteps steps{level.view(), alphabet.separators};
    return invert_by<Pos, 2>(steps, d_bwt, alphabet, d_text, stream);
  }
  const DeviceLfTable<Pos> table = make_lf_table_async<Pos>(codes, alphabet, stream);
  codes = {};
  invert_by<Pos, 8>(table.steps(), d_bwt, alphabet, d_text, stream);
}

}  // namespace

void invert_bwt(const BwtBytes& d_bwt, std::uint8_t* d_text, PositionWidth width,
                DeviceStream stream) {
  is_wide(d_bwt.rows(), width) ? invert<std::uint64_t>(d_bwt, d_text, stream)
                               : invert<std::uint32_t>(d_bwt, d_text, stream);
}

}  // namespace gsx::cuda

// What suffixes share, found while they are sorted.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/shared_lengths.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"
#include "kernels/index/lcp/long_pairs.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"
#include "text/both_strands.hpp"

namespace gsx::cuda {

/// More pairs of suffixes have much in common than there is room for. Smaller batches would leave
/// little more, so this is no ResourceError, after which they would be tried.
struct TooManyPairs final : Error {
  TooManyPairs();
};

/// What suffixes share, side by side for one position, because positions come in no order; as in
/// SharedLengths, and `longest` stands for that and more.
struct SharedAt {
  static constexpr std::uint8_t longest = SmallNumbers::escape;

  std::uint8_t left, forward, reverse;
  std::uint8_t batch;  ///< number of the call that brought the row
};
static_assert(sizeof(SharedAt) == 4);
enum class SharedPart : std::uint8_t { left, forward, reverse };

/// Makes SharedLengths on the device, so that no row leaves it. The nearest rows of either strand,
/// above and below, are found in each batch by scans, with the minimum of what neighbours share in
/// between. Neighbours are compared up to SharedAt::longest; pairs that share so much are kept, and
/// measured at the end in the order of positions, which takes linear time however much the text
/// repeats. Rows of different batches share less than batches are told apart by, so each position
/// is compared at the end with the nearest rows of other batches, of which a batch has four.
///
/// Memory: bytes() for the result, bytes_per_row_of_batch for each row of a batch, and 8 bytes for
/// each pair. Cost: two random lines of text per row, one of the result for each row of the forward
/// strand, and 130 bytes read and written in order.
template <class Pos>
class SharedLengthsCollector final : public RowConsumer<Pos> {
 public:
  /// Whether positions fit the pairs.
  static bool can_collect(const BothStrandsView& text) {
    return text.half <= std::numeric_limits<std::uint32_t>::max();
  }
  /// Collects for positions [0, half), and throws TooManyPairs in take() at more than `most_pairs`
  /// of them. Pre: can_collect().
  SharedLengthsCollector(const TextView& d_text, std::uint64_t half, std::uint64_t most_pairs,
                         DeviceStream stream);

  void take(const FinishedRows<Pos>& rows) override;
  void wait(std::uint64_t) override {}

  /// The result. Asks `require` for the host memory of numbers that no byte can hold. Pre: all rows
  /// have been taken. Call it once. Waits. Throws ResourceError, DeviceError.
  SharedLengths result(int threads, Transfer& transfer, const RequireMemory& require);

  /// Pairs for which there is room in bytes(), four times as many as human chromosomes have: 1.6 %
  /// of their suffixes share 255 bases with another one, and each is in four pairs at most.
  static std::uint64_t planned_pairs(std::uint64_t half) { return half / 4 + (1u << 16); }
  /// Device bytes of the result and of the pairs, and of what result() takes beside those and the
  /// text.
  static std::uint64_t bytes(std::uint64_t half) {
    return sizeof(SharedAt) * half + 8 * planned_pairs(half);
  }
  static std::uint64_t result_bytes(std::uint64_t half, std::uint64_t pairs) {
    return half + measuring_bytes(pairs);
  }
  static constexpr std::uint32_t bytes_per_row_of_batch = 14;

 private:
  enum Strand : std::uint8_t { forward, reverse };
  enum Side : std::uint8_t { above, below };
  static constexpr std::uint64_t no_row = ~std::uint64_t{0};
  /// A row of each strand on each side of a batch, or no_row.
  using Rows = std::array<std::array<std::uint64_t, 2>, 2>;

  bool both() const { return text_.half < text_.text.length(); }
  void take_direction(const FinishedRows<Pos>& rows, Strand strand, Side side,
                      const DeviceBuffer<std::uint8_t>& lcps, DeviceBuffer<std::uint64_t>& nearest,
                      DeviceBuffer<SharedAt>& found);
  std::vector<Rows> rows_around_batches() const;
  void compare_around_batches();
  LengthsByPosition measured(Strand strand, Side side);
  SmallNumbers numbers(SharedPart part, const LengthsByPosition& large, int threads,
                       Transfer& transfer, const RequireMemory& require);

  BothStrandsView text_;
  std::uint64_t most_pairs_;
  DeviceStream stream_;
  DeviceBuffer<SharedAt> shared_;
  DeviceBuffer<std::uint64_t> edges_;  ///< of each batch: the last row of each strand, the first
  std::vector<std::uint64_t> first_rows_;          ///< of the batches, as they came
  std::array<std::array<LongPairs, 2>, 2> pairs_;  ///< [strand][side]
  std::uint64_t pairs_found_ = 0;
};

}  // namespace gsx::cuda

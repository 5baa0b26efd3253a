// The suffixes that are not yet told apart, gathered from a stretch of the suffix array.
#pragma once

#include <cstdint>

#include "kernels/base/mail.hpp"
#include "kernels/index/sa/group_sort.hpp"
#include "kernels/index/sa/rank_bit_vector.hpp"

namespace gsx::cuda {

/// Rows that are tied to one of their neighbours have slots. Of a bit per row, which says whether
/// it is tied to the row before: where the slots of each word's rows end, and how many there are.
struct SlotEnds {
  DeviceBuffer<std::uint32_t> of_words;
  std::uint64_t count = 0;
};

/// `tied` has the bits from the lowest one of word 0 on. Pre: it has words. Cost: 4 bytes per word.
/// Waits for the stream. Throws ResourceError, DeviceError.
SlotEnds slot_ends(const DeviceBuffer<std::uint32_t>& tied, DeviceStream stream);

/// Tied suffixes of a stretch of fewer than 2^32 rows, in row order. Slot i is row rows()[i] of the
/// stretch and holds the suffix at positions()[i]; heads()[i] is 1 where a group of tied suffixes
/// begins. Only their order within a group is still open.
/// Cost: 6 bytes and two positions per slot, 8 more with keys(), and 4 more for each slot that was
/// kept when others were dropped.
template <class Pos>
class TiedRows {
 public:
  /// Those that have slots by the bits in `tied`, of which `ends` are. Asynchronous.
  TiedRows(const DeviceBuffer<Pos>& rows, const DeviceBuffer<std::uint32_t>& tied,
           const SlotEnds& ends, DeviceStream stream);
  /// The same. Waits for the stream.
  TiedRows(const DeviceBuffer<Pos>& rows, const DeviceBuffer<std::uint32_t>& tied,
           DeviceStream stream)
      : TiedRows(rows, tied, slot_ends(tied, stream), stream) {}
  /// The same of a bit vector.
  TiedRows(const DeviceBuffer<Pos>& rows, const RankBitVector& tied, DeviceStream stream);

  std::uint64_t size() const { return size_; }
  std::uint32_t* rows() { return rows_.data(); }
  Pos* positions() { return positions_.data(); }
  std::uint8_t* heads() { return heads_.data(); }
  /// Room for a key per slot; allocated with the first call.
  std::uint64_t* keys();
  /// Gives its memory back.
  void forget_keys();
  Slots<Pos> slots() { return {positions_.data(), heads_.data()}; }
  Slots<Pos> other_slots() { return {other_positions_.data(), other_heads_.data()}; }

  /// Sorts each group by keys(), which use the lowest `key_bits` bits, and sets heads() anew. The
  /// keys are lost.
  void sort(std::uint32_t key_bits, EndedKeys ended);
  /// Whether the last sort() may have met a group of more than group_limit slots.
  bool any_large() const { return any_large_; }
  /// Makes other_slots(), which the caller has filled, the slots.
  void swap_slots();
  /// Writes positions() to their rows of the stretch. Asynchronous.
  void store_async(DeviceBuffer<Pos>& rows);
  /// Adds a bit to `tied` for each row that is tied to the row before. Asynchronous.
  void mark_async(DeviceBuffer<std::uint32_t>& tied) const;
  /// Drops the slots that are alone in their group, writing their positions to their rows of the
  /// stretch unless `rows` is null. Waits for the stream.
  void settle(DeviceBuffer<Pos>* rows);
  /// The same, and takes what kernels have added up in a mailbox so far to its letter 1.
  void settle(DeviceBuffer<Pos>* rows, Mail& mail);
  /// Keeps the slots whose heads() have group_mark added, which is taken away again, and drops the
  /// others, writing their positions to `rows`, and a bit to `tied` for each that is tied to the
  /// row before. Waits for the stream.
  void keep_marked(DeviceBuffer<Pos>& rows, DeviceBuffer<std::uint32_t>& tied);
  static constexpr std::uint8_t group_mark = 2;
  /// One bit per row of a stretch of `count` rows: whether it is tied to the row before. Waits.
  DeviceBuffer<RankBitBlock> tied_bits(std::uint64_t count);

  DeviceStream stream() const { return stream_; }

 private:
  template <class Ties>
  void gather(const Ties& ties, const Pos* d_rows, std::uint64_t count);
  void allocate(std::uint64_t size);
  void make_room(std::uint64_t count);
  void take_moved(std::uint64_t count);

  std::uint64_t size_ = 0;
  bool any_large_ = true;
  DeviceStream stream_;
  DeviceBuffer<std::uint32_t> rows_, other_rows_;
  DeviceBuffer<Pos> positions_, other_positions_;
  DeviceBuffer<std::uint8_t> heads_, other_heads_;
  DeviceBuffer<std::uint64_t> keys_;
};

}  // namespace gsx::cuda

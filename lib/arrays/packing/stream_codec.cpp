#include "arrays/packing/stream_codec.hpp"

#include <algorithm>
#include <cstring>

#include "arrays/packing/stream_lanes.hpp"
#include "base/bits.hpp"

namespace gsx {
namespace {

/// Writes a stream in words of 64 bits.
class WordWriter {
 public:
  explicit WordWriter(std::uint8_t* out) : out_(out) {}

  /// Appends a value of `width` bits, 1 to 64.
  void push(std::uint64_t value, std::uint32_t width) {
    const std::uint32_t room = 64 - filled_;
    if (width < room) {
      pending_ = pending_ << width | value;
      filled_ += width;
      return;
    }
    filled_ = width - room;
    store(pending_ << (room - 1) << 1 | value >> filled_, sizeof value);
    pending_ = value;  // with bits that are written; the next store shifts them out
  }
  /// Writes the bytes that are left.
  void finish() {
    if (filled_ > 0) store(pending_ << (64 - filled_), divide_up(filled_, 8));
  }

 private:
  void store(std::uint64_t word, std::uint64_t bytes) {
    word = reverse_bytes64(word);
    std::memcpy(out_, &word, bytes);
    out_ += bytes;
  }

  std::uint8_t* out_;
  std::uint32_t filled_ = 0;  ///< bits of pending_ that are not written, 0 to 63
  std::uint64_t pending_ = 0;
};

/// Joins `together` neighbours to one value of as many times the bits, so that few are pushed one
/// after the other. Pre: these fit 64 bits.
template <unsigned together, class Value>
void pack_joined(const Value* values, std::uint64_t count, std::uint32_t bits, std::uint8_t* out) {
  constexpr std::uint64_t at_once = 32;
  WordWriter writer(out);
  std::uint64_t i = 0;
  for (; i + at_once * together <= count; i += at_once * together) {
    std::uint64_t joined[at_once];
    for (std::uint64_t k = 0; k < at_once; ++k) {
      joined[k] = values[i + k * together];
      for (unsigned j = 1; j < together; ++j)
        joined[k] = joined[k] << bits | values[i + k * together + j];
    }
    for (const std::uint64_t value : joined)
      writer.push(value, together * bits);
  }
  for (; i < count; ++i)
    writer.push(values[i], bits);
  writer.finish();
}

/// Unpacks groups of values that start at a byte, `together` of them from one load. Pre: a window
/// holds these; first and count are multiples of `together`.
template <unsigned together, class Value>
void unpack_windows(const PackedView& packed, std::uint64_t first, std::uint64_t count,
                    Value* out) {
  const std::uint32_t bits = packed.bits;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  for (std::uint64_t i = 0; i < count; i += together) {
    std::uint64_t values = packed.window(first + i) >> (64 - together * bits);
    for (unsigned j = together; j-- > 0; values >>= bits)
      out[i + j] = static_cast<Value>(values & mask);
  }
}

template <class Value>
void unpack_one_by_one(const PackedView& packed, std::uint64_t first, std::uint64_t count,
                       Value* out) {
  for (std::uint64_t i = 0; i < count; ++i)
    out[i] = static_cast<Value>(packed[first + i]);
}

/// Pre: first and count are multiples of PackedArray::slice_unit.
template <class Value>
void unpack_units(const PackedView& packed, std::uint64_t first, std::uint64_t count, Value* out,
                  CpuPath path) {
  constexpr std::uint32_t window = PackedView::max_bits;
  const std::uint32_t bits = packed.bits;
  if (path == CpuPath::avx2 && bits <= window) return unpack_groups(packed, first, count, out);
  if (bits <= window / 8) return unpack_windows<8>(packed, first, count, out);
  if (bits <= window / 4) return unpack_windows<4>(packed, first, count, out);
  if (bits <= window / 2) return unpack_windows<2>(packed, first, count, out);
  unpack_one_by_one(packed, first, count, out);
}

}  // namespace

template <class Value>
void pack_stream(const Value* values, std::uint64_t count, std::uint32_t bits, std::uint8_t* out) {
  if (bits <= 8) return pack_joined<8>(values, count, bits, out);
  if (bits <= 16) return pack_joined<4>(values, count, bits, out);
  if (bits <= 32) return pack_joined<2>(values, count, bits, out);
  pack_joined<1>(values, count, bits, out);
}

template <class Value>
void unpack_values(const PackedView& packed, std::uint64_t first, std::span<Value> out,
                   CpuPath path) {
  constexpr std::uint64_t unit = PackedArray::slice_unit;
  const std::uint64_t before = std::min<std::uint64_t>(out.size(), (unit - first % unit) % unit);
  const std::uint64_t end = before + (out.size() - before) / unit * unit;
  unpack_one_by_one(packed, first, before, out.data());
  unpack_units(packed, first + before, end - before, out.data() + before, path);
  unpack_one_by_one(packed, first + end, out.size() - end, out.data() + end);
}

#define GSX_STREAM(Value)                                                               \
  template void pack_stream(const Value*, std::uint64_t, std::uint32_t, std::uint8_t*); \
  template void unpack_values(const PackedView&, std::uint64_t, std::span<Value>, CpuPath);
GSX_STREAM(std::uint8_t)
GSX_STREAM(std::uint16_t)
GSX_STREAM(std::uint32_t)
GSX_STREAM(std::uint64_t)
#undef GSX_STREAM

}  // namespace gsx

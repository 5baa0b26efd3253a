#include "arrays/packing/pack.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

#include "arrays/packing/interleaved_view.hpp"
#include "arrays/packing/packing_checks.hpp"
#include "arrays/packing/stream_codec.hpp"
#include "base/bits.hpp"
#include "base/compiled_for.hpp"
#include "base/copy_past_caches.hpp"
#include "base/cpu_path.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t lanes = InterleavedView::lanes, word_bits = InterleavedView::word_bits;

/// Words of as many lanes as a vector of AVX2 has.
constexpr std::uint32_t side_by_side = 8;
using Words = std::uint32_t __attribute__((vector_size(side_by_side * sizeof(std::uint32_t))));

/// Packs `rows` rows of a block, of which each lane has a value: its lower and, if b > 32, upper
/// bits.
GSX_HD void pack_rows(const std::uint32_t* low, const std::uint32_t* high, std::uint64_t rows,
                      std::uint32_t bits, std::uint32_t* out) {
  for (std::uint32_t lane = 0; lane < lanes; lane += side_by_side) {
    InterleavedWriter<Words> writer(reinterpret_cast<Words*>(out + lane), lanes / side_by_side);
    for (std::uint64_t at = lane; at < rows * lanes; at += lanes) {
      Words words;
      std::memcpy(&words, low + at, sizeof words);
      writer.push(words, std::min(bits, word_bits));
      if (bits <= word_bits) continue;
      std::memcpy(&words, high + at, sizeof words);
      writer.push(words, bits - word_bits);
    }
    writer.finish();
  }
}

/// Packs a block, or the first `count` values of one.
template <class Value>
GSX_HD void pack_block(const Value* values, std::uint64_t count, std::uint32_t bits,
                       std::uint32_t* out) {
  constexpr std::uint64_t block = InterleavedView::block;
  std::uint32_t low[block], high[block];
  const std::uint64_t rows = divide_up(count, lanes);
  for (std::uint64_t i = 0; i < count; ++i)
    low[i] = static_cast<std::uint32_t>(values[i]);
  std::fill(low + count, low + rows * lanes, 0);
  if (bits > word_bits) {
    for (std::uint64_t i = 0; i < count; ++i)
      high[i] = static_cast<std::uint32_t>(std::uint64_t{values[i]} >> word_bits);
    std::fill(high + count, high + rows * lanes, 0);
  }
  pack_rows(low, high, rows, bits, out);
}

template <class Value>
GSX_HD void pack_blocks(const Value* values, std::uint64_t count, std::uint32_t bits,
                        std::uint32_t* out) {
  constexpr std::uint64_t block = InterleavedView::block;
  for (; count >= block; count -= block, values += block, out += lanes * bits)
    pack_block(values, block, bits, out);
  pack_block(values, count, bits, out);
}

/// The words of all lanes that hold a bit.
GSX_HD const std::uint32_t* row_of(const std::uint32_t* block, std::uint32_t bit) {
  return block + bit / word_bits * lanes;
}

/// Writes the values [first, first + lanes). Pre: first is a multiple of `lanes`.
template <class Value>
GSX_HD void unpack_row(const InterleavedView& packed, std::uint64_t first, Value* __restrict out) {
  const std::uint32_t* block = packed.words + packed.first_word(first);
  const std::uint32_t bit = packed.first_bit(first), shift = bit % word_bits;
  const std::uint32_t *low = row_of(block, bit), *end = row_of(block, bit + packed.bits - 1);
  if (packed.bits <= word_bits) {
    const std::uint32_t mask = low_mask32(packed.bits);
    for (std::uint32_t l = 0; l < lanes; ++l)
      out[l] = static_cast<Value>(InterleavedView::joined(low[l], end[l], shift) & mask);
    return;
  }
  const std::uint32_t mask = low_mask32(packed.bits - word_bits);
  const std::uint32_t *middle = row_of(block, bit + word_bits - 1),
                      *high = row_of(block, bit + word_bits);
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const std::uint64_t upper = InterleavedView::joined(high[l], end[l], shift) & mask;
    const std::uint32_t lower = InterleavedView::joined(low[l], middle[l], shift);
    out[l] = static_cast<Value>(upper << word_bits | lower);
  }
}

template <class Value>
GSX_HD void unpack_range(const InterleavedView& packed, std::uint64_t first, std::uint64_t count,
                         Value* out) {
  for (; count > 0 && first % lanes != 0; --count)
    *out++ = static_cast<Value>(packed[first++]);
  for (; count >= lanes; count -= lanes, first += lanes, out += lanes)
    unpack_row(packed, first, out);
  for (; count > 0; --count)
    *out++ = static_cast<Value>(packed[first++]);
}

/// Packs values[0, count) from the block that starts at `out` on, and fills
/// InterleavedView::words_for(count, bits) words. Pre: bits is 1 to 64, and every value is below
/// 2^bits. Cost: about 0.2 ns per value.
template <class Value>
void pack_interleaved(const Value* values, std::uint64_t count, std::uint32_t bits,
                      std::uint32_t* out, CpuPath path) {
  compiled_for<pack_blocks<Value>>(path)(values, count, bits, out);
}

/// Writes values [first, first + out.size()) to out. Pre: they are in the array, and Value has
/// packed.bits bits at least. Cost: about 0.1 ns per value.
template <class Value>
void unpack_values(const InterleavedView& packed, std::uint64_t first, std::span<Value> out,
                   CpuPath path) {
  compiled_for<unpack_range<Value>>(path)(packed, first, out.size(), out.data());
}

constexpr std::uint64_t values_per_task = std::uint64_t{1} << 16;
/// Values that stay in the first cache, packed and unpacked.
constexpr std::uint64_t values_per_chunk = std::uint64_t{1} << 11;
static_assert(values_per_task % values_per_chunk == 0);
static_assert(values_per_chunk % InterleavedView::block == 0);
static_assert(values_per_chunk % PackedArray::slice_unit == 0);

/// Calls work(begin, end) for chunks of [begin, end), on threads. They end at multiples of
/// values_per_chunk.
template <class Work>
void for_chunks(std::uint64_t begin, std::uint64_t end, int threads, const Work& work) {
  if (begin == end) return;
  const std::uint64_t first_task = begin / values_per_task;
  parallel_for(threads, divide_up(end, values_per_task) - first_task, [&](std::uint64_t t, int) {
    const std::uint64_t task = (first_task + t) * values_per_task;
    const std::uint64_t stop = std::min(end, task + values_per_task);
    for (std::uint64_t at = std::max(begin, task), next; at < stop; at = next) {
      next = std::min(stop, at / values_per_chunk * values_per_chunk + values_per_chunk);
      work(at, next);
    }
    finish_copies_past_caches();  // before this thread says that it has worked
  });
}

/// Calls make(out), which fills out[0, size), where the results belong; if these are many, in a
/// cache, and copies them from there.
template <class Element, class Make>
void write_chunk(Element* out, std::uint64_t size, bool past_caches, const Make& make) {
  if (!past_caches) return make(out);
  alignas(64) Element buffer[values_per_chunk * sizeof(std::uint64_t) / sizeof(Element)];
  make(buffer);
  copy_past_caches(out, buffer, size * sizeof(Element));
}

template <class Value>
Value all_bits_of(const Value* values, std::uint64_t count) {
  Value all = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    all |= values[i];
  return all;
}

/// Packs by pack_chunk(values, count, out), chunk by chunk. size_of(count) elements hold a chunk.
template <class Value, class Element, class SizeOf, class PackChunk>
void pack_chunks(std::span<const Value> values, std::uint32_t bits, Element* out, int threads,
                 const SizeOf& size_of, const PackChunk& pack_chunk) {
  const bool past_caches = size_of(values.size()) * sizeof(Element) > larger_than_caches;
  std::atomic<std::uint64_t> wrong{values.size()};
  for_chunks(0, values.size(), threads, [&](std::uint64_t begin, std::uint64_t end) {
    const Value* chunk = values.data() + begin;
    if (std::uint64_t{all_bits_of(chunk, end - begin)} >> (bits - 1) >> 1 == 0) {
      write_chunk(out + size_of(begin), size_of(end - begin), past_caches,
                  [&](Element* to) { pack_chunk(chunk, end - begin, to); });
      return;
    }
    const auto* first = std::find_if(chunk, chunk + (end - begin), [bits](Value value) {
      return std::uint64_t{value} >> (bits - 1) >> 1 != 0;
    });
    const auto at = begin + static_cast<std::uint64_t>(first - chunk);
    std::uint64_t before = wrong.load();
    while (at < before && !wrong.compare_exchange_weak(before, at)) {
    }
  });
  if (wrong != values.size()) refuse_wide_value(wrong, values[wrong], bits);
}

template <class Value, class View>
void unpack_chunks(const View& packed, std::uint64_t first, std::span<Value> out, int threads,
                   CpuPath path) {
  require_unpackable(packed.size, packed.bits, first, out.size(), 8 * sizeof(Value));
  const bool past_caches = out.size_bytes() > larger_than_caches;
  for_chunks(first, first + out.size(), threads, [&](std::uint64_t begin, std::uint64_t end) {
    write_chunk(out.data() + (begin - first), end - begin, past_caches, [&](Value* to) {
      unpack_values(packed, begin, std::span<Value>(to, end - begin), path);
    });
  });
}

}  // namespace

template <class Value>
std::uint32_t bits_needed(std::span<const Value> values, int threads) {
  std::atomic<std::uint64_t> all{0};
  for_chunks(0, values.size(), threads, [&](std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t some = all_bits_of(values.data() + begin, end - begin);
    if ((some & ~all.load(std::memory_order_relaxed)) != 0)
      all.fetch_or(some, std::memory_order_relaxed);
  });
  return bits_for(all);
}

template <class Value>
PackedArray pack(std::span<const Value> values, std::uint32_t bits, int threads) {
  require_packed_width(bits);
  Buffer<std::uint8_t> bytes(PackedView::bytes_for(values.size(), bits), "packed integers");
  pack_chunks(
      values, bits, bytes.data(), threads,
      [bits](std::uint64_t count) {
        return PackedView::bytes_for(count, bits) - PackedView::slack;
      },
      [bits](const Value* chunk, std::uint64_t count, std::uint8_t* out) {
        pack_stream(chunk, count, bits, out);
      });
  return {std::move(bytes), values.size(), bits};
}

template <class Value>
InterleavedArray pack_interleaved(std::span<const Value> values, std::uint32_t bits, int threads,
                                  CpuPath path) {
  require_packed_width(bits);
  Buffer<std::uint32_t> words(InterleavedView::words_for(values.size(), bits), "packed integers");
  pack_chunks(
      values, bits, words.data(), threads,
      [bits](std::uint64_t count) { return InterleavedView::words_for(count, bits); },
      [bits, path](const Value* chunk, std::uint64_t count, std::uint32_t* out) {
        pack_interleaved(chunk, count, bits, out, path);
      });
  return {std::move(words), values.size(), bits};
}

template <class Value>
void unpack(const PackedView& packed, std::uint64_t first, std::span<Value> out, int threads,
            CpuPath path) {
  unpack_chunks(packed, first, out, threads, path);
}
template <class Value>
void unpack(const InterleavedView& packed, std::uint64_t first, std::span<Value> out, int threads,
            CpuPath path) {
  unpack_chunks(packed, first, out, threads, path);
}

#define GSX_PACK(Value)                                                                            \
  template std::uint32_t bits_needed(std::span<const Value>, int);                                 \
  template PackedArray pack(std::span<const Value>, std::uint32_t, int);                           \
  template InterleavedArray pack_interleaved(std::span<const Value>, std::uint32_t, int, CpuPath); \
  template void unpack(const PackedView&, std::uint64_t, std::span<Value>, int, CpuPath);          \
  template void unpack(const InterleavedView&, std::uint64_t, std::span<Value>, int, CpuPath);
GSX_PACK(std::uint8_t)
GSX_PACK(std::uint16_t)
GSX_PACK(std::uint32_t)
GSX_PACK(std::uint64_t)
#undef GSX_PACK

}  // namespace gsx

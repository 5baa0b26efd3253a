#include "arrays/packing/pack.hpp"

#include <algorithm>
#include <atomic>

#include "arrays/packing/interleaved_codec.hpp"
#include "arrays/packing/packing_checks.hpp"
#include "arrays/packing/stream_codec.hpp"
#include "base/bits.hpp"
#include "base/copy_past_caches.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

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

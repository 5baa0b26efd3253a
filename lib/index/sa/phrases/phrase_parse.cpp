#include "index/sa/phrases/phrase_parse.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "index/sa/tuning.hpp"

namespace gsx {
namespace {

/// A slot of the table holds a phrase, plus 1, below some bits of the hash of its content.
constexpr int slot_phrase_bits = 40;
constexpr std::uint64_t slot_phrase_mask = (std::uint64_t{1} << slot_phrase_bits) - 1;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

}  // namespace

template <class Pos>
PhraseParse<Pos>::PhraseParse(const TextView& text, const PhraseRule& rule, int threads)
    : text_(text),
      rule_(text, rule.window),
      threads_(threads),
      // Sorting may read a whole key where one symbol is missing.
      overlap_(std::max<std::uint64_t>(rule.first_key, rule_.depth() + SuffixKeys(text).symbols)),
      marks_(text.length()) {
  const std::uint64_t n = length();
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * sa_tuning::slices_per_thread;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(n, slices, s, RankBitVector::slice_unit);
    rule_.for_each(slice.begin, slice.end, [&](std::uint64_t p) {
      if (rule.begins_in_runs || !is_run(p, rule_.window + rule_.mer)) marks_.mark(p);
    });
  });
  const SegmentsView& segments = text.segments;
  for (std::uint64_t k = 0; k < segments.count; ++k) {
    if (segments.starts[k] + 1 < segments.starts[k + 1]) marks_.mark(segments.starts[k]);
  }
  size_ = marks_.count();
  starts_ = Buffer<Pos>(size_ + 1, "phrases");
  starts_[size_] = static_cast<Pos>(n);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(n, slices, s, RankBitVector::slice_unit);
    if (slice.begin == slice.end) return;
    std::uint64_t i = marks_.rank(slice.begin);
    marks_.for_each(slice.begin, slice.end,
                    [&](std::uint64_t p) { starts_[i++] = static_cast<Pos>(p); });
  });
}

template <class Pos>
double PhraseParse<Pos>::density(const TextView& text, std::uint32_t window) {
  const SyncmerRule rule(text, window);
  constexpr std::uint64_t samples = sa_tuning::density_samples;
  constexpr std::uint64_t size = sa_tuning::density_sample_size;
  std::uint64_t found = 0;
  for (std::uint64_t s = 0; s < samples; ++s) {
    const std::uint64_t begin = slice_of(text.length(), samples, s).begin;
    rule.for_each(begin, std::min(text.length(), begin + size), [&](std::uint64_t) { ++found; });
  }
  return static_cast<double>(found) / static_cast<double>(samples * size);
}

template <class Pos>
bool PhraseParse<Pos>::has_syncmer_after(std::uint64_t p) const {
  const std::uint64_t i = phrase_at(p);
  const std::uint64_t next = starts_[i + 1];
  return i + 1 < size_ && next - p <= rule_.window && next < text_.segments.separator_from(p);
}

template <class Pos>
std::uint64_t PhraseParse<Pos>::slots() const {
  return std::bit_ceil(size_ + size_ / 2 + 1);
}
template <class Pos>
std::uint64_t PhraseParse<Pos>::table_bytes() const {
  return slots() * sizeof(std::uint64_t);
}

template <class Pos>
void PhraseParse<Pos>::find_equal(Pos* first_of, std::uint64_t* table) const {
  const std::uint64_t mask = slots() - 1;
  const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * sa_tuning::slices_per_thread;
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(mask + 1, slices, s);
    std::fill(table + slice.begin, table + slice.end, 0);
  });
  constexpr std::uint64_t batch = sa_tuning::keys_ahead;
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(size_, slices, s);
    std::uint64_t lengths[batch], hashes[batch];
    for (std::uint64_t first = slice.begin; first < slice.end; first += batch) {
      const std::uint64_t count = std::min(batch, slice.end - first);
      for (std::uint64_t j = 0; j < count; ++j) {
        lengths[j] = content_length(first + j);
        hashes[j] = hash(starts_[first + j], lengths[j]);
        __builtin_prefetch(table + (hashes[j] & mask));
      }
      for (std::uint64_t j = 0; j < count; ++j) {
        const std::uint64_t i = first + j;
        first_of[i] = static_cast<Pos>(i);
        if (lengths[j] == 0) continue;
        const std::uint64_t own = (hashes[j] & ~slot_phrase_mask) | (i + 1);
        for (std::uint64_t slot = hashes[j] & mask;; slot = (slot + 1) & mask) {
          const std::atomic_ref place(table[slot]);
          std::uint64_t there = place.load(std::memory_order_relaxed);
          if (there == 0 && place.compare_exchange_strong(there, own, std::memory_order_relaxed))
            break;
          if ((there ^ own) > slot_phrase_mask) continue;
          const std::uint64_t other = (there & slot_phrase_mask) - 1;
          if (content_length(other) != lengths[j] || !equal(starts_[i], starts_[other], lengths[j]))
            continue;
          first_of[i] = static_cast<Pos>(other);
          break;
        }
      }
    }
  });
}

template <class Pos>
bool PhraseParse<Pos>::is_run(std::uint64_t p, std::uint64_t length) const {
  // Symbols [p, p + length) are equal if each of them but the last equals the next one.
  return equal(p, p + 1, length - 1);
}

template <class Pos>
std::uint64_t PhraseParse<Pos>::hash(std::uint64_t begin, std::uint64_t length) const {
  const PackedView& symbols = text_.symbols;
  const std::uint64_t at_once = PackedView::max_bits / symbols.bits;
  std::uint64_t hash = length;
  for (; length > at_once; begin += at_once, length -= at_once)
    hash = mixed(hash, symbols.window(begin) >> (64 - at_once * symbols.bits));
  return length == 0 ? hash : mixed(hash, symbols.window(begin) >> (64 - length * symbols.bits));
}

template <class Pos>
bool PhraseParse<Pos>::equal(std::uint64_t a, std::uint64_t b, std::uint64_t length) const {
  const PackedView& symbols = text_.symbols;
  const std::uint64_t at_once = PackedView::max_bits / symbols.bits;
  for (; length > at_once; a += at_once, b += at_once, length -= at_once) {
    if ((symbols.window(a) ^ symbols.window(b)) >> (64 - at_once * symbols.bits) != 0) return false;
  }
  return length == 0 ||
         (symbols.window(a) ^ symbols.window(b)) >> (64 - length * symbols.bits) == 0;
}

template <class Pos>
std::uint64_t PhraseParse<Pos>::content_length(std::uint64_t i) const {
  const std::uint64_t begin = starts_[i], end = starts_[i + 1] + overlap_;
  return end > text_.segments.separator_from(begin) ? 0 : end - begin;
}

template class PhraseParse<std::uint32_t>;
template class PhraseParse<std::uint64_t>;

}  // namespace gsx

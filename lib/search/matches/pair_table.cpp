#include "search/matches/pair_table.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Symbols of the text that a thread takes at a time.
constexpr std::uint64_t slice_symbols = std::uint64_t{1} << 18;
/// K-mers whose slots are fetched together.
constexpr std::size_t group = 64;

/// Bits of the number of slots: a slot holds one or two k-mers.
std::uint32_t slot_bits_for(std::uint64_t samples, std::uint32_t kmer_bits) {
  constexpr std::uint32_t least = 8, most = 31;
  const std::uint32_t bits = bits_for(samples / 2);
  return std::clamp(std::min(bits, kmer_bits), least, most);
}

/// Calls take(slots, samples, count) for groups of sampled k-mers that begin in [begin, end).
template <class Take>
void for_each_group(const TextView& text, const PairTableView& table, std::uint32_t kmer,
                    std::uint64_t begin, std::uint64_t end, const Take& take) {
  std::uint64_t slots[group];
  std::uint32_t samples[group];
  std::size_t count = 0;
  std::uint64_t segment = text.segments.segment_at(begin);
  for (; segment < text.segments.count && text.segments.starts[segment] < end; ++segment) {
    const std::uint64_t separator = text.segments.starts[segment + 1] - 1;
    const std::uint64_t first = std::max(begin, text.segments.starts[segment]);
    if (separator < first + kmer) continue;
    const std::uint64_t last = std::min(end, separator - kmer + 1);
    std::uint64_t sample = divide_up(first, table.step);
    for (std::uint64_t p = sample * table.step; p < last; p += table.step, ++sample) {
      slots[count] = table.slot_at(text.symbols, p);
      samples[count] = static_cast<std::uint32_t>(sample);
      if (++count < group) continue;
      take(slots, samples, count);
      count = 0;
    }
  }
  take(slots, samples, count);
}

}  // namespace

PairTableView PairTableView::of(const TextView& text, const PairSampling& sampling) {
  const std::uint32_t kmer_bits = sampling.kmer * text.symbols.bits;
  const std::uint64_t most = text.length() / sampling.target_step + 1;
  return {nullptr, nullptr, sampling.target_step, sampling.kmer, slot_bits_for(most, kmer_bits)};
}

PairTableView PairTable::view() const {
  PairTableView view = shape_;
  view.starts = starts_.data();
  view.samples = samples_.data();
  return view;
}

PairTable::PairTable(const TextView& text, const PairSampling& sampling, int threads)
    : shape_(PairTableView::of(text, sampling)), starts_(shape_.slots() + 1, "slots of k-mers") {
  const std::uint64_t slots = shape_.slots();
  const std::uint64_t tasks = divide_up(text.length(), slice_symbols);
  const auto for_all = [&](const auto& take) {
    const PairTableView table = view();
    parallel_for(threads, tasks, [&](std::uint64_t task, int) {
      for_each_group(text, table, sampling.kmer, task * slice_symbols,
                     std::min(text.length(), (task + 1) * slice_symbols), take);
    });
  };
  // Parts of the slots, for threads.
  const std::uint64_t parts = divide_up(slots, slice_symbols);
  const auto for_parts = [&](const auto& work) {
    parallel_for(threads, parts, [&](std::uint64_t part, int) {
      work(part, part * slice_symbols, std::min(slots, (part + 1) * slice_symbols));
    });
  };
  for_parts([&](std::uint64_t, std::uint64_t begin, std::uint64_t end) {
    std::memset(starts_.data() + begin, 0, (end - begin) * sizeof(std::uint32_t));
  });
  // Counts the k-mers of each slot, makes these the ends of the slots, and fills the slots from
  // their ends on, which leaves their starts. The order within a slot does not matter.
  const auto change = [&](std::uint64_t slot, std::uint32_t by) {
    if (threads > 1) return std::atomic_ref(starts_[slot]).fetch_add(by, std::memory_order_relaxed);
    const std::uint32_t before = starts_[slot];
    starts_[slot] = before + by;
    return before;
  };
  for_all([&](const std::uint64_t* slot, const std::uint32_t*, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      __builtin_prefetch(&starts_[slot[i]], 1);
    for (std::size_t i = 0; i < count; ++i)
      change(slot[i], 1);
  });
  std::vector<std::uint64_t> sums(parts + 1);
  for_parts([&](std::uint64_t part, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t slot = begin; slot < end; ++slot)
      sum += starts_[slot];
    sums[part + 1] = sum;
  });
  for (std::uint64_t part = 0; part < parts; ++part)
    sums[part + 1] += sums[part];
  for_parts([&](std::uint64_t part, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t sum = sums[part];
    for (std::uint64_t slot = begin; slot < end; ++slot)
      starts_[slot] = static_cast<std::uint32_t>(sum += starts_[slot]);
  });
  starts_[slots] = static_cast<std::uint32_t>(sums[parts]);
  samples_ = Buffer<std::uint32_t>(sums[parts], "places of k-mers");
  constexpr auto minus_one = ~std::uint32_t{0};
  for_all([&](const std::uint64_t* slot, const std::uint32_t* sample, std::size_t count) {
    std::uint32_t at[group];
    for (std::size_t i = 0; i < count; ++i)
      __builtin_prefetch(&starts_[slot[i]], 1);
    for (std::size_t i = 0; i < count; ++i) {
      at[i] = change(slot[i], minus_one) - 1;
      __builtin_prefetch(&samples_[at[i]], 1);
    }
    for (std::size_t i = 0; i < count; ++i)
      samples_[at[i]] = sample[i];
  });
}

}  // namespace gsx

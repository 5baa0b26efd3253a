// How many k-mers occur how often, counted on all threads.
#include <algorithm>
#include <atomic>
#include <utility>

#include "analysis/mappability/unique_lengths.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Counts numbers, on several threads: small ones for each thread, large ones together.
class Histogram {
 public:
  Histogram(std::uint64_t size, int threads)
      : counts_(size), small_(static_cast<std::size_t>(threads), std::vector<std::uint64_t>(few)) {}

  /// Counts that at_least(i) has one more for i up to `value`.
  void add(std::uint64_t value, int thread) { change(value, 1, thread); }
  /// Counts that at_least(value) has one less. Pre: value > 0.
  void take(std::uint64_t value, int thread) {
    change(value, ~std::uint64_t{0}, thread);
    change(value - 1, 1, thread);
  }
  /// How many are at least i, for each i. Call it once.
  std::vector<std::uint64_t> at_least() {
    for (const auto& some : small_) {
      for (std::uint64_t value = 0; value < std::min<std::uint64_t>(few, counts_.size()); ++value)
        counts_[value] += some[value];
    }
    for (std::uint64_t value = counts_.size() - 1; value-- > 0;)
      counts_[value] += counts_[value + 1];
    return std::move(counts_);
  }

 private:
  static constexpr std::uint64_t few = 1024;

  void change(std::uint64_t value, std::uint64_t by, int thread) {
    if (value < few) {
      small_[static_cast<std::size_t>(thread)][value] += by;
    } else {
      std::atomic_ref(counts_[value]).fetch_add(by, std::memory_order_relaxed);
    }
  }

  std::vector<std::uint64_t> counts_;
  std::vector<std::vector<std::uint64_t>> small_;
};

/// Counts by k.
template <class Pos>
class SpectrumCounter {
 public:
  SpectrumCounter(const BothStrandsView& text, const SharedLengths& shared,
                  const Palindromes<Pos>* palindromes, int threads)
      : text_(text), shared_(shared), palindromes_(palindromes), threads_(threads) {}

  KmerSpectrum run(const RequireMemory& require) {
    const std::uint64_t size =
        longest_shared() + 2;  // numbers up to the k from which all are unique
    if (require) require(3 * size * sizeof(std::uint64_t));
    Histogram not_distinct(size, threads_), not_unique(size, threads_);
    each_slice([&](Slice slice, int thread) { count(slice, not_distinct, not_unique, thread); });
    return {not_distinct.at_least(), not_unique.at_least(), windows(size)};
  }

 private:
  template <class Work>
  void each_slice(const Work& work) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * 4;
    parallel_for(threads_, slices, [&](std::uint64_t s, int thread) {
      work(slice_of(text_.half, slices, s), thread);
    });
  }

  std::uint64_t longest_shared() const {
    const std::uint64_t forward = shared_.forward.largest();
    return shared_.reverse ? std::max(forward, shared_.reverse->largest()) : forward;
  }

  void count(Slice slice, Histogram& not_distinct, Histogram& not_unique, int thread) {
    constexpr std::uint64_t at_once = 1024;
    std::uint64_t left[at_once], forward[at_once], reverse[at_once] = {};
    for (std::uint64_t first = slice.begin; first < slice.end; first += at_once) {
      const std::uint64_t end = std::min(slice.end, first + at_once);
      const auto copy = [&](const SmallNumbers& from, std::uint64_t* to) {
        from.for_each(first, end,
                      [&](std::uint64_t p, std::uint64_t value) { to[p - first] = value; });
      };
      copy(shared_.left, left);
      copy(shared_.forward, forward);
      if (shared_.reverse) copy(*shared_.reverse, reverse);
      for (std::uint64_t i = 0; i < end - first; ++i) {
        // The first place of a k-mer in this order, and the first of those on no other strand:
        // twice what is distinct.
        not_distinct.add(left[i], thread);
        not_distinct.add(std::max(left[i], reverse[i]), thread);
        not_unique.add(std::max(forward[i], reverse[i]), thread);
        if (palindromes_ == nullptr || reverse[i] <= left[i]) continue;
        palindromes_->for_each_at(first + i, left[i], reverse[i], [&](std::uint64_t k) {
          not_distinct.take(k, thread);
          if (k > forward[i]) not_unique.take(k, thread);
        });
      }
    }
  }

  /// The places of k-mers, for each k.
  std::vector<std::uint64_t> windows(std::uint64_t size) const {
    const SegmentsView& segments = text_.text.segments;
    const std::uint64_t count = segments.count / (text_.half < text_.text.length() ? 2 : 1);
    std::vector<std::uint64_t> totals(size);  // ends at each k, then places
    std::uint64_t symbols = 0;
    for (std::uint64_t s = 0; s < count; ++s) {
      const std::uint64_t length = segments.starts[s + 1] - 1 - segments.starts[s];
      symbols += length;
      if (length + 1 < totals.size()) ++totals[length + 1];
    }
    // Each segment has length - k + 1 places: one less for every k, until it has none.
    std::uint64_t still = count, places = symbols + count;
    for (std::uint64_t k = 0; k < totals.size(); ++k) {
      still -= totals[k];
      totals[k] = places;
      places -= still;
    }
    return totals;
  }

  BothStrandsView text_;
  const SharedLengths& shared_;
  const Palindromes<Pos>* palindromes_;
  int threads_;
};

}  // namespace

KmerSpectrum::KmerSpectrum(std::vector<std::uint64_t> not_distinct,
                           std::vector<std::uint64_t> not_unique, std::vector<std::uint64_t> totals)
    : not_distinct_(std::move(not_distinct)),
      not_unique_(std::move(not_unique)),
      totals_(std::move(totals)) {
  while (size_ + 1 < totals_.size() && totals_[size_ + 1] != 0)
    ++size_;
  while (size_ > 1 && not_unique_[size_] == 0 && not_unique_[size_ - 1] == 0)
    --size_;
}

KmerCounts KmerSpectrum::operator[](std::uint64_t i) const {
  const std::uint64_t k = i + 1, total = totals_[k];
  // Where k symbols are shared, there are k symbols: all of those are among the places.
  return {k, (2 * total - not_distinct_[k]) / 2, total - not_unique_[k], total};
}

template <class Pos>
KmerSpectrum kmer_spectrum(const BothStrandsView& text, const SharedLengths& shared,
                           const Palindromes<Pos>* palindromes, int threads,
                           const RequireMemory& require) {
  return SpectrumCounter<Pos>(text, shared, palindromes, threads).run(require);
}

template KmerSpectrum kmer_spectrum(const BothStrandsView&, const SharedLengths&,
                                    const Palindromes<std::uint32_t>*, int, const RequireMemory&);
template KmerSpectrum kmer_spectrum(const BothStrandsView&, const SharedLengths&,
                                    const Palindromes<std::uint64_t>*, int, const RequireMemory&);

}  // namespace gsx

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.hpp"
#include "mappability/unique_lengths.hpp"

namespace gsx {
namespace {

/// Counts numbers, on several threads: small ones for each thread, large ones together.
class Histogram {
 public:
  Histogram(std::uint64_t largest, int threads)
      : counts_(largest + 1),
        small_(static_cast<std::size_t>(threads), std::vector<std::uint64_t>(few)) {}

  void add(std::uint64_t value, int thread) {
    if (value < few) {
      ++small_[static_cast<std::size_t>(thread)][value];
    } else {
      std::atomic_ref(counts_[value]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// How many are at least i, for each i.
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
  std::vector<std::uint64_t> counts_;
  std::vector<std::vector<std::uint64_t>> small_;
};

/// Counts by k.
template <class Pos>
class Spectrum {
 public:
  Spectrum(const BothStrandsView& text, const SharedLengths& shared,
           const Palindromes<Pos>* palindromes, int threads)
      : text_(text),
        shared_(shared),
        palindromes_(palindromes),
        threads_(threads),
        longest_(longest_shared()),
        first_(longest_ + 1, threads),
        only_forward_(longest_ + 1, threads),
        repeated_(longest_ + 1, threads),
        palindromes_by_k_(longest_ + 2),
        unique_palindromes_(longest_ + 2) {}

  std::vector<KmerCounts> run() {
    each_slice([&](Slice slice, int thread) { count(slice, thread); });
    const auto not_first = first_.at_least();
    const auto not_alone = only_forward_.at_least();
    const auto repeated = repeated_.at_least();
    const auto totals = windows();
    std::vector<KmerCounts> all;
    for (std::uint64_t k = 1; k <= longest_ + 1 && k < totals.size() && totals[k] != 0; ++k) {
      const std::uint64_t total = totals[k];
      // Where k symbols are shared, there are k symbols: all of those are among the places.
      std::uint64_t distinct = total - not_first[k];
      std::uint64_t unique = total - repeated[k];
      if (palindromes_ != nullptr) {
        const std::uint64_t on_one_strand = total - not_alone[k];
        distinct = (distinct + on_one_strand + palindromes_by_k_[k]) / 2;
        unique += unique_palindromes_[k];
      }
      all.push_back({k, distinct, unique, total});
    }
    const auto is_unique = [](const KmerCounts& at) { return at.unique == at.total; };
    while (all.size() > 1 && is_unique(all.back()) && is_unique(all[all.size() - 2]))
      all.pop_back();
    return all;
  }

 private:
  template <class Work>
  void each_slice(const Work& work) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * 4;
    parallel_for(threads_, slices, [&](std::uint64_t s, int thread) {
      work(slice_of(text_.half, slices, s), thread);
    });
  }

  std::uint64_t longest_shared() {
    std::vector<std::uint64_t> most(static_cast<std::size_t>(threads_));
    each_slice([&](Slice slice, int thread) {
      std::uint64_t& longest = most[static_cast<std::size_t>(thread)];
      const auto raise = [&](std::uint64_t, std::uint64_t value) {
        longest = std::max(longest, value);
      };
      shared_.forward.for_each(slice.begin, slice.end, raise);
      if (shared_.reverse) shared_.reverse->for_each(slice.begin, slice.end, raise);
    });
    return *std::ranges::max_element(most);
  }

  void count(Slice slice, int thread) {
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
      for (std::uint64_t i = 0; i < end - first; ++i)
        count(first + i, left[i], forward[i], reverse[i], thread);
    }
  }

  void count(std::uint64_t p, std::uint64_t left, std::uint64_t forward, std::uint64_t reverse,
             int thread) {
    first_.add(left, thread);
    only_forward_.add(std::max(left, reverse), thread);
    repeated_.add(std::max(forward, reverse), thread);
    if (palindromes_ == nullptr || reverse <= left) return;
    palindromes_->for_each_at(p, left, reverse, [&](std::uint64_t k) {
      std::atomic_ref(palindromes_by_k_[k]).fetch_add(1, std::memory_order_relaxed);
      if (k > forward)
        std::atomic_ref(unique_palindromes_[k]).fetch_add(1, std::memory_order_relaxed);
    });
  }

  /// The places of k-mers, for each k.
  std::vector<std::uint64_t> windows() const {
    const SegmentsView& segments = text_.text.segments;
    const std::uint64_t count = segments.count / (text_.half < text_.text.length() ? 2 : 1);
    std::vector<std::uint64_t> totals(longest_ + 3);  // ends at each k, then places
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
  std::uint64_t longest_;
  Histogram first_, only_forward_, repeated_;
  std::vector<std::uint64_t> palindromes_by_k_, unique_palindromes_;
};

}  // namespace

template <class Pos>
std::vector<KmerCounts> kmer_spectrum(const BothStrandsView& text, const SharedLengths& shared,
                                      const Palindromes<Pos>* palindromes, int threads) {
  return Spectrum<Pos>(text, shared, palindromes, threads).run();
}

template std::vector<KmerCounts> kmer_spectrum(const BothStrandsView&, const SharedLengths&,
                                               const Palindromes<std::uint32_t>*, int);
template std::vector<KmerCounts> kmer_spectrum(const BothStrandsView&, const SharedLengths&,
                                               const Palindromes<std::uint64_t>*, int);

}  // namespace gsx

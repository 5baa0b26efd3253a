#include "analysis/mappability/near_kmers.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "analysis/mappability/near_counts.hpp"
#include "analysis/mappability/near_stretch.hpp"
#include "index/lcp/row_groups.hpp"

namespace gsx {
namespace {

/// Longer common prefixes are measured once more.
constexpr std::uint32_t most_known = ~std::uint32_t{0};
/// Whether windows beside a longer stretch are open is only looked for once its end is known.
constexpr std::uint32_t long_stretch = 4096;
/// All threads work on the pairs of a larger group.
constexpr std::uint64_t large_group = 2048;

/// The rows of a group, and which two of them are worth a look.
template <class Pos>
class GroupRows {
 public:
  GroupRows(const BothStrandsView& text, const NearWindows& windows, const NearCounts& counts,
            const Pos* rows, const std::uint32_t* lcps, std::uint64_t count)
      : text_(text),
        windows_(windows),
        rows_(rows),
        lcps_(lcps),
        left_(count),
        open_(count),
        sides_(count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      left_[i] = left_of(rows[i]);
      sides_[i] = NearSides(text.text.symbols, windows, rows[i]);
      const std::uint32_t shared = std::max(i == 0 ? 0 : lcps[i], i + 1 == count ? 0 : lcps[i + 1]);
      const auto p = static_cast<std::int64_t>(rows[i]);
      open_[i] = text.is_forward(rows[i]) &&
                 (shared >= long_stretch || counts.open().any(p - windows.k, p + shared + 1));
    }
    choose();
  }

  /// For each row of a group, at most.
  static constexpr std::uint64_t bytes_per_row =
      sizeof(std::uint16_t) + sizeof(NearSides) + 2 * sizeof(std::uint8_t) + sizeof(std::uint64_t);

  /// Every two rows that are worth a look have one of these among them.
  std::uint64_t chosen() const { return chosen_.size(); }

  /// Calls on_pair(p, q, lcp) for all pairs of a chosen row that were not called for others.
  template <class OnPair>
  void for_each_pair(std::uint64_t number, const OnPair& on_pair) const {
    const std::uint64_t i = chosen_[number];
    std::uint32_t lcp = ~std::uint32_t{0};
    for (std::uint64_t j = i; j-- > 0;) {
      lcp = std::min(lcp, lcps_[j + 1]);
      if (!is_chosen_[j]) visit(i, j, lcp, on_pair);
    }
    lcp = ~std::uint32_t{0};
    for (std::uint64_t j = i + 1; j < left_.size(); ++j) {
      lcp = std::min(lcp, lcps_[j]);
      visit(i, j, lcp, on_pair);
    }
  }

 private:
  static constexpr std::uint16_t nothing = 0xFFFF;

  /// Chooses the fewer rows: those that are open, or those whose symbols before are not the most
  /// frequent ones.
  void choose() {
    std::uint64_t of[256] = {}, open = 0;
    for (std::uint64_t i = 0; i < left_.size(); ++i) {
      if (left_[i] != nothing) ++of[left_[i]];
      open += open_[i];
    }
    const auto frequent = std::max_element(of, of + 256);
    const bool by_left = left_.size() - *frequent < open;
    is_chosen_.resize(left_.size());
    chosen_.reserve(by_left ? left_.size() - *frequent : open);
    for (std::uint64_t i = 0; i < left_.size(); ++i) {
      is_chosen_[i] = by_left ? left_[i] != frequent - of : open_[i] != 0;
      if (is_chosen_[i] != 0) chosen_.push_back(i);
    }
  }
  std::uint16_t left_of(std::uint64_t p) const {
    return text_.text.segments.starts_at(p) ? nothing
                                            : static_cast<std::uint16_t>(text_.text.symbols[p - 1]);
  }
  template <class OnPair>
  void visit(std::uint64_t i, std::uint64_t j, std::uint32_t lcp, const OnPair& on_pair) const {
    if (left_[i] == left_[j] && left_[i] != nothing) return;
    if (open_[i] + open_[j] == 0) return;
    const bool at_start = left_[i] == nothing || left_[j] == nothing;
    if (!sides_[i].may_be_near(sides_[j], windows_, text_.text.symbols.bits, at_start)) return;
    on_pair(rows_[i], rows_[j], lcp);
  }

  const BothStrandsView& text_;
  const NearWindows& windows_;
  const Pos* rows_;
  const std::uint32_t* lcps_;
  std::vector<std::uint16_t> left_;  ///< the symbol before each row, or `nothing`
  std::vector<std::uint8_t> open_;   ///< whether windows around it may still be added to
  std::vector<NearSides> sides_;
  std::vector<std::uint8_t> is_chosen_;
  std::vector<std::uint64_t> chosen_;
};

}  // namespace

/// The near k-mers for one k.
template <class Pos>
class NearKmerBuilder<Pos>::Counter {
 public:
  Counter(const BothStrandsView& text, std::uint64_t k, FrequencyCodes& codes,
          const KmerMatching& matching, int threads, const RequireMemory& require)
      : text_(text),
        codes_(codes),
        windows_{static_cast<std::int64_t>(k), matching.mismatches},
        cap_(matching.cap),
        threads_(threads),
        require_(require),
        counts_(text, windows_, codes, cap_, threads),
        groups_(static_cast<std::uint64_t>(windows_.seed()), require) {}

  void add(const Pos* rows, const std::uint32_t* lcps, std::uint64_t count) {
    groups_.add(rows, lcps, count, threads_, on_group());
    take_large_groups();
    close_full(text_.half);
  }
  void finish() {
    groups_.finish(on_group());
    take_large_groups();
    write();
  }

 private:
  struct Group {
    std::vector<Pos> rows;
    std::vector<std::uint32_t> lcps;
  };

  auto on_group() {
    return [this](const Pos* rows, const std::uint32_t* lcps, std::uint64_t count) {
      if (count > large_group) {
        const std::lock_guard lock(mutex_);
        require(count * (sizeof(Pos) + sizeof(std::uint32_t)));
        large_groups_.push_back({{rows, rows + count}, {lcps, lcps + count}});
        return;
      }
      const GroupRows<Pos> group(text_, windows_, counts_, rows, lcps, count);
      for (std::uint64_t i = 0; i < group.chosen(); ++i)
        take_pairs(group, i);
      pairs_.fetch_add(group.chosen() * count, std::memory_order_relaxed);
    };
  }

  void take_large_groups() {
    for (const Group& large : large_groups_) {
      close_full(text_.half);
      const std::uint64_t size = large.rows.size();
      require(size * GroupRows<Pos>::bytes_per_row);
      const GroupRows<Pos> group(text_, windows_, counts_, large.rows.data(), large.lcps.data(),
                                 size);
      constexpr std::uint64_t at_once = 64;
      parallel_for(threads_, (group.chosen() + at_once - 1) / at_once,
                   [&](std::uint64_t part, int) {
                     const std::uint64_t end = std::min(group.chosen(), (part + 1) * at_once);
                     for (std::uint64_t i = part * at_once; i < end; ++i)
                       take_pairs(group, i);
                   });
      pairs_ += group.chosen() * size;
    }
    large_groups_.clear();
  }

  void require(std::uint64_t bytes) const {
    if (require_) require_(bytes);
  }
  /// Closes positions that have reached the cap, if there were more than `many` pairs since.
  void close_full(std::uint64_t many) {
    if (pairs_ <= many) return;
    pairs_ = 0;
    counts_.close_full();
  }

  void take_pairs(const GroupRows<Pos>& group, std::uint64_t i) {
    group.for_each_pair(
        i, [&](std::uint64_t p, std::uint64_t q, std::uint64_t lcp) { take_pair(p, q, lcp); });
  }
  void take_pair(std::uint64_t p, std::uint64_t q, std::uint64_t lcp) {
    if (lcp >= most_known) {
      const BoundedSuffix suffix(text_.text, p);
      lcp = suffix.common_prefix(text_.text.symbols, BoundedSuffix(text_.text, q), lcp,
                                 suffix.length);
    }
    add_near_windows(text_, windows_, counts_.open(), counts_.palindromes(), p, q, lcp,
                     [&](std::uint64_t begin, std::uint64_t end) { counts_.add(begin, end); });
  }

  void write() {
    const auto total = [&](std::uint64_t p, std::uint64_t near) {
      return std::min(codes_[p] + near, cap_);
    };
    // Room in the list is made before threads ask for it.
    std::atomic<std::uint64_t> large{0};
    if (cap_ >= FrequencyCodes::first_large) {
      counts_.for_each([&](std::uint64_t p, std::uint64_t near) {
        if (total(p, near) >= FrequencyCodes::first_large)
          large.fetch_add(1, std::memory_order_relaxed);
      });
      codes_.make_room(large);
    }
    counts_.for_each([&](std::uint64_t p, std::uint64_t near) {
      codes_.set(p, codes_.code_of(total(p, near)));
    });
  }

  BothStrandsView text_;
  FrequencyCodes& codes_;
  NearWindows windows_;
  std::uint64_t cap_;
  int threads_;
  RequireMemory require_;
  NearCounts counts_;
  RowGroups<Pos> groups_;
  std::vector<Group> large_groups_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> pairs_{0};  ///< since positions were closed, about
};

template <class Pos>
NearKmerBuilder<Pos>::NearKmerBuilder(const BothStrandsView& text,
                                      std::span<const std::uint64_t> lengths,
                                      std::span<const std::unique_ptr<FrequencyCodes>> codes,
                                      const KmerMatching& matching, int threads,
                                      const LcpArray& lcps, const RequireMemory& require)
    : prefixes_(text.text, most_known, threads, &lcps) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    counters_.push_back(
        std::make_unique<Counter>(text, lengths[i], *codes[i], matching, threads, require));
  }
}
template <class Pos>
NearKmerBuilder<Pos>::~NearKmerBuilder() = default;

template <class Pos>
void NearKmerBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  prefixes_.add(rows, count, [&](const Pos* some, const std::uint32_t* lcps, std::uint64_t size) {
    for (auto& counter : counters_)
      counter->add(some, lcps, size);
  });
}

template <class Pos>
void NearKmerBuilder<Pos>::finish() {
  for (auto& counter : counters_) {
    counter->finish();
    counter.reset();
  }
}

template class NearKmerBuilder<std::uint32_t>;
template class NearKmerBuilder<std::uint64_t>;

}  // namespace gsx

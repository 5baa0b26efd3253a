// Collects pairs that threads find in any order as lists per sequence, in bounded memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "search/sets/neighbors.hpp"

namespace gsx {

/// The lists of `rows` sequences. The first search counts the pairs of each row, and keeps them
/// while there is room. If there was not for all, others follow, which keep those of as many rows
/// as fit.
class NeighborLists {
 public:
  NeighborLists(std::uint64_t rows, int threads, std::uint64_t pair_bytes)
      : rows_(rows),
        threads_(threads),
        pair_bytes_(pair_bytes),
        left_(rows, "counts of neighbours"),
        found_(static_cast<std::size_t>(threads)) {}

  /// Bytes that it takes besides those of pairs.
  static std::uint64_t fixed_bytes(std::uint64_t rows) {
    return rows * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
  }

  /// Calls search(add), which calls add(thread, row, other) for each pair, in any order and the
  /// same ones each time; then gives `take` the lists. Throws ResourceError if the pairs of one row
  /// do not fit.
  template <class Search>
  void fill(const Search& search, const TakeNeighbors& take) {
    std::fill(left_.begin(), left_.end(), 0u);
    search([this](int thread, std::uint32_t row, std::uint32_t other) {
      add_to(left_[row], 1);
      keep(found_[static_cast<std::size_t>(thread)], row, other);
    });
    if (keeps_) return give_kept(take);
    found_ = {};
    for (std::uint64_t begin = 0; begin < rows_;) {
      const Rows rows = rows_from(begin);
      begin = rows.end;
      Buffer<std::uint32_t> others(rows.offsets.back(), "neighbours");
      search([&](int, std::uint32_t row, std::uint32_t other) {
        if (row < rows.begin || row >= rows.end) return;
        place(rows, row, other, others);
      });
      give(rows, others, take);
    }
  }

 private:
  using Found = std::vector<std::uint64_t>;  ///< row << 32 | other

  /// Pairs that threads add before they say so.
  static constexpr std::uint64_t told = 4096;
  /// Bytes of a pair that is kept: in a vector that grows, and then in a list.
  static constexpr std::uint64_t kept_bytes = 24;

  /// Rows [begin, end), and where the list of each begins.
  struct Rows {
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<std::uint64_t> offsets;
  };

  static std::uint32_t add_to(std::uint32_t& number, std::uint32_t more) {
    return std::atomic_ref(number).fetch_add(more, std::memory_order_relaxed);
  }

  void keep(Found& found, std::uint32_t row, std::uint32_t other) {
    if (!keeps_.load(std::memory_order_relaxed)) return;
    found.push_back(std::uint64_t{row} << 32 | other);
    if (found.size() % told != 0) return;
    const std::uint64_t all = pairs_.fetch_add(told, std::memory_order_relaxed) + told;
    if (all > pair_bytes_ / kept_bytes) keeps_ = false;
  }

  /// The rows from `begin` on whose lists fit, at least one.
  Rows rows_from(std::uint64_t begin) const {
    Rows rows{begin, begin, {0}};
    rows.offsets.reserve(rows_ - begin + 1);
    const std::uint64_t most = pair_bytes_ / sizeof(std::uint32_t);
    for (; rows.end < rows_; ++rows.end) {
      const std::uint64_t pairs = rows.offsets.back() + left_[rows.end];
      if (pairs > most && rows.end > begin) break;
      if (pairs > most) {
        throw ResourceError("too little memory: a sequence has " + std::to_string(pairs) +
                            " neighbours, and there is room for " + std::to_string(most));
      }
      rows.offsets.push_back(pairs);
    }
    return rows;
  }

  /// Puts a pair into its list, from the end of the list on.
  void place(const Rows& rows, std::uint32_t row, std::uint32_t other,
             Buffer<std::uint32_t>& others) {
    const std::uint32_t rest = add_to(left_[row], ~std::uint32_t{0}) - 1;
    others[rows.offsets[row - rows.begin] + rest] = other;
  }

  void give_kept(const TakeNeighbors& take) {
    std::uint64_t pairs = 0;
    for (const Found& found : found_)
      pairs += found.size();
    Rows rows{0, rows_, {0}};
    rows.offsets.reserve(rows_ + 1);
    for (std::uint64_t row = 0; row < rows_; ++row)
      rows.offsets.push_back(rows.offsets.back() + left_[row]);
    Buffer<std::uint32_t> others(pairs, "neighbours");
    parallel_for(threads_, found_.size(), [&](std::uint64_t f, int) {
      for (const std::uint64_t pair : found_[f])
        place(rows, static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair),
              others);
      found_[f] = {};
    });
    give(rows, others, take);
  }

  void give(const Rows& rows, Buffer<std::uint32_t>& others, const TakeNeighbors& take) const {
    constexpr std::uint64_t at_once = std::uint64_t{1} << 14;
    const std::uint64_t count = rows.end - rows.begin;
    parallel_for(threads_, (count + at_once - 1) / at_once, [&](std::uint64_t t, int) {
      for (std::uint64_t r = t * at_once; r < std::min(count, (t + 1) * at_once); ++r) {
        if (rows.offsets[r + 1] - rows.offsets[r] > 1)
          std::sort(others.data() + rows.offsets[r], others.data() + rows.offsets[r + 1]);
      }
    });
    take({rows.begin, rows.end, rows.offsets.data(), others.data()});
  }

  std::uint64_t rows_;
  int threads_;
  std::uint64_t pair_bytes_;
  Buffer<std::uint32_t> left_;  ///< of each row, pairs that are not in its list yet
  std::vector<Found> found_;    ///< by each thread
  std::atomic<std::uint64_t> pairs_{0};
  std::atomic<bool> keeps_{true};
};

}  // namespace gsx

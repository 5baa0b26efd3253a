// The FM-index as CPU threads search it: mapped at first, on huge pages once that pays.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "fm/fm_view.hpp"

namespace gsx {

/// A mapped index lies on small pages, and every rank from a large one then waits for the page
/// table as well as for the line. After as many symbols as make up for it, the rank blocks are
/// copied to huge pages (2.7 bits per symbol and level), by one thread while others go on
/// searching. Results are the same.
class HugePageFm {
 public:
  /// Rank blocks of less than `least_bytes` are left where they are: they need few pages. So are
  /// those of more than `most_bytes`.
  explicit HugePageFm(const FmView& mapped, std::uint64_t most_bytes = ~std::uint64_t{0},
                      std::uint64_t least_bytes = std::uint64_t{16} << 20);
  HugePageFm(const HugePageFm&) = delete;
  HugePageFm& operator=(const HugePageFm&) = delete;

  /// The index, for searching `symbols` more symbols, or as many steps of locate. May take the time
  /// of the copy; where there is no memory for one, none is made. Any number of threads may call.
  FmView view(std::uint64_t symbols) const;
  std::uint32_t sample_rate() const { return mapped_.sampling.rate(); }
  bool is_copied() const { return copied_.load(std::memory_order_acquire); }

 private:
  void copy() const;

  FmView mapped_;
  std::uint64_t worth_ = 0;  ///< symbols after which to copy; 0: never
  mutable std::atomic<std::uint64_t> searched_{0};
  mutable std::vector<Buffer<QuadBlock>> blocks_;
  mutable std::vector<Buffer<QuadSuperblock>> superblocks_;
  mutable FmView on_huge_pages_;
  mutable std::atomic<bool> copied_{false};
};

}  // namespace gsx

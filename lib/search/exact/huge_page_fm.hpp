// The FM-index that CPU threads search: mapped at first, on huge pages once that pays.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "index/fm/fm_view.hpp"

namespace gsx {

/// A mapped index is on small pages, so in a large one, a rank waits for the page table as well as
/// for the cache line. Once enough symbols have been searched to pay for it, one thread copies the
/// rank blocks to huge pages (2.7 bits per symbol and level) while the others go on searching.
/// Results are the same.
class HugePageFm {
 public:
  /// Bytes of ranks from which huge pages help.
  static constexpr std::uint64_t worth_copying = std::uint64_t{16} << 20;

  /// Does not copy rank blocks of less than `least_bytes`, which need few pages, or of more than
  /// `most_bytes`.
  explicit HugePageFm(const FmView& mapped, std::uint64_t most_bytes = ~std::uint64_t{0},
                      std::uint64_t least_bytes = worth_copying);
  HugePageFm(const HugePageFm&) = delete;
  HugePageFm& operator=(const HugePageFm&) = delete;

  /// The index to use for searching `symbols` more symbols, or as many steps of locate. The call
  /// may take the time of the copy; if memory is short, no copy is made. Any number of threads may
  /// call it.
  FmView view(std::uint64_t symbols) const;
  std::uint32_t sample_rate() const { return mapped_.sampling.rate(); }
  bool is_copied() const { return copied_.load(std::memory_order_acquire); }

 private:
  void copy() const;

  FmView mapped_;
  std::uint64_t worth_ = 0;  ///< symbols after which to copy; 0 means never
  mutable std::atomic<std::uint64_t> searched_{0};
  mutable std::vector<Buffer<QuadBlock>> blocks_;
  mutable std::vector<Buffer<QuadSuperblock>> superblocks_;
  mutable FmView on_huge_pages_;
  mutable std::atomic<bool> copied_{false};
};

}  // namespace gsx

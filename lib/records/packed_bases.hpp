// The symbols of a batch as bases with 2 bits each, for searches that need no more.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/cpu_path.hpp"
#include "base/packed.hpp"

namespace gsx {

/// Packs the symbols of a batch piece by piece, while each is in the cache: A C G T as 0 1 2 3, U
/// as T, in either case. Where it is switched off, it does nothing.
class PackedBases {
 public:
  /// Symbols that are packed together.
  static constexpr std::uint64_t group = 32;
  /// `count` equal symbols from number `begin` on, which are no bases.
  struct Foreign {
    std::uint64_t begin;
    std::uint32_t count;
    char symbol;
  };

  void keep(bool bases) { kept_ = bases; }
  bool are_kept() const { return kept_; }
  void clear() { shorten(0); }

  /// Packs what has come: `symbols` are those of the batch from number `first` on. The last few
  /// wait until their group is full. Cost: one pass over the new symbols, 32 per step, or 16
  /// without AVX2. Pre: first <= packed().
  void take(std::string_view symbols, std::uint64_t first, CpuPath path);
  /// Also packs the symbols that wait. More may come later.
  void finish(std::string_view symbols, std::uint64_t first, CpuPath path);
  /// How many symbols are packed for good.
  std::uint64_t packed() const { return packed_; }
  /// Forgets the symbols from number `size` on, and packed ones of its group: these must come
  /// again.
  void shorten(std::uint64_t size);

  /// All symbols, with 2 bits each; one that is no base reads as any of the four. Pre: finish() was
  /// the last call.
  PackedView view() const { return {bytes_.data(), size_, 2}; }
  /// The symbols that are no bases, in ascending order.
  std::span<const Foreign> foreign() const { return foreign_; }

 private:
  void add_foreign(std::uint64_t begin, std::uint32_t mask, const char* symbols);

  bool kept_ = false;
  std::uint64_t size_ = 0;           ///< symbols that finish() saw, or that are packed
  std::uint64_t packed_ = 0;         ///< symbols in whole groups
  std::vector<std::uint8_t> bytes_;  ///< of these, and what finish() adds
  std::vector<Foreign> foreign_;
};

}  // namespace gsx

// Tables of the keys of patterns, and the search of a text for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/mismatches/hit_collector.hpp"
#include "search/mismatches/key_layout.hpp"
#include "search/mismatches/key_view.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/seed_patterns.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Owns a table. Memory: 24 to 48 bits and 8 bytes per key, and up to 32 KB if it has a sieve.
struct KeyTable {
  KeyTable(std::uint32_t positions, bool is_reverse) : shape(positions), reverse(is_reverse) {}
  KeyTableView view() const {
    return {shape,         {sieve.data(), sieve_shift},
            first,         hash_shift,
            bits.data(),   ranks.data(),
            begins.data(), strands.data()};
  }

  KeyShape shape;
  bool reverse;
  std::uint32_t first = 0;
  std::uint32_t hash_shift = 0;
  std::uint32_t sieve_shift = 0;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> strands;
  std::vector<std::uint32_t> sieve;
};

/// All tables of the patterns that fit a layout, and what their places are compared with.
class KeyTables {
 public:
  /// Patterns that do not fit are left out. Keeps the patterns. Tables have a sieve only where
  /// `with_sieves`. Pre: fewer than 2^30 patterns; the layout's mismatches are those of the
  /// request.
  KeyTables(const SetPatterns& patterns, const MismatchRequest& request, const KeyLayout& layout,
            int threads, bool with_sieves = false);
  KeyTables(KeyTables&&) = default;  // views refer to what vectors hold, which stays where it is
  KeyTables& operator=(KeyTables&&) = default;

  std::span<const KeyTable> tables() const { return tables_; }
  std::span<const KeyStrand> strands() const { return strands_; }
  std::span<const std::uint32_t> numbers() const { return numbers_; }
  const SeedPatterns& patterns() const { return masks_; }
  KeysView view() const {
    return {views_.data(),
            strands_.data(),
            numbers_.data(),
            masks_.view(),
            static_cast<std::uint32_t>(views_.size()),
            window_,
            most_,
            window_bits_};
  }

  /// A strand that may have a place.
  struct Near {
    std::uint32_t place;
    std::uint32_t strand;
  };
  /// What a thread needs to search: places that are compared together, those of them whose keys
  /// are in a table, and the first of these that were not compared with all strands of their keys.
  /// Memory: 64 KB, however many strands have a key.
  struct Scratch {
    static constexpr std::size_t places = 2048, most_near = 4096;
    std::array<std::uint64_t, places> windows;
    std::array<std::uint32_t, places> hashes;
    std::array<std::uint32_t, places> found;
    std::size_t found_count = 0;
    std::size_t next = 0;           ///< of the places found
    std::uint32_t next_strand = 0;  ///< of its strands
    std::array<Near, most_near> near;
    std::size_t near_count = 0;
  };

  /// Adds the places of a text whose windows begin in [begin, end) to `counts`, and gives them to
  /// `hits` unless it is null. Cost: a nanosecond per symbol and table, and 5 per place with a key.
  void scan(const TextView& text, std::uint64_t begin, std::uint64_t end, CpuPath path,
            Scratch& scratch, MismatchCounts& counts, HitCollector* hits) const;

 private:
  std::uint32_t pattern_of(std::uint32_t strand) const { return numbers_[strand] >> 1; }
  bool is_reverse(std::uint32_t strand) const { return (numbers_[strand] & 1) != 0; }
  BaseSet set_at(std::uint32_t strand, std::uint32_t i) const;
  void add_strand(std::uint32_t pattern, bool reverse);
  std::vector<std::uint64_t> windows_of(std::uint32_t strand) const;
  std::size_t most_keys(const KeyTable& table) const;
  void fill(KeyTable& table, bool with_sieve) const;

  SetPatterns patterns_;
  std::uint32_t most_;
  std::uint32_t window_;
  std::uint64_t window_bits_;
  SeedPatterns masks_;  ///< whole patterns, to compare places with
  std::vector<KeyStrand> strands_;
  std::vector<std::uint32_t> numbers_;  ///< of their patterns, and the strand in the lowest bit
  std::vector<KeyTable> tables_;
  std::vector<KeyTableView> views_;
};

}  // namespace gsx

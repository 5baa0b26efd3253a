// Tables of the keys of patterns, and the search of a text for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/cpu_path.hpp"
#include "scan/hit_collector.hpp"
#include "scan/key_layout.hpp"
#include "scan/mismatches.hpp"
#include "scan/seed_patterns.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The strands of some patterns by their keys in one shape: the strands of a key are those of its
/// hash, [begins[rank], begins[rank + 1]) of `strands`, where rank is the number of smaller hashes
/// that there are. Memory: 24 to 48 bits and 8 bytes per key.
struct KeyTable {
  static constexpr std::uint32_t hash_factor = 0x9E3779B1;

  KeyTable(std::uint32_t positions, bool is_reverse) : shape(positions), reverse(is_reverse) {}

  KeyShape shape;
  bool reverse;
  std::uint32_t first = 0;  ///< the table of the first shape of this strand
  std::uint32_t hash_shift = 0;
  std::vector<std::uint64_t> bits;   ///< which hashes there are
  std::vector<std::uint32_t> ranks;  ///< of each word of `bits`
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> strands;

  std::uint32_t hash_of(std::uint32_t key) const { return key * hash_factor >> hash_shift; }
};

/// All tables of the patterns that fit a layout, and what their places are compared with.
class KeyTables {
 public:
  /// Patterns that do not fit are left out. Keeps the patterns and the text. Pre: fewer than 2^30
  /// patterns; the layout's mismatches are those of the request.
  KeyTables(const TextView& text, const SetPatterns& patterns, const MismatchRequest& request,
            const KeyLayout& layout, int threads);

  std::size_t tables() const { return tables_.size(); }

  /// One strand of a pattern, in the window.
  struct Strand {
    std::uint64_t code;  ///< of positions with one base
    std::uint64_t care;  ///< these positions, as bits 62 - 2i
  };
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

  /// Adds the places whose windows begin in [begin, end) to `counts`, and gives them to `hits`
  /// unless it is null. Cost: a nanosecond per symbol and table, and 5 per place with a key.
  void scan(std::uint64_t begin, std::uint64_t end, CpuPath path, Scratch& scratch,
            MismatchCounts& counts, HitCollector* hits) const;

 private:
  std::uint32_t pattern_of(std::uint32_t strand) const { return numbers_[strand] >> 1; }
  bool is_reverse(std::uint32_t strand) const { return (numbers_[strand] & 1) != 0; }
  BaseSet set_at(std::uint32_t strand, std::uint32_t i) const;
  void add_strand(std::uint32_t pattern, bool reverse);
  std::vector<std::uint64_t> windows_of(std::uint32_t strand) const;
  std::size_t most_keys(const KeyTable& table) const;
  void fill(KeyTable& table) const;
  std::uint64_t mismatches_in(std::uint32_t strand, std::uint64_t window) const;
  void take(std::uint64_t position, std::uint64_t window, std::uint32_t strand, std::size_t table,
            MismatchCounts& counts, HitCollector* hits) const;

  TextView text_;
  SetPatterns patterns_;
  std::uint32_t most_;
  std::uint32_t window_;
  std::uint64_t window_bits_;
  SeedPatterns masks_;  ///< whole patterns, to compare places with
  std::vector<Strand> strands_;
  std::vector<std::uint32_t> numbers_;  ///< of their patterns, and the strand in the lowest bit
  std::vector<KeyTable> tables_;
};

}  // namespace gsx

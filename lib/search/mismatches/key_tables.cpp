#include "search/mismatches/key_tables.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/compiled_for.hpp"
#include "base/parallel.hpp"
#include "search/mismatches/base_set.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t low_bits = StrandMasks::low_bits;

/// Bits per key in a table: most words that a text looks up are then empty.
constexpr std::uint32_t least_bits = 10, most_bits = 26, spare_bits = 4;

/// Bits per key in a sieve: few places pass that have no key, and a block of threads has room for
/// it.
constexpr std::uint32_t most_sieve_bits = 18, spare_sieve_bits = 6;

/// The windows of the places from `begin` on.
GSX_HD void load_windows(const PackedView& text, std::uint64_t begin, std::size_t places,
                         std::uint64_t* windows) {
  for (std::size_t i = 0; i < places; ++i)
    windows[i] = StrandMasks::symbols_at(text, begin + i);
}

/// The hashes of the keys of all windows, and the numbers of the places whose hashes are in the
/// table.
GSX_HD void find_hashes(const KeyTableView& table, std::size_t places,
                        KeyTables::Scratch& scratch) {
  const std::uint64_t* const windows = scratch.windows.data();
  std::uint32_t* const hashes = scratch.hashes.data();
  const KeyShape::Run first = table.shape.run(0);
  for (std::size_t i = 0; i < places; ++i)
    hashes[i] = static_cast<std::uint32_t>(windows[i] >> first.shift) & first.mask;
  for (std::uint32_t r = 1; r < table.shape.run_count(); ++r) {
    const KeyShape::Run run = table.shape.run(r);
    for (std::size_t i = 0; i < places; ++i)
      hashes[i] |= static_cast<std::uint32_t>(windows[i] >> run.shift) & run.mask;
  }
  const std::uint32_t shift = table.hash_shift;
  for (std::size_t i = 0; i < places; ++i)
    hashes[i] = KeyTableView::spread(hashes[i]) >> shift;
  const std::uint64_t* const bits = table.bits;
  std::uint32_t* const found = scratch.found.data();
  std::size_t count = 0;
  for (std::size_t i = 0; i < places; ++i) {
    found[count] = static_cast<std::uint32_t>(i);
    count += bits[hashes[i] >> 6] >> (hashes[i] & 63) & 1;
  }
  scratch.found_count = count;
  scratch.next = 0;
  scratch.next_strand = 0;
}

/// Sets scratch.near to the next strands with a key of a window and few mismatches in it, as many
/// as there is room for. Returns whether any are left.
GSX_HD bool find_near(const KeyTableView& table, const KeyStrand* strands, std::uint32_t most,
                      KeyTables::Scratch& scratch) {
  std::size_t count = 0;
  for (; scratch.next < scratch.found_count; ++scratch.next) {
    const std::uint32_t place = scratch.found[scratch.next], hash = scratch.hashes[place];
    const std::uint32_t rank = table.rank_of(hash);
    const std::uint64_t window = scratch.windows[place];
    const std::uint32_t begin = table.begins[rank] + scratch.next_strand;
    const auto room = static_cast<std::uint32_t>(KeyTables::Scratch::most_near - count);
    const std::uint32_t left = table.begins[rank + 1] - begin, some = left < room ? left : room;
    for (std::uint32_t k = begin; k < begin + some; ++k) {
      if (popcount64(strands[table.strands[k]].differing(window)) <= most)
        scratch.near[count++] = {place, table.strands[k]};
    }
    if (some < left) {
      scratch.next_strand += some;
      break;
    }
    scratch.next_strand = 0;
  }
  scratch.near_count = count;
  return scratch.next < scratch.found_count;
}

}  // namespace

KeyTables::KeyTables(const SetPatterns& patterns, const MismatchRequest& request,
                     const KeyLayout& layout, int threads, bool with_sieves)
    : patterns_(patterns),
      most_(request.mismatches),
      window_(layout.window),
      window_bits_(low_bits & ~(~std::uint64_t{0} >> 1 >> (2 * layout.window - 1))) {
  masks_.prepare(patterns, request.mismatches, 1);
  masks_.pack(patterns);
  for (std::uint32_t i = 0; i < patterns.size(); ++i) {
    if (masks_.entries()[i].length == 0 || !layout.fits(patterns[i])) continue;
    if (request.strands != Strands::reverse) add_strand(i, false);
    if (request.strands != Strands::forward) add_strand(i, true);
  }
  for (const bool reverse : {false, true}) {
    if (request.strands == (reverse ? Strands::forward : Strands::reverse)) continue;
    const auto first = static_cast<std::uint32_t>(tables_.size());
    for (const std::uint32_t shape : layout.shapes(reverse)) {
      tables_.emplace_back(shape, reverse);
      tables_.back().first = first;
    }
  }
  parallel_for(threads, tables_.size(),
               [&](std::uint64_t i, int) { fill(tables_[i], with_sieves); });
  for (const KeyTable& table : tables_)
    views_.push_back(table.view());
}

/// The set of position i of a strand's window.
BaseSet KeyTables::set_at(std::uint32_t strand, std::uint32_t i) const {
  const std::span<const BaseSet> pattern = patterns_[pattern_of(strand)];
  if (is_reverse(strand)) return complement_of(pattern[pattern.size() - 1 - i]);
  return pattern[pattern.size() - window_ + i];
}

void KeyTables::add_strand(std::uint32_t pattern, bool reverse) {
  const auto strand = static_cast<std::uint32_t>(strands_.size());
  numbers_.push_back(pattern << 1 | (reverse ? 1 : 0));
  KeyStrand added{0, 0};
  for (std::uint32_t i = 0; i < window_; ++i) {
    const BaseSet set = set_at(strand, i);
    if (!is_single(set)) continue;
    added.code |= std::uint64_t{code_of(set)} << (62 - 2 * i);
    added.care |= std::uint64_t{1} << (62 - 2 * i);
  }
  strands_.push_back(added);
}

/// The sequences that a strand's window stands for. Positions that match no base have code 0.
std::vector<std::uint64_t> KeyTables::windows_of(std::uint32_t strand) const {
  std::vector<std::uint64_t> windows{strands_[strand].code};
  for (std::uint32_t i = 0; i < window_; ++i) {
    if ((strands_[strand].care >> (62 - 2 * i) & 1) != 0) continue;
    const BaseSet set = set_at(strand, i);
    if (bases_of(set) == 0) continue;
    std::vector<std::uint64_t> more;
    for (std::uint64_t code = 0; code < 4; ++code) {
      if (!has_base(set, static_cast<std::uint32_t>(code))) continue;
      for (const std::uint64_t window : windows)
        more.push_back(window | code << (62 - 2 * i));
    }
    windows = std::move(more);
  }
  return windows;
}

/// How many sequences the strands of a table's direction stand for where it has its keys from.
std::size_t KeyTables::most_keys(const KeyTable& table) const {
  std::size_t keys = 0;
  for (std::uint32_t strand = 0; strand < strands_.size(); ++strand) {
    if (is_reverse(strand) != table.reverse) continue;
    const bool is_plain = (table.shape.window_bits() & ~strands_[strand].care) == 0;
    std::size_t variants = 1;
    for (std::uint32_t i = 0; i < window_ && !is_plain; ++i)
      variants *= std::max(1u, bases_of(set_at(strand, i)));
    keys += variants;
  }
  return keys;
}

/// Puts the keys of all strands of its direction into a table.
void KeyTables::fill(KeyTable& table, bool with_sieve) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;  // hash and strand; at first the key
  keys.reserve(most_keys(table));
  for (std::uint32_t strand = 0; strand < strands_.size(); ++strand) {
    if (is_reverse(strand) != table.reverse) continue;
    const std::uint64_t odd = table.shape.window_bits() & ~strands_[strand].care;
    if (odd == 0) {
      keys.emplace_back(table.shape.key_of(strands_[strand].code), strand);
      continue;
    }
    bool possible = true;
    for (std::uint32_t i = 0; i < window_; ++i)
      possible &= (odd >> (62 - 2 * i) & 1) == 0 || bases_of(set_at(strand, i)) != 0;
    if (!possible) continue;
    for (const std::uint64_t window : windows_of(strand))
      keys.emplace_back(table.shape.key_of(window), strand);
  }
  const auto key_bits = static_cast<std::uint32_t>(std::bit_width(keys.size()));
  if (with_sieve) {
    table.sieve_shift = 32 - std::clamp(key_bits + spare_sieve_bits, least_bits, most_sieve_bits);
    table.sieve.assign((std::size_t{1} << (32 - table.sieve_shift)) / 32, 0);
    for (const auto& key : keys) {
      const std::uint32_t hash = KeyTableView::spread(key.first) >> table.sieve_shift;
      table.sieve[hash / 32] |= std::uint32_t{1} << hash % 32;
    }
  }
  table.hash_shift = 32 - std::clamp(key_bits + spare_bits, least_bits, most_bits);
  for (auto& key : keys)
    key.first = KeyTableView::spread(key.first) >> table.hash_shift;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

  std::size_t hashes = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    hashes += i == 0 || keys[i - 1].first != keys[i].first ? 1 : 0;
  table.bits.assign((std::size_t{1} << (32 - table.hash_shift)) / 64, 0);
  table.begins.reserve(hashes + 1);
  table.strands.reserve(keys.size());
  table.ranks.reserve(table.bits.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t hash = keys[i].first;
    if (i == 0 || keys[i - 1].first != hash) table.begins.push_back(static_cast<std::uint32_t>(i));
    table.bits[hash >> 6] |= std::uint64_t{1} << (hash & 63);
    table.strands.push_back(keys[i].second);
  }
  table.begins.push_back(static_cast<std::uint32_t>(keys.size()));
  std::uint32_t rank = 0;
  for (const std::uint64_t word : table.bits) {
    table.ranks.push_back(rank);
    rank += static_cast<std::uint32_t>(std::popcount(word));
  }
}

void KeyTables::scan(const TextView& text, std::uint64_t begin, std::uint64_t end, CpuPath path,
                     Scratch& scratch, MismatchCounts& counts, HitCollector* hits) const {
  const auto load = compiled_for<load_windows>(path);
  const auto find = compiled_for<find_hashes>(path);
  const auto compare = compiled_for<find_near>(path);
  const KeysView keys = view();
  for (std::uint64_t at = begin; at < end; at += Scratch::places) {
    const auto places =
        static_cast<std::size_t>(std::min<std::uint64_t>(Scratch::places, end - at));
    load(text.symbols, at, places, scratch.windows.data());
    for (std::uint32_t t = 0; t < keys.table_count; ++t) {
      find(keys.tables[t], places, scratch);
      for (bool more = true; more;) {
        more = compare(keys.tables[t], keys.strands, most_, scratch);
        for (std::size_t i = 0; i < scratch.near_count; ++i) {
          const Near near = scratch.near[i];
          KeyPlace place{};
          if (!keys.find(text, at + near.place, scratch.windows[near.place], near.strand, t, place))
            continue;
          ++counts.of(place.pattern, place.reverse)[place.mismatches];
          if (hits != nullptr && hits->collects(place.pattern))
            hits->add(place.pattern, {place.start, place.reverse, place.mismatches});
        }
      }
    }
  }
}

}  // namespace gsx

#include "search/mismatches/key_layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "search/mismatches/base_set.hpp"

namespace gsx {
namespace {

/// How many times more places than in random text a key has in a genome.
constexpr double key_skew = 3;

/// More blocks than one of them per mismatch, and so many.
constexpr std::uint32_t most_spare_blocks = 4;

/// Positions at the end of a pattern that must match.
std::uint32_t strict_end(std::span<const BaseSet> pattern) {
  const auto last = std::find_if_not(pattern.rbegin(), pattern.rend(),
                                     [](BaseSet set) { return is_strict(set); });
  const auto count = static_cast<std::size_t>(last - pattern.rbegin());
  return static_cast<std::uint32_t>(std::min<std::size_t>(count, KeyLayout::most_window));
}

/// Calls take(window, variants) for each window that a pattern has, and the number of sequences
/// that it then stands for.
template <class Take>
void for_each_window(std::span<const BaseSet> pattern, const Take& take) {
  const std::size_t most = std::min<std::size_t>(pattern.size(), KeyLayout::most_window);
  std::uint32_t variants = 1;
  for (std::uint32_t window = 1; window <= most; ++window) {
    variants *= std::max(1u, bases_of(pattern[pattern.size() - window]));
    if (variants > KeyLayout::most_variants) return;
    take(window, variants);
  }
}

double choices(std::uint32_t from, std::uint32_t some) {
  double count = 1;
  for (std::uint32_t i = 0; i < some; ++i)
    count = count * (from - i) / (i + 1);
  return count;
}

/// The patterns that have a window of so many positions.
struct Fitting {
  std::uint64_t patterns = 0;
  std::uint64_t variants = 0;  ///< of all of them
  std::uint32_t strict = KeyLayout::most_window;
  double elsewhere = 0;  ///< what they would cost there
};

}  // namespace

KeyShape::KeyShape(std::uint32_t positions) {
  std::uint32_t behind = 0;  // bits of the key
  for (std::uint32_t end = 32; end > 0;) {
    if ((positions >> (end - 1) & 1) == 0) {
      --end;
      continue;
    }
    std::uint32_t begin = end;
    while (begin > 0 && (positions >> (begin - 1) & 1) != 0)
      --begin;
    const std::uint32_t bits = 2 * (end - begin);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    runs_[run_count_++] = {64 - 2 * end - behind, mask << behind};
    behind += bits;
    end = begin;
  }
  for (std::uint32_t i = 0; i < 32; ++i)
    if ((positions >> i & 1) != 0) window_bits_ |= std::uint64_t{1} << (62 - 2 * i);
}

bool KeyLayout::fits(std::span<const BaseSet> pattern) const {
  if (!can_be_asked(pattern, mismatches) || strict_end(pattern) < strict) return false;
  bool found = false;
  for_each_window(pattern, [&](std::uint32_t size, std::uint32_t) { found |= size == window; });
  return found;
}

SetPatternBuffer KeyLayout::unfit(const SetPatterns& patterns) const {
  SetPatternBuffer others;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    others.add(fits(patterns[i]) ? std::span<const BaseSet>() : patterns[i]);
  return others;
}

std::vector<std::uint32_t> KeyLayout::shapes(bool reverse) const {
  const std::uint32_t free = window - strict;
  const auto bits = [](std::uint32_t begin, std::uint32_t end) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << end) - (std::uint64_t{1} << begin));
  };
  const auto position = [&](std::uint32_t i) { return reverse ? window - 1 - i : i; };
  std::vector<std::uint32_t> shapes;
  for (std::uint32_t chosen = 0; chosen < 1u << blocks; ++chosen) {
    if (static_cast<std::uint32_t>(std::popcount(chosen)) != blocks - left_out) continue;
    std::uint32_t forward = bits(free, window);
    for (std::uint32_t block = 0; block < blocks; ++block) {
      if ((chosen >> block & 1) == 0) continue;
      forward |= bits(free * block / blocks, free * (block + 1) / blocks);
    }
    std::uint32_t shape = 0;
    for (std::uint32_t i = 0; i < window; ++i)
      if ((forward >> i & 1) != 0) shape |= 1u << position(i);
    shapes.push_back(shape);
  }
  return shapes;
}

std::optional<KeyLayout> choose_key_layout(const SetPatterns& patterns,
                                           const MismatchRequest& request, const KeyCosts& costs,
                                           std::uint64_t most_bytes) {
  std::array<Fitting, KeyLayout::most_window + 1> fitting;
  double all_elsewhere = 0;
  const auto add = [&fitting](std::uint32_t window, std::uint64_t count, std::uint64_t variants,
                              std::uint32_t strict, double elsewhere) {
    Fitting& those = fitting[window];
    those.patterns += count;
    those.variants += variants;
    those.strict = std::min(those.strict, strict);
    those.elsewhere += elsewhere;
  };
  std::uint64_t long_ones = 0;  // plain patterns that have all windows
  double long_elsewhere = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::span<const BaseSet> pattern = patterns[i];
    if (!can_be_asked(pattern, request.mismatches)) continue;
    const double elsewhere = costs.others(pattern, request.mismatches);
    all_elsewhere += elsewhere;
    if (pattern.size() >= KeyLayout::most_window && patterns.is_plain(i)) {
      ++long_ones;
      long_elsewhere += elsewhere;
      continue;
    }
    const std::uint32_t strict = strict_end(pattern);
    for_each_window(pattern, [&](std::uint32_t window, std::uint32_t variants) {
      add(window, 1, variants, strict, elsewhere);
    });
  }
  for (std::uint32_t window = 1; long_ones > 0 && window <= KeyLayout::most_window; ++window)
    add(window, long_ones, long_ones, 0, long_elsewhere);
  const double strands = request.strands == Strands::both ? 2 : 1;
  std::optional<KeyLayout> best;
  for (std::uint32_t window = 1; window <= KeyLayout::most_window; ++window) {
    const Fitting& those = fitting[window];
    if (those.patterns == 0) continue;
    const std::uint32_t strict = std::min(those.strict, window);
    for (std::uint32_t spare = 1; spare <= most_spare_blocks; ++spare) {
      const std::uint32_t left_out = strict == window ? 0 : request.mismatches;
      KeyLayout layout{window, strict, left_out + spare, left_out, request.mismatches};
      if (layout.blocks > std::min(KeyLayout::most_blocks, std::max(1u, window - strict))) break;
      const double tables = choices(layout.blocks, left_out);
      if (tables > KeyLayout::most_shapes) break;
      const auto variants = static_cast<double>(those.variants);
      layout.bytes = static_cast<std::uint64_t>(strands * tables) *
                     (those.variants * costs.key_bytes + KeyLayout::table_bytes);
      if (layout.bytes > most_bytes) break;
      double symbol_cost = tables * costs.lookup;
      bool possible = true;
      for (const std::uint32_t shape : layout.shapes(false)) {
        const auto bases = static_cast<std::uint32_t>(std::popcount(shape));
        possible &= bases > 0 && bases <= KeyShape::most_bases;
        const double places = key_skew * std::ldexp(variants, -2 * static_cast<int>(bases));
        symbol_cost += places * costs.place;
      }
      if (!possible) continue;
      layout.symbol_cost = strands * (symbol_cost + all_elsewhere - those.elsewhere);
      layout.pattern_cost = strands * tables * variants * costs.key;
      if (!best || layout.symbol_cost < best->symbol_cost) best = layout;
    }
  }
  return best;
}

std::size_t end_of_key_group(const SetPatterns& patterns, std::size_t first,
                             const MismatchRequest& request, const GroupLimits& limits,
                             const KeyCosts& costs, std::uint64_t most_bytes) {
  std::size_t end = end_of_group(patterns, first, request, limits);
  while (end - first > 1) {
    const auto layout = choose_key_layout(patterns.some(first, end), request, costs);
    if (!layout || layout->bytes <= most_bytes) break;
    const double share = static_cast<double>(most_bytes) / static_cast<double>(layout->bytes);
    const auto fitting = static_cast<std::size_t>(static_cast<double>(end - first) * share);
    end = first + std::clamp<std::size_t>(fitting, 1, end - first - 1);
  }
  return end;
}

}  // namespace gsx

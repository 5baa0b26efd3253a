#include "index/sa/phrases/repeated_share.hpp"

#include <algorithm>

#include "index/sa/ranks/syncmer_rule.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

template <class Pos>
double repeated_share(const TextView& text, std::uint64_t size, const std::vector<Pos>& sample) {
  const std::uint64_t expected = size >> sa_tuning::sample_bits;
  if (expected < sa_tuning::least_sample) return 0;
  if (sample.size() < expected / 4 || sample.size() > expected * 4) return 1;
  const PackedView& symbols = text.symbols;
  const std::uint64_t depth = SyncmerRule(text).depth();
  const std::uint64_t at_once = PackedView::max_bits / symbols.bits;
  constexpr std::uint64_t ahead = sa_tuning::keys_ahead;
  std::vector<std::uint64_t> hashes;
  hashes.reserve(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (i + ahead < sample.size())
      __builtin_prefetch(symbols.bytes + (sample[i + ahead] * symbols.bits >> 3));
    std::uint64_t p = sample[i];
    // A suffix that ends earlier is none that is hard to sort.
    const std::uint64_t stop = p + depth;
    if (stop > text.segments.separator_from(p)) continue;
    std::uint64_t hash = 0;
    for (; p < stop; p += at_once) {
      const std::uint64_t count = std::min(at_once, stop - p);
      hash = (hash ^ symbols.window(p) >> (64 - count * symbols.bits)) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    hashes.push_back(hash);
  }
  const std::size_t found = hashes.size();
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return static_cast<double>(found - hashes.size()) / static_cast<double>(sample.size());
}

template double repeated_share(const TextView&, std::uint64_t, const std::vector<std::uint32_t>&);
template double repeated_share(const TextView&, std::uint64_t, const std::vector<std::uint64_t>&);

}  // namespace gsx

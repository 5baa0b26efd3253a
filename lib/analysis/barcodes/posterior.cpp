#include "analysis/barcodes/posterior.hpp"

#include <algorithm>
#include <iterator>

namespace gsx {
namespace {

__extension__ using Wide = unsigned __int128;

/// 10^(12 - quality / 10), rounded down from 10 on.
std::uint64_t part_of(std::uint32_t quality) {
  constexpr std::uint64_t parts[] = {
      1'000'000'000'000, 794'328'234'724, 630'957'344'480, 501'187'233'627, 398'107'170'553,
      316'227'766'017,   251'188'643'151, 199'526'231'497, 158'489'319'246, 125'892'541'179};
  if (quality > 120) return 0;
  std::uint64_t part = parts[quality % 10];
  for (std::uint32_t tens = quality / 10; tens > 0; --tens)
    part /= 10;
  return part;
}

}  // namespace

std::optional<std::uint32_t> likeliest(std::span<const Candidate> candidates,
                                       Confidence confidence) {
  std::uint32_t lowest = ~std::uint32_t{0};
  for (const Candidate& candidate : candidates)
    if (candidate.count != 0) lowest = std::min(lowest, candidate.quality);
  // Below 2^64 * 10^12 * 10^6 < 2^124.
  Wide all = 0, most = 0;
  bool tied = false;
  std::uint32_t entry = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.count == 0) continue;
    const Wide weight = static_cast<Wide>(candidate.count) * part_of(candidate.quality - lowest);
    all += weight;
    if (weight < most || weight == 0) continue;
    tied = weight == most;
    most = weight;
    entry = candidate.entry;
  }
  if (most == 0 || tied || most * Confidence::all < all * confidence.millionths)
    return std::nullopt;
  return entry;
}

std::optional<std::uint64_t> NearestEntries::place_of(std::uint32_t sequence) const {
  const auto found = std::ranges::lower_bound(sequences, sequence);
  if (found == sequences.end() || *found != sequence) return std::nullopt;
  return static_cast<std::uint64_t>(found - sequences.begin());
}

void NearestEntries::add(std::uint32_t sequence, std::span<const std::uint32_t> nearest) {
  sequences.push_back(sequence);
  entries.insert(entries.end(), nearest.begin(), nearest.end());
  ends.push_back(entries.size());
}

void NearestEntries::append(const NearestEntries& later) {
  const std::uint64_t before = entries.size();
  sequences.insert(sequences.end(), later.sequences.begin(), later.sequences.end());
  entries.insert(entries.end(), later.entries.begin(), later.entries.end());
  std::ranges::transform(later.ends, std::back_inserter(ends),
                         [&](std::uint64_t end) { return before + end; });
}

std::uint32_t quality_of_errors(const SequenceSet& set, std::uint32_t i,
                                const SequenceSet& whitelist, std::uint32_t entry,
                                std::string_view qualities) {
  const SequenceShape shape = set.shape();
  const std::uint64_t *const own = set.key(i), *const other = whitelist.key(entry);
  const std::uint64_t mask = (std::uint64_t{1} << shape.bits) - 1;
  std::uint32_t sum = 0;
  for (std::uint32_t s = 0; s < shape.length; ++s) {
    const std::uint32_t word = shape.word_of(s);
    if (((own[word] ^ other[word]) >> shape.shift_of(s) & mask) != 0)
      sum += static_cast<unsigned char>(qualities[s]);
  }
  return sum;
}

}  // namespace gsx

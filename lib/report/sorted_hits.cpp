#include "report/sorted_hits.hpp"

#include <string_view>

namespace gsx {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10;

/// A batch has fewer queries than 2^query_bits.
constexpr unsigned query_bits = 32;

}  // namespace

SortedHits::SortedHits(LineSorter::Collector& collector)
    : collector_(collector), lines_(piece_bytes, [this](std::string& text) { take(text); }) {}

void SortedHits::begin(std::uint64_t batch, const HitChunk& chunk) {
  batch_ = batch;
  chunk_ = chunk;
  hit_ = 0;
  pattern_ = 0;
}

/// Names contain no line ends, so each line is one hit.
void SortedHits::take(std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    while (hit_ >= chunk_.ends[pattern_])
      ++pattern_;
    const Hit hit = chunk_.hits[hit_++];
    collector_.add({hit.position() << 1 | (hit.is_reverse() ? 1 : 0),
                    batch_ << query_bits | (chunk_.first + pattern_)},
                   line);
  }
  text.clear();
}

}  // namespace gsx

#include "search/exact/text_scan.hpp"

#include <algorithm>

#include "text/alphabet.hpp"

namespace gsx {

TextScan::TextScan(const TextView& text, std::span<const std::uint8_t> pattern, bool forward,
                   bool reverse)
    : text_(text),
      length_(pattern.size()),
      word_symbols_(
          std::min<std::uint64_t>(PackedView::max_bits / text.symbols.bits, pattern.size())) {
  if (forward) forward_ = pack(pattern, false);
  if (reverse) reverse_ = pack(pattern, true);
}

TextScan::Words TextScan::pack(std::span<const std::uint8_t> pattern, bool complement) const {
  Words words;
  for (std::uint64_t i = 0; i < length_; ++i) {
    if (i % word_symbols_ == 0) words.push_back(0);
    const std::uint8_t code = complement ? gsx::complement(pattern[length_ - 1 - i]) : pattern[i];
    words.back() = words.back() << text_.symbols.bits | code;
  }
  return words;
}

/// Compares the words after the first. Pre: the first word matches.
bool TextScan::matches_at(std::uint64_t position, const Words& strand) const {
  for (std::uint64_t i = 1; i < strand.size(); ++i) {
    const std::uint64_t done = i * word_symbols_;
    const std::uint64_t symbols = std::min(word_symbols_, length_ - done);
    const std::uint64_t word =
        text_.symbols.window(position + done) >> (64 - symbols * text_.symbols.bits);
    if (word != strand[i]) return false;
  }
  return true;
}

bool TextScan::next(std::vector<Hit>& hits, std::size_t most) {
  const std::uint64_t shift = 64 - word_symbols_ * text_.symbols.bits;
  // No window has this value.
  const std::uint64_t forward = forward_.empty() ? ~std::uint64_t{0} : forward_.front();
  const std::uint64_t reverse = reverse_.empty() ? ~std::uint64_t{0} : reverse_.front();
  const SegmentsView& segments = text_.segments;
  for (; segment_ < segments.count; ++segment_) {
    const std::uint64_t end = segments.starts[segment_ + 1] - 1;  // the separator
    position_ = std::max(position_, segments.starts[segment_]);
    for (; position_ + length_ <= end; ++position_) {
      const std::uint64_t word = text_.symbols.window(position_) >> shift;
      if (word != forward && word != reverse) [[likely]]
        continue;
      if (hits.size() >= most) return true;
      if (word == forward && matches_at(position_, forward_)) hits.emplace_back(position_, false);
      if (word == reverse && matches_at(position_, reverse_)) hits.emplace_back(position_, true);
    }
  }
  return false;
}

std::uint64_t TextScan::cost(const TextView& text, std::uint64_t pattern_length) {
  const std::uint64_t word_symbols = PackedView::max_bits / text.symbols.bits;
  return text.length() * (1 + pattern_length / word_symbols);
}

}  // namespace gsx

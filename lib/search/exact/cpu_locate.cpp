#include "search/exact/cpu_locate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/hits.hpp"
#include "search/exact/index_fault.hpp"
#include "text/alphabet.hpp"
#include "text/text_view.hpp"

namespace gsx {
namespace {

/// Reads the text once and gives the hits of a pattern in output order, so that they need not be
/// sorted or held, however many there are.
class TextScan {
 public:
  /// Searches the pattern as given if `forward`, and its reverse complement if `reverse`. Pre: the
  /// pattern is not empty, and its codes are below text.sigma.
  TextScan(const TextView& text, std::span<const std::uint8_t> pattern, bool forward, bool reverse);

  /// Appends the next hits until there are `most` in `hits`, or one more; false if the text has no
  /// more. Cost: about a nanosecond per position; where the first word matches, another per 28
  /// bases of the pattern.
  bool next(std::vector<Hit>& hits, std::size_t most);

  /// An upper estimate of the cost of a whole scan, in positions read.
  static std::uint64_t cost(const TextView& text, std::uint64_t pattern_length);

 private:
  /// A strand of the pattern, packed in words to compare with windows of the text.
  using Words = std::vector<std::uint64_t>;
  Words pack(std::span<const std::uint8_t> pattern, bool complement) const;
  bool matches_at(std::uint64_t position, const Words& strand) const;

  TextView text_;
  std::uint64_t length_;        ///< of the pattern
  std::uint64_t word_symbols_;  ///< symbols per word; the last word may have fewer
  std::uint64_t segment_ = 0;
  std::uint64_t position_ = 0;  ///< the next position to compare
  Words forward_;               ///< empty if this strand is not searched
  Words reverse_;
};

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

/// Rows located per call: many times those in flight, and few enough for the L1 cache.
constexpr std::size_t rows_at_once = 2048;

/// Most hits of several patterns that share a chunk.
constexpr std::uint64_t largest_group = std::uint64_t{1} << 16;

/// Cost of a step of locate, in positions that a scan reads. A pattern with fewer hits than
/// `least_scanned` is not worth the start of a scan, however short the text.
constexpr std::uint64_t step_cost = 6;
constexpr std::uint64_t least_scanned = 4096;

}  // namespace

template <class Pos>
CpuLocate<Pos>::CpuLocate(const HugePageFm& index, const TextView& text, CpuPath path,
                          const SearchMemory& memory, std::uint64_t max_hits, const HitSink& sink)
    : index_(index),
      text_(text),
      loops_(search_loops<Pos>(path)),
      most_(std::max<std::uint64_t>(1, memory.hits_at_once)),
      group_(std::min(most_, largest_group)),
      max_hits_(max_hits),
      sink_(sink) {}

template <class Pos>
void CpuLocate<Pos>::run(const Patterns& patterns, std::size_t first, const FoundRows<Pos>& found) {
  std::size_t begin = 0;
  std::uint64_t hits = 0;
  const auto give_before = [&](std::size_t end) {
    give_group({found, begin, end, first});
    begin = end;
    hits = 0;
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const StrandCounts counts = found.counts(i);
    const std::uint64_t own = std::min(max_hits_, counts.total());
    const bool scanned = found.are_exact() && is_scanned(counts, patterns[first + i].size());
    if (!scanned && own <= most_) {
      if (hits > 0 && hits + own > group_) give_before(i);
      hits += own;
      continue;
    }
    give_before(i);
    if (scanned) {
      give_scanned(patterns[first + i], first + i, counts);
    } else {
      give_in_ranges({found, i, i + 1, first});
    }
    begin = i + 1;
  }
  give_before(found.size());
}

template <class Pos>
bool CpuLocate<Pos>::is_scanned(const StrandCounts& counts, std::uint64_t pattern_length) const {
  const std::uint64_t hits = counts.total();
  if (hits > max_hits_ || (hits < least_scanned && hits <= most_)) return false;
  // In floating point: at large sampling rates, the product exceeds 64 bits.
  const std::uint64_t rounds = hits <= most_ ? 1 : 2 + hits / most_;
  const auto times = static_cast<double>(rounds);
  const double located = static_cast<double>(hits) * static_cast<double>(index_.sample_rate()) *
                         static_cast<double>(step_cost) * times;
  return static_cast<double>(TextScan::cost(text_, pattern_length)) < located;
}

/// Calls take(k, hit) for each reported hit, the k-th of the part: pattern by pattern, those of the
/// forward strand first, in suffix order. The calls are in another order. Rows of consecutive
/// patterns share a block, so that it is full even if each pattern has few.
template <class Pos>
template <class Take>
void CpuLocate<Pos>::for_each_hit(const Part& part, const Take& take) {
  std::uint64_t total = 0;
  for (std::size_t i = part.begin; i < part.end; ++i)
    total += reported(part.found, i);
  const FmView fm = index_.view(total * index_.sample_rate());
  struct Place {
    std::uint64_t hit;
    bool reverse;
  };
  std::array<Pos, rows_at_once> block;
  std::array<Place, rows_at_once> places;
  std::array<std::uint64_t, rows_at_once> positions;
  std::size_t filled = 0;
  std::uint64_t next = 0;
  const auto locate_block = [&] {
    loops_.locate(fm, block.data(), positions.data(), filled);
    for (std::size_t k = 0; k < filled; ++k)
      take(places[k].hit, Hit(positions[k], places[k].reverse));
    filled = 0;
  };
  for (std::size_t i = part.begin; i < part.end; ++i) {
    std::uint64_t left = max_hits_;
    for (const bool reverse : {false, true}) {
      for (const Found<Pos>& rows : part.found.of(i, reverse)) {
        const std::uint64_t count = std::min<std::uint64_t>(left, rows.count);
        left -= count;
        if (rows.located) {
          if (count > 0) take(next++, Hit(rows.first, reverse));
          continue;
        }
        for (std::uint64_t k = 0; k < count; ++k) {
          block[filled] = static_cast<Pos>(rows.first + k);
          places[filled] = {next++, reverse};
          if (++filled == rows_at_once) locate_block();
        }
      }
    }
  }
  locate_block();
}

template <class Pos>
void CpuLocate<Pos>::give_group(const Part& group) {
  if (group.begin == group.end) return;
  counts_.clear();
  ends_.clear();
  std::uint64_t total = 0;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    counts_.push_back(group.found.counts(i));
    total += std::min(max_hits_, counts_.back().total());
    ends_.push_back(total);
  }
  hits_.resize(total);
  for_each_hit(group, [this](std::uint64_t k, const Hit& hit) { hits_[k] = hit; });
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends_) {
    std::sort(hits_.begin() + static_cast<std::ptrdiff_t>(begin),
              hits_.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  sink_({group.first + group.begin, 0, max_hits_, counts_, ends_, hits_});
}

template <class Pos>
void CpuLocate<Pos>::give_part(std::size_t number, const StrandCounts& counts,
                               std::uint64_t before) {
  const std::span<const Hit> hits(hits_);
  for (std::uint64_t begin = 0, size = 0; begin < hits.size(); begin += size) {
    size = std::min(most_, hits.size() - begin);
    sink_({number, before + begin, max_hits_, {&counts, 1}, {&size, 1}, hits.subspan(begin, size)});
  }
  hits_.clear();
}

template <class Pos>
void CpuLocate<Pos>::give_scanned(std::span<const std::uint8_t> pattern, std::size_t number,
                                  const StrandCounts& counts) {
  const std::uint64_t most =
      std::max<std::uint64_t>(1, group_ - 1);  // a scan may return one hit more
  TextScan scan(text_, pattern, counts.forward > 0, counts.reverse > 0);
  hits_.clear();
  hits_.reserve(most + 1);
  std::uint64_t given = 0;
  for (bool more = true; more;) {
    more = scan.next(hits_, most);
    const std::uint64_t some = hits_.size();
    // The interval and the text disagree on the number of hits.
    if (given + some > counts.total() || (!more && given + some < counts.total()))
      throw_index_fault();
    if (some > 0) give_part(number, counts, given);
    given += some;
  }
}

template <class Pos>
void CpuLocate<Pos>::give_in_ranges(const Part& one) {
  const StrandCounts counts = one.found.counts(one.begin);
  // So narrow that the hits of any one bucket, of both strands, fit into memory.
  unsigned shift = 0;
  while (std::uint64_t{4} << shift <= most_)
    ++shift;
  std::vector<std::uint64_t> buckets((text_.length() >> shift) + 1);
  for_each_hit(one, [&](std::uint64_t, const Hit& hit) { ++buckets[hit.position() >> shift]; });
  hits_.clear();
  std::uint64_t given = 0;
  for (std::size_t begin = 0, end = 0; begin < buckets.size(); begin = end) {
    std::uint64_t held = 0;
    while (end < buckets.size() && (end == begin || held + buckets[end] <= most_))
      held += buckets[end++];
    if (held == 0) continue;
    hits_.reserve(held);
    for_each_hit(one, [&](std::uint64_t, const Hit& hit) {
      const std::uint64_t bucket = hit.position() >> shift;
      if (bucket >= begin && bucket < end) hits_.push_back(hit);
    });
    std::sort(hits_.begin(), hits_.end());
    give_part(one.first + one.begin, counts, given);
    given += held;
  }
}

template class CpuLocate<std::uint32_t>;
template class CpuLocate<std::uint64_t>;

}  // namespace gsx

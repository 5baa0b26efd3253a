#include "search/mismatches/seed_patterns.hpp"

#include <algorithm>

#include "base/base_packing.hpp"

namespace gsx {
namespace {

/// A piece need not be longer to be rare.
constexpr std::uint64_t longest_piece = std::uint64_t{1} << 30;

/// Adds the masks of a strand of `length` sets. Pre: get(i) is the set of position i.
template <class Get>
void add_sets(std::uint64_t length, const Get& get, std::vector<std::uint64_t>& words) {
  for (std::uint64_t first = 0; first < length; first += StrandMasks::positions) {
    std::uint64_t masks[StrandMasks::set_words] = {};
    for (std::uint32_t i = 0; i < StrandMasks::positions; ++i) {
      const unsigned set = first + i < length ? get(first + i) : base_sets::any;
      for (std::uint32_t k = 0; k < StrandMasks::set_words; ++k)
        masks[k] = masks[k] << 2 | (set >> k & 1);
    }
    masks[1] ^= masks[0];
    masks[3] ^= masks[2];
    words.insert(words.end(), std::begin(masks), std::end(masks));
  }
}

}  // namespace

bool SeedCutter::cut(std::span<const BaseSet> pattern, std::uint32_t mismatches,
                     std::vector<SeedPiece>& pieces) {
  pieces.clear();
  runs_.clear();
  std::uint64_t certain = 0;  // mismatches
  std::uint64_t begin = 0;
  const auto end_run = [&](std::uint64_t end) {
    if (end > begin) runs_.push_back({begin, end});
  };
  for (std::uint64_t i = is_plain(pattern) ? pattern.size() : 0; i < pattern.size(); ++i) {
    if (is_single(pattern[i])) [[likely]]
      continue;
    if (bases_of(pattern[i]) == 0) ++certain;
    end_run(i);
    begin = i + 1;
  }
  end_run(pattern.size());
  if (certain > mismatches) return true;
  const std::uint64_t needed = mismatches - certain + 1;
  std::uint64_t singles = 0;
  for (const Run& run : runs_)
    singles += run.end - run.begin;
  const auto fit = [&](std::uint64_t shortest) {
    std::uint64_t some = 0;
    for (const Run& run : runs_)
      some += (run.end - run.begin) / shortest;
    return some;
  };
  const std::uint64_t longest = singles / needed;
  std::uint64_t shortest = runs_.size() == 1 ? longest : 0, too_long = longest + 1;
  while (shortest + 1 < too_long) {
    const std::uint64_t middle = (shortest + too_long) / 2;
    (fit(middle) < needed ? too_long : shortest) = middle;
  }
  if (shortest == 0) return false;
  std::uint64_t left = needed;
  for (const Run& run : runs_) {
    const std::uint64_t own = run.end - run.begin;
    const std::uint64_t parts = std::min(left, own / shortest);
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t from = own * part / parts, to = own * (part + 1) / parts;
      const auto length = static_cast<std::uint32_t>(std::min(to - from, longest_piece));
      pieces.push_back({run.begin + from, length, 0});
    }
    left -= parts;
  }
  return true;
}

/// Cuts a pattern into own_.
SeedWay SeedPatterns::cut(std::span<const BaseSet> pattern, std::uint32_t mismatches,
                          std::uint32_t least_length) {
  own_.clear();
  if (!can_be_asked(pattern, mismatches)) return SeedWay::nowhere;
  const auto is_short = [&](const SeedPiece& piece) { return piece.length < least_length; };
  if (!cutter_.cut(pattern, mismatches, own_) || std::any_of(own_.begin(), own_.end(), is_short)) {
    own_.clear();
    return SeedWay::scan;
  }
  return own_.empty() ? SeedWay::nowhere : SeedWay::pieces;
}

void SeedPatterns::prepare(const SetPatterns& patterns, std::uint32_t mismatches,
                           std::uint32_t least_length) {
  entries_.clear();
  pieces_.clear();
  words_.clear();
  std::uint64_t plain_words = 0;
  SeedWay way = SeedWay::nowhere;
  std::uint64_t cut_length = 0;  // of the plain pattern that own_ is of, or 0
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::span<const BaseSet> pattern = patterns[i];
    const bool plain = patterns.is_plain(i);
    if (!plain || cut_length == 0 || pattern.size() != cut_length) {
      way = cut(pattern, mismatches, least_length);
      cut_length = plain ? pattern.size() : 0;
    }
    const auto first = static_cast<std::uint32_t>(pieces_.size());
    for (SeedPiece piece : own_) {
      piece.pattern = static_cast<std::uint32_t>(i);
      pieces_.push_back(piece);
    }
    const std::uint64_t length = way == SeedWay::nowhere ? 0 : pattern.size();
    const bool has_sets = !plain && length > 0;
    entries_.push_back({patterns.begin_of(i) - patterns.begin, length,
                        has_sets ? words_.size() : plain_words, first,
                        static_cast<std::uint32_t>(pieces_.size()), way, has_sets});
    if (has_sets) {
      const auto complement = [&](std::uint64_t k) {
        return complement_of(pattern[length - 1 - k]);
      };
      add_sets(
          length, [&](std::uint64_t k) { return pattern[k]; }, words_);
      add_sets(length, complement, words_);
    } else {
      plain_words += 2 * StrandMasks::words_for(length, false);
    }
  }
  all_words_ = words_.size() + plain_words;
  if (words_.empty()) return;
  for (SeedEntry& entry : entries_)
    entry.first_word += entry.has_sets ? 0 : words_.size();
}

void SeedPatterns::pack(const SetPatterns& patterns) {
  const auto sets = patterns.sets.subspan(patterns.begin, patterns.symbols());
  codes_.resize(sets.size());
  std::transform(sets.begin(), sets.end(), codes_.begin(),
                 [](BaseSet set) { return code_of(set); });
  packed_.resize(packed_bases_bytes(sets.size()) + PackedView::slack);
  pack_bases(codes_, packed_.data(), [](std::size_t) {});
  const PackedView symbols{packed_.data(), sets.size(), 2};
  words_.resize(all_words_);
  piece_codes_.clear();
  piece_ends_.clear();
  for (const SeedEntry& entry : entries_) {
    const std::uint64_t count = StrandMasks::words_for(entry.length, false);
    for (std::uint64_t word = 0; word < count && !entry.has_sets; ++word) {
      words_[entry.first_word + word] = strand_word(symbols, entry, false, word);
      words_[entry.first_word + count + word] = strand_word(symbols, entry, true, word);
    }
    for (std::uint32_t piece = entry.first_piece; piece < entry.last_piece; ++piece) {
      const auto own =
          std::span(codes_).subspan(entry.begin + pieces_[piece].begin, pieces_[piece].length);
      piece_codes_.insert(piece_codes_.end(), own.begin(), own.end());
      piece_ends_.push_back(piece_codes_.size());
    }
  }
}

}  // namespace gsx

#include "search/mismatches/seed_patterns.hpp"

#include <algorithm>

#include "base/base_packing.hpp"
#include "index/fm/pattern_view.hpp"

namespace gsx {
namespace {

/// A piece need not be longer to be rare.
constexpr std::uint64_t longest_piece = std::uint64_t{1} << 30;

/// Writes words of one base per position.
void store_codes(std::span<const std::uint8_t> codes, std::uint64_t* words) {
  pack_bases(codes, reinterpret_cast<std::uint8_t*>(words), [](std::size_t) {});
  const std::uint64_t count = StrandMasks::words_for(codes.size(), false);
  for (std::uint64_t word = 0; word < count; ++word)
    words[word] = load_big_endian64(reinterpret_cast<const std::uint8_t*>(words + word));
}

/// Writes the words of the reverse complement of a strand. Pre: both have one base per position,
/// and other memory.
void store_complement(const std::uint64_t* words, std::uint64_t length, std::uint64_t* complement) {
  const std::uint64_t count = StrandMasks::words_for(length, false);
  const auto unused = static_cast<std::uint32_t>(count * StrandMasks::positions - length);
  std::uint64_t after = 0;  // the word behind, as it comes out
  for (std::uint64_t word = 0; word < count; ++word) {
    const std::uint64_t turned = reverse_complement(words[word], StrandMasks::positions);
    const std::uint64_t to = count - 1 - word;
    complement[to] = unused == 0 ? turned : turned << 2 * unused | after >> (64 - 2 * unused);
    after = turned;
  }
}

/// Writes the masks of a pattern with sets. Pre: get(i) is the set of position i.
template <class Get>
void store_sets(std::uint64_t length, const Get& get, std::uint64_t* words) {
  for (std::uint64_t first = 0; first < length; first += StrandMasks::positions) {
    std::uint64_t masks[StrandMasks::set_words] = {};
    for (std::uint32_t i = 0; i < StrandMasks::positions; ++i) {
      const unsigned set = first + i < length ? get(first + i) : base_sets::any;
      for (std::uint32_t k = 0; k < StrandMasks::set_words; ++k)
        masks[k] = masks[k] << 2 | (set >> k & 1);
    }
    masks[1] ^= masks[0];
    masks[3] ^= masks[2];
    words = std::copy(std::begin(masks), std::end(masks), words);
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

void SeedPatterns::prepare(const SetPatterns& patterns, std::uint32_t mismatches,
                           std::uint32_t least_length) {
  entries_.clear();
  pieces_.clear();
  codes_.clear();
  piece_ends_.clear();
  words_.clear();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::span<const BaseSet> pattern = patterns[i];
    const auto first = static_cast<std::uint32_t>(pieces_.size());
    SeedWay way = SeedWay::nowhere;
    if (can_be_asked(pattern, mismatches)) {
      const bool is_cut = cutter_.cut(pattern, mismatches, own_);
      const auto is_short = [&](SeedPiece piece) { return piece.length < least_length; };
      if (!is_cut || std::any_of(own_.begin(), own_.end(), is_short)) {
        way = SeedWay::scan;
      } else if (!own_.empty()) {
        way = SeedWay::pieces;
        for (SeedPiece& piece : own_)
          piece.pattern = static_cast<std::uint32_t>(i);
        pieces_.insert(pieces_.end(), own_.begin(), own_.end());
      }
    }
    const std::span<const BaseSet> searched =
        pattern.first(way == SeedWay::nowhere ? 0 : pattern.size());
    const bool has_sets = !is_plain(searched);
    entries_.push_back({searched.size(), words_.size(), first,
                        static_cast<std::uint32_t>(pieces_.size()), way, has_sets});
    pack(searched);
  }
}

/// Adds both strands of the pattern that entries_ ends with, and the codes of its pieces.
void SeedPatterns::pack(std::span<const BaseSet> pattern) {
  const SeedEntry& entry = entries_.back();
  const std::uint64_t length = pattern.size();
  const std::uint64_t count = StrandMasks::words_for(length, entry.has_sets);
  const std::uint64_t at = words_.size();
  words_.resize(at + 2 * count);
  strand_codes_.resize(length);
  std::transform(pattern.begin(), pattern.end(), strand_codes_.begin(),
                 [](BaseSet set) { return code_of(set); });
  if (entry.has_sets) {
    store_sets(
        length, [&](std::uint64_t k) { return pattern[k]; }, &words_[at]);
    store_sets(
        length, [&](std::uint64_t k) { return complement_of(pattern[length - 1 - k]); },
        &words_[at + count]);
  } else if (length > 0) {
    store_codes(strand_codes_, &words_[at]);
    store_complement(&words_[at], length, &words_[at + count]);
  }
  for (std::uint32_t piece = entry.first_piece; piece < entry.last_piece; ++piece) {
    const auto begin = strand_codes_.begin() + static_cast<std::ptrdiff_t>(pieces_[piece].begin);
    codes_.insert(codes_.end(), begin, begin + pieces_[piece].length);
    piece_ends_.push_back(codes_.size());
  }
}

}  // namespace gsx

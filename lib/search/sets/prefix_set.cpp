#include "search/sets/prefix_set.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "search/sets/key_sorter.hpp"
#include "search/sets/prefix_queries.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t none = PrefixSetView::none;
constexpr std::uint32_t bases_per_word = PrefixSetView::bases_per_word;
constexpr std::uint32_t most_leading = 13;
constexpr std::uint8_t no_base = 4;

constexpr std::array<std::uint8_t, 256> bases_of_letters() {
  std::array<std::uint8_t, 256> bases{};
  bases.fill(no_base);
  for (const auto& [letter, base] : {std::pair{'A', 0}, {'C', 1}, {'G', 2}, {'T', 3}, {'U', 3}}) {
    bases[static_cast<unsigned char>(letter)] = static_cast<std::uint8_t>(base);
    bases[static_cast<unsigned char>(letter + 32)] = static_cast<std::uint8_t>(base);
  }
  return bases;
}
constexpr std::array<std::uint8_t, 256> base_of = bases_of_letters();

/// The first word of a sequence, and which one it is.
struct HeadRecord {
  SequenceKey<1> key;
  std::uint32_t index;
};

std::uint32_t words_for(std::uint32_t bases) {
  return (bases + bases_per_word - 1) / bases_per_word;
}

void check_sequences(std::span<const std::string_view> sequences) {
  if (sequences.size() >= none) throw UsageError("a set has at most 2^32 - 2 sequences");
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const std::string why = why_no_entry(sequences[i]);
    if (!why.empty()) throw UsageError("sequence " + std::to_string(i) + " of the set " + why);
  }
}

/// Bases that make about four buckets per entry.
std::uint32_t leading_for(std::size_t entries) {
  std::uint32_t leading = 1;
  while (leading < most_leading && (std::size_t{1} << 2 * leading) < entries)
    ++leading;
  return std::min(leading + 1, most_leading);
}

}  // namespace

std::string why_no_entry(std::string_view sequence) {
  if (sequence.empty()) return "is empty";
  if (sequence.size() > PrefixSet::max_length) {
    return "has " + std::to_string(sequence.size()) + " bases, more than " +
           std::to_string(PrefixSet::max_length);
  }
  const auto odd = std::ranges::find_if(
      sequence, [](char letter) { return base_of[static_cast<unsigned char>(letter)] == no_base; });
  if (odd == sequence.end()) return {};
  return "has a letter other than A, C, G, T and U: '" + printable({&*odd, 1}) + "'";
}

std::uint32_t leading_bases(std::string_view sequence, std::uint32_t most, std::uint64_t* words) {
  const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(sequence.size(), most));
  std::uint32_t taken = 0;
  for (std::uint32_t w = 0; w < words_for(most); ++w) {
    std::uint64_t word = 0;
    const std::uint32_t end = std::min(length, (w + 1) * bases_per_word);
    for (; taken < end; ++taken) {
      const std::uint64_t base = base_of[static_cast<unsigned char>(sequence[taken])];
      if (base == no_base) break;
      word |= base << (62 - 2 * (taken % bases_per_word));
    }
    words[w] = word;
    if (taken == end && end == (w + 1) * bases_per_word) continue;
    std::fill(words + w + 1, words + words_for(most), 0);
    break;
  }
  return taken;
}

PrefixSet::PrefixSet(std::span<const std::string_view> sequences) {
  with_gsx_errors([&] { build(sequences); });
}

void PrefixSet::build(std::span<const std::string_view> sequences) {
  check_sequences(sequences);
  for (const std::string_view sequence : sequences)
    longest_ = std::max(longest_, static_cast<std::uint32_t>(sequence.size()));
  const std::uint32_t words = words_for(longest_);
  std::vector<std::uint64_t> packed(sequences.size() * words);
  for (std::size_t i = 0; i < sequences.size(); ++i)
    leading_bases(sequences[i], longest_, packed.data() + i * words);

  indexes_.resize(sequences.size());
  const auto key_of = [&](std::uint32_t i) {
    return std::span<const std::uint64_t>(packed).subspan(i * std::size_t{words}, words);
  };
  // By heads, which tell most entries apart, then each run of equal heads by all the rest.
  std::vector<HeadRecord> heads(sequences.size()), other(sequences.size());
  for (std::uint32_t i = 0; i < heads.size(); ++i)
    heads[i] = {{{key_of(i)[0]}}, i};
  KeySorter<HeadRecord>::sort(heads.data(), other.data(), heads.size(), 1);
  const auto is_before = [&](const HeadRecord& a, const HeadRecord& b) {
    const auto left = key_of(a.index), right = key_of(b.index);
    const auto order = std::lexicographical_compare_three_way(left.begin(), left.end(),
                                                              right.begin(), right.end());
    if (order != 0) return order < 0;
    const std::size_t length = sequences[a.index].size(), other_length = sequences[b.index].size();
    return length != other_length ? length < other_length : a.index < b.index;
  };
  for (auto run = heads.begin(); run != heads.end();) {
    const auto end = std::find_if(
        run, heads.end(), [&](const HeadRecord& entry) { return !(entry.key == run->key); });
    if (end - run > 1) std::sort(run, end, is_before);
    run = end;
  }
  std::ranges::transform(heads, indexes_.begin(), &HeadRecord::index);
  heads = {};
  other = {};

  entries_.reserve(sequences.size());
  if (longest_ > bases_per_word) tail_starts_.resize(indexes_.size());
  for (const std::uint32_t i : indexes_) {
    const auto length = static_cast<std::uint32_t>(sequences[i].size());
    const auto key = key_of(i);
    if (!tail_starts_.empty()) {
      if (tails_.size() > ~std::uint32_t{0})
        throw ResourceError("the sequences have more bases than the 2^37 that a set can hold");
      tail_starts_[entries_.size()] = static_cast<std::uint32_t>(tails_.size());
      tails_.insert(tails_.end(), key.begin() + 1,
                    key.begin() + static_cast<std::ptrdiff_t>(words_for(length)));
    }
    entries_.push_back({key[0], none, length});
  }
  leading_ = leading_for(entries_.size());
  fill_starts();
  find_parents(key_of);
}

void PrefixSet::fill_starts() {
  starts_.assign((std::size_t{1} << 2 * leading_) + 1, 0);
  for (const PrefixEntry& entry : entries_)
    ++starts_[(entry.head >> (64 - 2 * leading_)) + 1];
  for (std::size_t b = 1; b < starts_.size(); ++b)
    starts_[b] += starts_[b - 1];
}

/// The parent of an entry is the one before it, or the nearest ancestor of that which is a prefix.
template <class KeyOf>
void PrefixSet::find_parents(const KeyOf& key_of) {
  const PrefixSetView all = view();
  for (std::uint32_t e = 1; e < entries_.size(); ++e) {
    const std::uint32_t common =
        all.common_bases(e - 1, key_of(indexes_[e]).data(), entries_[e].length);
    std::uint32_t parent = e - 1;
    if (common == entries_[parent].length && common == entries_[e].length) {
      throw DuplicateSequence(std::min(indexes_[parent], indexes_[e]),
                              std::max(indexes_[parent], indexes_[e]));
    }
    while (parent != none && entries_[parent].length > common)
      parent = entries_[parent].parent;
    entries_[e].parent = parent;
  }
}

PrefixSetView PrefixSet::view() const {
  return {.entries = entries_.data(),
          .starts = starts_.data(),
          .tails = tails_.data(),
          .tail_starts = tail_starts_.empty() ? nullptr : tail_starts_.data(),
          .size = size(),
          .leading = leading_,
          .longest = longest_};
}

std::uint64_t PrefixSet::bytes_to_build(std::uint64_t sequences, std::uint64_t longest) {
  const std::uint64_t words = words_for(static_cast<std::uint32_t>(longest));
  const std::uint64_t starts = std::uint64_t{4} << 2 * leading_for(sequences);
  return sequences * (2 * words * sizeof(std::uint64_t) + 2 * sizeof(HeadRecord) + 8) + starts;
}

std::uint64_t PrefixSet::bytes() const {
  return entries_.size() * (sizeof(PrefixEntry) + sizeof(std::uint32_t)) +
         (starts_.size() + tail_starts_.size()) * sizeof(std::uint32_t) +
         tails_.size() * sizeof(std::uint64_t);
}

}  // namespace gsx

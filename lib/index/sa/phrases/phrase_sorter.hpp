// Sorting the suffixes of a text that repeats itself, from one copy of each phrase.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/row_slices.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/phrases/phrase_merger.hpp"
#include "index/sa/phrases/phrase_parse.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Sorts suffixes by prefix-free parsing (Boucher et al., Algorithms Mol. Biol. 2019, section 3.2).
/// Only the suffixes of the first copy of each phrase, the dictionary, are sorted by text. The
/// phrases are sorted as suffixes of the sequence of their names, which is a text of its own: where
/// it repeats itself, by another PhraseSorter, else by prefix doubling.
///
/// A suffix compares by the rest of its phrase's content, then by the rank of the next phrase. So
/// the suffixes at one place of equal phrases stand side by side, in the order of the next phrases,
/// and need only be copied. Where places in several phrases have equal rests, a class, their
/// suffixes are merged by the ranks of the next phrases.
///
/// The steps: find_phrases(), which says whether this pays; sort_phrases(); the caller sorts the
/// suffixes that it wants of the dictionary by parse().depth() symbols; copy_suffixes().
/// Memory: 5 entries per phrase, and for the sequence of names a quarter of that.
template <class Pos>
class PhraseSorter {
 public:
  PhraseSorter(const TextView& text, const PhraseRule& rule, GroupSorter<Pos>& sorter);
  PhraseSorter(const PhraseSorter&) = delete;

  const PhraseParse<Pos>& parse() const { return parse_; }
  /// Finds equal phrases, and returns whether the others are so few that the next steps pay. Cost:
  /// one pass over the text.
  bool find_phrases();
  /// The first copies, joined where they are neighbours, and their length.
  const std::vector<Slice>& dictionary() const { return dictionary_; }
  std::uint64_t dictionary_length() const { return dictionary_length_; }
  /// Sorts the phrases of the whole text.
  void sort_phrases();

  /// Writes to `to` the suffixes of the whole text that are, each in its phrase, where the `size`
  /// sorted suffixes of the dictionary are. `places` is memory for one entry each. Calls
  /// on_class(suffixes of the dictionary, their places, first row, end row) for each class. If no
  /// syncmer follows the suffixes of a class within a window, they are not in order. Cost: 2 ns per
  /// suffix, 40 ns per suffix of the dictionary.
  template <class OnClass>
  void copy_suffixes(const Pos* suffixes, std::uint64_t size, const TieBits& ties,
                     PhrasePlace<Pos>* places, Pos* to, const OnClass& on_class) const;

 private:
  using Merger = PhraseMerger<Pos>;

  void name_phrases();
  bool sort_names_by_phrases();
  /// Sets places[] to the places of suffixes[0, count) in their phrases; returns how many suffixes
  /// the text has there.
  std::uint64_t find_places(const Pos* suffixes, std::uint64_t count,
                            PhrasePlace<Pos>* places) const;

  TextView text_;
  GroupSorter<Pos>& sorter_;
  PhraseParse<Pos> parse_;
  std::uint64_t dictionary_length_ = 0;
  std::vector<Slice> dictionary_;
  Buffer<Pos> names_;        ///< of each phrase: the rank of its content
  std::uint64_t count_ = 0;  ///< of names
  Buffer<Pos> first_rows_;   ///< of the phrases of each name, and the number of phrases
  Buffer<Pos> order_;        ///< phrases in suffix order, and later where these begin
  Buffer<Pos> next_;         ///< in suffix order, the rank of the next phrase
};

template <class Pos>
template <class OnClass>
void PhraseSorter<Pos>::copy_suffixes(const Pos* suffixes, std::uint64_t size, const TieBits& ties,
                                      PhrasePlace<Pos>* places, Pos* to,
                                      const OnClass& on_class) const {
  const Merger merger(order_.data(), next_.data());
  const RowSlices slices(size, sorter_.threads());
  std::vector<std::uint64_t> first(slices.count());
  parallel_for(sorter_.threads(), slices.count(), [&](std::uint64_t s, int) {
    const Slice slice = slices[s];
    first[s] = find_places(suffixes + slice.begin, slice.end - slice.begin, places + slice.begin);
  });
  std::uint64_t total = 0;
  for (std::uint64_t& rows : first)
    total += std::exchange(rows, total);
  struct Large {
    std::span<const PhrasePlace<Pos>> places;
    std::uint64_t row;
  };
  std::vector<Large> large;
  std::mutex mutex;
  parallel_for(sorter_.threads(), slices.count(), [&](std::uint64_t s, int) {
    typename Merger::Room room;
    std::uint64_t to_row = first[s];
    const Slice slice = slices[s];
    for (std::uint64_t row = slice.begin; row < slice.end;) {
      // A class belongs to the slice of its first row.
      const std::uint64_t begin = row;
      std::uint64_t count = places[row].count;
      while (++row < size && ties.tied(row))
        count += places[row].count;
      if (ties.tied(begin)) {
        to_row += count;
        continue;
      }
      const std::span<const PhrasePlace<Pos>> all(places + begin, row - begin);
      on_class(suffixes + begin, all, to_row, to_row + count);
      if (row + sa_tuning::keys_ahead < size)
        __builtin_prefetch(&order_[places[row + sa_tuning::keys_ahead].begin]);
      if (count > sa_tuning::large_class) {
        const std::lock_guard lock(mutex);
        large.push_back({all, to_row});
      } else {
        merger.merge(all, to + to_row, room);
      }
      to_row += count;
    }
  });
  const auto parts =
      static_cast<std::uint64_t>(sorter_.threads()) * sa_tuning::split_slices_per_thread;
  parallel_for(sorter_.threads(), parts * large.size(), [&](std::uint64_t task, int) {
    const Large& one = large[task / parts];
    typename Merger::Room room;
    merger.merge_part(one.places, to + one.row, slice_of(parse_.size() + 1, parts, task % parts),
                      room);
  });
}

}  // namespace gsx

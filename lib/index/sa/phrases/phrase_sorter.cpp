#include "index/sa/phrases/phrase_sorter.hpp"

#include <array>
#include <numeric>

#include "base/bits.hpp"
#include "base/packed.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/ranks/prefix_doubler.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {
namespace {

/// A key of GroupSorter: the name of a phrase.
template <class Pos>
struct NameKey {
  const Pos* names;

  std::uint64_t operator()(std::uint64_t i, std::uint64_t) const { return names[i]; }
  void prefetch(std::uint64_t i, std::uint64_t) const { __builtin_prefetch(names + i); }
  void prefetch_last(std::uint64_t, std::uint64_t) const {}
};

/// The names of phrases as a text of one segment.
class NameText {
 public:
  template <class Pos>
  NameText(const Buffer<Pos>& names, std::uint64_t count, int threads)
      : bits_(static_cast<std::uint32_t>(bit_length(count - 1))),
        symbols_(names.size() + 1, bits_, "names of phrases"),
        starts_{0, names.size() + 1},
        sigma_(static_cast<std::uint32_t>(count)) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
    parallel_for(threads, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(names.size() + 1, slices, s, 8);
      PackedWriter writer(symbols_.data() + slice.begin * bits_ / 8, bits_);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        writer.push(i < names.size() ? names[i] : 0);
      writer.finish();
    });
  }
  TextView view() const { return {symbols_.view(), {starts_, first_, 1, 63}, sigma_}; }

 private:
  std::uint32_t bits_;
  PackedArray symbols_;
  std::uint64_t starts_[2];
  std::uint64_t first_[2] = {0, 1};
  std::uint32_t sigma_;
};

}  // namespace

template <class Pos>
PhraseSorter<Pos>::PhraseSorter(const TextView& text, const PhraseRule& rule,
                                GroupSorter<Pos>& sorter)
    : text_(text), sorter_(sorter), parse_(text, rule, sorter.threads()) {}

template <class Pos>
bool PhraseSorter<Pos>::find_phrases() {
  const std::uint64_t size = parse_.size();
  names_ = Buffer<Pos>(size, "phrases");
  {
    Buffer<std::uint64_t> table(parse_.table_bytes() / sizeof(std::uint64_t), "phrases");
    parse_.find_equal(names_.data(), table.data());
  }
  for (std::uint64_t i = 0; i < size; ++i) {
    if (names_[i] != i) continue;
    const std::uint64_t begin = parse_.start(i), end = parse_.start(i + 1);
    ++count_;
    dictionary_length_ += end - begin;
    if (!dictionary_.empty() && dictionary_.back().end == begin) {
      dictionary_.back().end = end;
    } else {
      dictionary_.push_back({begin, end});
    }
  }
  return static_cast<double>(dictionary_length_) <=
         sa_tuning::most_dictionary_share * static_cast<double>(text_.length());
}

/// Turns names_[] from first copies into ranks of contents.
template <class Pos>
void PhraseSorter<Pos>::name_phrases() {
  const std::uint64_t size = parse_.size();
  Buffer<Pos> first(count_, "phrases");
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    if (names_[i] == i) first[found++] = static_cast<Pos>(parse_.start(i));
  }
  // First copies of different phrases differ within their contents, so no tie is left.
  TieBits none(count_);
  sort_ranges_by_text(
      SuffixKeys(text_), sorter_, first.data(), 1,
      [&](std::uint64_t) {
        return SuffixRange{0, count_, 0};
      },
      keep_order / 2, none);
  Pos* const name_of = order_.data();
  RowSlices(count_, sorter_.threads()).for_each([&](Slice slice) {
    for (std::uint64_t row = slice.begin; row < slice.end; ++row)
      name_of[parse_.phrase_at(first[row])] = static_cast<Pos>(row);
  });
  RowSlices(size, sorter_.threads()).for_each([&](Slice slice) {
    for (std::uint64_t i = slice.begin; i < slice.end; ++i)
      names_[i] = name_of[names_[i]];
  });
}

template <class Pos>
void PhraseSorter<Pos>::sort_phrases() {
  const std::uint64_t size = parse_.size();
  const RowSlices slices(size, sorter_.threads());
  order_ = Buffer<Pos>(size, "phrases");
  name_phrases();
  Buffer<Pos> ranks(size, "phrases");
  first_rows_ = Buffer<Pos>(count_ + 1, "phrases");
  first_rows_[count_] = static_cast<Pos>(size);
  const auto set_first_rows = [&](const auto& is_first) {
    slices.for_each([&](Slice slice) {
      for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
        if (is_first(row)) first_rows_[names_[order_[row]]] = static_cast<Pos>(row);
      }
    });
  };
  if (sort_names_by_phrases()) {
    set_first_rows([&](std::uint64_t row) {
      return row == 0 || names_[order_[row]] != names_[order_[row - 1]];
    });
    slices.for_each([&](Slice slice) {
      for (std::uint64_t row = slice.begin; row < slice.end; ++row)
        ranks[order_[row]] = static_cast<Pos>(row);
    });
  } else {
    slices.for_each([&](Slice slice) {
      std::iota(order_.data() + slice.begin, order_.data() + slice.end,
                static_cast<Pos>(slice.begin));
    });
    TieBits ties(size);
    sorter_.sort(
        order_.data(), 1, [&](std::uint64_t, int, const auto& sort) { sort(0, size, 0); },
        NameKey<Pos>{names_.data()},
        [&](std::uint64_t begin, std::uint64_t end, std::uint64_t, std::uint64_t) {
          ties.mark_group(begin, end);
          return keep_order;
        });
    set_first_rows([&](std::uint64_t row) { return !ties.tied(row); });
    double_ranks(sorter_, order_.data(), size, ranks.data(), std::move(ties));
  }
  // What follows needs the phrases in order only: where each begins, and the rank of the next one.
  next_ = Buffer<Pos>(size, "phrases");
  slices.for_each([&](Slice slice) {
    for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
      const std::uint64_t i = order_[row];
      next_[row] = i + 1 < size ? ranks[i + 1] : static_cast<Pos>(size);
      order_[row] = static_cast<Pos>(parse_.start(i));
    }
  });
}

/// Sorts the sequence of names by phrases of it, if that pays. All suffixes of the sequence are
/// sorted, of whatever type, so phrases may begin in runs.
template <class Pos>
bool PhraseSorter<Pos>::sort_names_by_phrases() {
  const std::uint64_t size = parse_.size();
  if (size < sa_tuning::least_names || count_ > size / 3 * 2) return false;
  const NameText names(names_, count_, sorter_.threads());
  const TextView text = names.view();
  constexpr std::uint32_t window = sa_tuning::window_of_names;
  if (PhraseParse<Pos>::density(text, window) > sa_tuning::most_name_density) return false;
  PhraseSorter inner(text, {window, 0, true}, sorter_);
  if (!inner.find_phrases()) return false;
  inner.sort_phrases();
  Buffer<Pos> suffixes(inner.dictionary_length(), "phrases");
  std::uint64_t count = 0;
  for (const Slice& stretch : inner.dictionary()) {
    for (std::uint64_t p = stretch.begin; p < std::min(stretch.end, size); ++p)
      suffixes[count++] = static_cast<Pos>(p);
  }
  TieBits ties(count);
  sort_ranges_by_text(
      SuffixKeys(text), sorter_, suffixes.data(), 1,
      [&](std::uint64_t) {
        return SuffixRange{0, count, 0};
      },
      inner.parse().depth(), ties);
  Buffer<PhrasePlace<Pos>> places(count, "phrases");
  inner.copy_suffixes(suffixes.data(), count, ties, places.data(), order_.data(),
                      [](const Pos*, auto, std::uint64_t, std::uint64_t) {});
  return true;
}

template <class Pos>
std::uint64_t PhraseSorter<Pos>::find_places(const Pos* suffixes, std::uint64_t count,
                                             PhrasePlace<Pos>* places) const {
  constexpr std::uint64_t batch = sa_tuning::places_at_once;
  std::array<std::uint64_t, batch> phrases;
  std::uint64_t found = 0;
  for (std::uint64_t done = 0; done < count; done += batch, suffixes += batch, places += batch) {
    const std::uint64_t size = std::min(batch, count - done);
    for (std::uint64_t i = 0; i < size; ++i)
      parse_.prefetch(suffixes[i]);
    for (std::uint64_t i = 0; i < size; ++i) {
      phrases[i] = parse_.phrase_at(suffixes[i]);
      __builtin_prefetch(&names_[phrases[i]]);
      __builtin_prefetch(parse_.starts() + phrases[i]);
    }
    for (std::uint64_t i = 0; i < size; ++i) {
      places[i].offset = static_cast<Pos>(suffixes[i] - parse_.start(phrases[i]));
      phrases[i] = names_[phrases[i]];
      __builtin_prefetch(&first_rows_[phrases[i]]);
    }
    for (std::uint64_t i = 0; i < size; ++i) {
      places[i].begin = first_rows_[phrases[i]];
      places[i].count = first_rows_[phrases[i] + 1] - places[i].begin;
      found += places[i].count;
    }
  }
  return found;
}

template class PhraseSorter<std::uint32_t>;
template class PhraseSorter<std::uint64_t>;

}  // namespace gsx

#include "mappability/frequencies.hpp"

#include <algorithm>

#include "lcp/row_prefixes.hpp"
#include "text/packed_bases.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t rows_at_once = std::uint64_t{1} << 22;

}  // namespace

/// The groups of rows whose suffixes agree on k symbols.
template <class Pos>
class FrequencyBuilder<Pos>::Groups {
 public:
  Groups(const BothStrandsView& text, std::uint64_t k, int threads)
      : text_(text),
        k_(k),
        threads_(threads),
        codes_(std::make_unique<FrequencyCodes>(text.half, threads)) {
    set_all_to_one();
  }

  void add(const Pos* rows, const std::uint32_t* lcps, std::uint64_t count) {
    codes_->make_room(count / (1 << 14) + 2);
    const auto begins = [&](std::uint64_t i) { return lcps[i] < k_; };
    std::uint64_t first = 0, last = count;
    while (first < count && !begins(first))
      ++first;
    open_.insert(open_.end(), rows, rows + first);
    if (first == count) return;
    close();
    while (!begins(last - 1))
      --last;
    --last;
    for_each_row_slice(first, last, threads_, [&](std::uint64_t begin, std::uint64_t end) {
      while (begin < end && !begins(begin))
        ++begin;  // belongs to a group that begins in an earlier slice
      for (std::uint64_t i = begin; i < end;) {
        std::uint64_t next = i + 1;
        while (!begins(next))
          ++next;
        if (next - i > 1) set(rows + i, next - i);
        i = next;
      }
    });
    open_.assign(rows + last, rows + count);
  }

  std::unique_ptr<FrequencyCodes> finish() {
    close();
    return std::move(codes_);
  }

 private:
  /// What is right for all k-mers that stand alone.
  void set_all_to_one() {
    const SegmentsView& segments = text_.text.segments;
    for_each_row_slice(0, text_.half, threads_, [&](std::uint64_t begin, std::uint64_t end) {
      while (begin < end) {
        const std::uint64_t separator = segments.separator_from(begin);
        const std::uint64_t no_more = separator + 1 - std::min(k_, separator + 1);
        for (std::uint64_t p = begin; p < std::min(end, no_more); ++p)
          codes_->set(p, 1);
        begin = separator + 1;
      }
    });
  }

  void close() {
    if (open_.size() > 1) set(open_.data(), open_.size());
    open_.clear();
  }

  void set(const Pos* rows, std::uint64_t count) {
    const bool both = text_.half < text_.text.length();
    const bool own = both && is_own_reverse_complement(text_.text.symbols, rows[0], k_);
    const std::uint32_t code = codes_->code_of(own ? count / 2 : count);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (text_.is_forward(rows[i])) codes_->set(rows[i], code);
    }
  }

  BothStrandsView text_;
  std::uint64_t k_;
  int threads_;
  std::unique_ptr<FrequencyCodes> codes_;
  std::vector<Pos> open_;  ///< the rows of the last group, to which more may come
};

template <class Pos>
FrequencyBuilder<Pos>::FrequencyBuilder(const BothStrandsView& text,
                                        std::span<const std::uint64_t> lengths, int threads,
                                        const LcpArray* known)
    : text_(text), threads_(threads), known_(known), lcps_(rows_at_once, "k-mer frequencies") {
  for (const std::uint64_t k : lengths) {
    longest_ = std::max(longest_, k);
    groups_.push_back(std::make_unique<Groups>(text, k, threads));
  }
}
template <class Pos>
FrequencyBuilder<Pos>::~FrequencyBuilder() = default;

template <class Pos>
void FrequencyBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  for (std::uint64_t first = 0; first < count; first += rows_at_once) {
    const std::uint64_t some = std::min(rows_at_once, count - first);
    compare(rows + first, some);
    for (auto& groups : groups_)
      groups->add(rows + first, lcps_.data(), some);
    added_ += some;
  }
}

template <class Pos>
void FrequencyBuilder<Pos>::compare(const Pos* rows, std::uint64_t count) {
  if (known_ != nullptr) {
    return for_each_row_slice(0, count, threads_, [&](std::uint64_t begin, std::uint64_t end) {
      known_->for_each(added_ + begin, added_ + end, [&](std::uint64_t row, std::uint64_t lcp) {
        lcps_[row - added_] = static_cast<std::uint32_t>(std::min(lcp, longest_));
      });
    });
  }
  lcps_[0] = 0;
  if (added_ != 0) {
    const Pos both[] = {last_, rows[0]};
    for_each_row_prefix(text_.text, both, 1, 2, longest_, [&](std::uint64_t, std::uint64_t lcp) {
      lcps_[0] = static_cast<std::uint32_t>(lcp);
    });
  }
  for_each_row_slice(1, count, threads_, [&](std::uint64_t begin, std::uint64_t end) {
    for_each_row_prefix(
        text_.text, rows, begin, end, longest_,
        [&](std::uint64_t i, std::uint64_t lcp) { lcps_[i] = static_cast<std::uint32_t>(lcp); });
  });
  last_ = rows[count - 1];
}

template <class Pos>
std::vector<std::unique_ptr<FrequencyCodes>> FrequencyBuilder<Pos>::finish() {
  std::vector<std::unique_ptr<FrequencyCodes>> all;
  for (auto& groups : groups_)
    all.push_back(groups->finish());
  return all;
}

template class FrequencyBuilder<std::uint32_t>;
template class FrequencyBuilder<std::uint64_t>;

}  // namespace gsx

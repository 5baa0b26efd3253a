#include "analysis/mappability/frequencies.hpp"

#include <algorithm>

#include "index/lcp/row_groups.hpp"
#include "text/packed_bases.hpp"

namespace gsx {

/// The groups of rows whose suffixes agree on k symbols.
template <class Pos>
class FrequencyBuilder<Pos>::Groups {
 public:
  Groups(const BothStrandsView& text, std::uint64_t k, int threads, const RequireMemory& require)
      : text_(text),
        k_(k),
        threads_(threads),
        codes_(std::make_unique<FrequencyCodes>(text.half, threads, require)),
        groups_(k, require) {
    set_all_to_one();
  }

  void add(const Pos* rows, const std::uint32_t* lcps, std::uint64_t count) {
    codes_->make_room(count / (1 << 14) + 2);
    groups_.add(rows, lcps, count, threads_, on_group());
  }

  std::unique_ptr<FrequencyCodes> finish() {
    groups_.finish(on_group());
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

  auto on_group() {
    return [this](const Pos* rows, const std::uint32_t*, std::uint64_t count) { set(rows, count); };
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
  RowGroups<Pos> groups_;
};

template <class Pos>
FrequencyBuilder<Pos>::FrequencyBuilder(const BothStrandsView& text,
                                        std::span<const std::uint64_t> lengths, int threads,
                                        const LcpArray* known, const RequireMemory& require)
    : prefixes_(text.text, static_cast<std::uint32_t>(std::ranges::max(lengths)), threads, known) {
  for (const std::uint64_t k : lengths)
    groups_.push_back(std::make_unique<Groups>(text, k, threads, require));
}
template <class Pos>
FrequencyBuilder<Pos>::~FrequencyBuilder() = default;

template <class Pos>
void FrequencyBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  prefixes_.add(rows, count, [&](const Pos* some, const std::uint32_t* lcps, std::uint64_t size) {
    for (auto& groups : groups_)
      groups->add(some, lcps, size);
  });
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

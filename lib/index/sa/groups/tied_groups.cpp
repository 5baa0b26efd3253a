#include "index/sa/groups/tied_groups.hpp"

#include <algorithm>

#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/stage_log.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

template <class Pos>
TiedGroups<Pos>::TiedGroups(const SuffixKeys& keys, GroupSorter<Pos>& sorter, Pos* suffixes,
                            std::uint64_t size, const TieBits& ties, std::uint64_t depth,
                            const ProgressReport& progress)
    : keys_(keys),
      sorter_(sorter),
      suffixes_(suffixes),
      size_(size),
      ties_(&ties),
      depth_(depth),
      progress_(progress),
      count_(ties.count(sorter.threads())) {}

template <class Pos>
std::uint64_t TiedGroups<Pos>::largest() const {
  std::uint64_t largest = 0;
  ties_->for_each_group({0, size_}, [&](std::uint64_t begin, std::uint64_t end) {
    largest = std::max(largest, end - begin);
  });
  return largest;
}

template <class Pos>
void TiedGroups<Pos>::refine_within(double budget) {
  Stopwatch watch;
  int slow_rounds = 0;
  for (std::uint64_t keys = sa_tuning::least_keys; !empty(); keys *= 2) {
    const auto affordable = static_cast<std::uint64_t>(budget / static_cast<double>(count_));
    if (affordable < sa_tuning::least_keys) return;
    keys = std::min(keys, affordable);
    budget -= static_cast<double>(keys * count_);
    const std::uint64_t before = count_;
    refine(depth_ + keys * keys_.symbols);
    log_stage(watch, "sorted to depth " + std::to_string(depth_) + ", " + std::to_string(count_) +
                         " rows tied,");
    slow_rounds = count_ >= before / 10 * 9 ? slow_rounds + 1 : 0;
    if (slow_rounds == sa_tuning::most_slow_rounds) return;
  }
}

template <class Pos>
void TiedGroups<Pos>::refine(std::uint64_t depth) {
  TieBits left(size_);
  sort_groups_by_text(keys_, sorter_, suffixes_, size_, *ties_, depth_, depth, left, progress_);
  depth_ = depth;
  continue_with(std::move(left));
}

template <class Pos>
void TiedGroups<Pos>::continue_with(TieBits ties) {
  own_ = std::move(ties);
  ties_ = &own_;
  count_ = own_.count(sorter_.threads());
}

template class TiedGroups<std::uint32_t>;
template class TiedGroups<std::uint64_t>;

}  // namespace gsx

#include "output/tracks/depth_counters.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Positions from one whose depth is known to the next.
constexpr std::uint64_t known_every = std::uint64_t{1} << 16;

/// Positions whose changes are looked at together.
constexpr std::uint64_t step = sizeof(std::uint64_t) / sizeof(std::uint16_t);

std::uint64_t blocks_of(std::uint64_t positions) {
  return positions / known_every + 1;
}

std::uint32_t shown(std::int64_t depth) {
  return static_cast<std::uint32_t>(std::min<std::int64_t>(depth, DepthCounters::most_depth));
}

}  // namespace

void DepthCounters::FreeMemory::operator()(std::uint16_t* memory) const {
  std::free(memory);
}

DepthCounters::DepthCounters(std::uint64_t positions) : positions_(positions) {
  // calloc() leaves pages alone that nothing is counted in.
  changes_.reset(
      static_cast<std::uint16_t*>(std::calloc(positions + 1 + step, sizeof(std::uint16_t))));
  if (!changes_) {
    throw ResourceError("out of memory: counting the hits over each position takes " +
                        bytes_text(bytes(positions)));
  }
}

std::uint64_t DepthCounters::bytes(std::uint64_t positions) {
  return (positions + 1 + step) * sizeof(std::uint16_t) +
         blocks_of(positions) * sizeof(std::int64_t);
}

void DepthCounters::spill(std::uint64_t position, int by) {
  const std::lock_guard lock(mutex_);
  spilled_[position] += by * (std::int64_t{1} << 16);
}

std::uint64_t DepthCounters::next_change(std::uint64_t begin, std::uint64_t end) const {
  const std::uint16_t* const changes = changes_.get();
  while (begin < end) {
    std::uint64_t some;
    std::memcpy(&some, changes + begin, sizeof some);
    if (some != 0) {
      while (begin < end && changes[begin] == 0)
        ++begin;
      return begin;
    }
    begin += step;
  }
  return end;
}

template <class Take>
void DepthCounters::for_each_change(std::uint64_t begin, std::uint64_t end,
                                    const Take& take) const {
  auto large = std::ranges::lower_bound(large_, begin, {}, &Change::position);
  for (std::uint64_t at = begin; at < end; ++at) {
    const bool is_left = large != large_.end() && large->position < end;
    const std::uint64_t next = is_left ? large->position : end;
    at = next_change(at, next);
    if (at >= end) return;
    std::int64_t by = static_cast<std::int16_t>(changes_[at]);
    if (is_left && at == next) by += (large++)->by;
    take(at, by);
  }
}

void DepthCounters::sum(int threads) {
  for (const auto& [position, by] : spilled_) {
    if (by != 0) large_.push_back({position, by});
  }
  std::ranges::sort(large_, {}, &Change::position);
  depths_.assign(blocks_of(positions_), 0);
  parallel_for(threads, depths_.size() - 1, [&](std::uint64_t number, int) {
    std::int64_t sum = 0;
    for_each_change(number * known_every, (number + 1) * known_every,
                    [&](std::uint64_t, std::int64_t by) { sum += by; });
    depths_[number + 1] = sum;
  });
  for (std::size_t i = 1; i < depths_.size(); ++i)
    depths_[i] += depths_[i - 1];
}

void DepthCounters::add_runs(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                             bool is_border, PieceRuns& runs) const {
  std::int64_t depth = 0;
  if (!is_border) {
    depth = depths_[begin / known_every];
    for_each_change(begin / known_every * known_every, begin,
                    [&](std::uint64_t, std::int64_t by) { depth += by; });
  }
  std::uint64_t from = begin;
  const auto add = [&](std::uint64_t to) {
    if (depth > 0 && from < to)
      runs.add_count(from - begin + offset, to - begin + offset, shown(depth));
  };
  for_each_change(begin, end, [&](std::uint64_t at, std::int64_t by) {
    add(at);
    from = at;
    depth += by;
  });
  add(end);
}

}  // namespace gsx

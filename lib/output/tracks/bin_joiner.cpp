#include "output/tracks/bin_joiner.hpp"

#include <algorithm>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Records that a thread takes at a time.
constexpr std::uint64_t slice_records = 8192;

}  // namespace

std::span<const ZoomRecord> BinJoiner::add(std::span<const ZoomRecord> zooms) {
  // Those of the open bin belong to it.
  std::uint64_t first = 0;
  for (; open_ && first < zooms.size() && is_same_bin(*open_, zooms[first]); ++first)
    open_->add(zooms[first]);
  zooms = zooms.subspan(first);
  if (zooms.empty()) return {};

  // How many bins begin in the slices before each.
  const std::uint64_t slices = divide_up(zooms.size(), slice_records);
  const auto slice = [&](std::uint64_t s) {
    return Slice{s * slice_records, std::min<std::uint64_t>((s + 1) * slice_records, zooms.size())};
  };
  std::vector<std::uint64_t> before(slices + 1);
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    std::uint64_t begin = slice(s).begin, count = s == 0 ? 1 : 0;
    for (std::uint64_t i = std::max<std::uint64_t>(begin, 1); i < slice(s).end; ++i)
      count += is_same_bin(zooms[i - 1], zooms[i]) ? 0 : 1;
    before[s + 1] = count;
  });
  before[0] = open_ ? 1 : 0;
  for (std::uint64_t s = 0; s < slices; ++s)
    before[s + 1] += before[s];

  const std::uint64_t count = before[slices];
  if (bins_.size() < count) bins_ = Buffer<ZoomRecord>(zooms.size() + 1, "zoom records");
  if (open_) bins_[0] = *open_;
  parallel_for(threads_, slices,
               [&](std::uint64_t s, int) { join(zooms, slice(s).begin, slice(s).end, before[s]); });
  open_ = bins_[count - 1];
  return {bins_.data(), count - 1};
}

/// Makes the bins that begin at records [begin, end), from bin number `bin` on.
void BinJoiner::join(std::span<const ZoomRecord> zooms, std::uint64_t begin, std::uint64_t end,
                     std::uint64_t bin) {
  std::uint64_t i = begin;
  if (i > 0) {
    while (i < end && is_same_bin(zooms[i - 1], zooms[i]))
      ++i;
  }
  while (i < end) {
    ZoomRecord joined = zooms[i];
    for (++i; i < zooms.size() && is_same_bin(zooms[i - 1], zooms[i]); ++i)
      joined.add(zooms[i]);
    bins_[bin++] = joined;
  }
}

std::span<const ZoomRecord> BinJoiner::finish() {
  if (!open_) return {};
  if (bins_.size() == 0) bins_ = Buffer<ZoomRecord>(1, "zoom records");
  bins_[0] = *open_;
  open_.reset();
  return {bins_.data(), 1};
}

}  // namespace gsx

#include "output/tracks/zoom_records.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace gsx {
namespace {

/// Bins that may be collected before the distance of runs is taken as known.
constexpr std::uint64_t few_bins = std::uint64_t{1} << 18;
constexpr std::uint64_t distances_per_bin = 10;

/// The shift of the shortest bins that have at least `length` positions.
std::uint32_t shift_for(std::uint64_t length) {
  std::uint32_t shift = least_zoom_shift;
  while (shift < most_zoom_shift && std::uint64_t{1} << shift < length)
    shift += zoom_shift_step;
  return shift;
}

}  // namespace

void ZoomRecord::add(const ZoomRecord& next) {
  end = next.end;
  covered += next.covered;
  least = std::min(least, next.least);
  most = std::max(most, next.most);
  sum += next.sum;
  squares += next.squares;
}

ZoomRecord zoom_of(std::uint32_t id, std::uint32_t begin, std::uint32_t end, float value) {
  const double sum = static_cast<double>(value) * (end - begin);
  return {id, begin, end, end - begin, value, value, sum, sum * value};
}

std::uint32_t zoom_shift_for(std::uint64_t runs, std::uint64_t extent) {
  return shift_for(divide_up(extent, std::max<std::uint64_t>(runs / distances_per_bin, 1)));
}

std::uint32_t collected_zoom_shift(std::uint64_t runs, std::uint64_t extent) {
  return std::min(zoom_shift_for(runs, extent), shift_for(divide_up(extent, few_bins)));
}

void append_bins(std::vector<ZoomRecord>& zooms, std::uint32_t shift, std::uint32_t id,
                 const RunColumns& runs) {
  const std::size_t count = runs.value.size();
  std::uint32_t begin = count > 0 ? runs.begin[0] : 0;  // of what is left of run i
  for (std::size_t i = 0; i < count;) {
    const std::uint64_t bin_end = ((std::uint64_t{begin} >> shift) + 1) << shift;
    const auto part = [&](std::uint32_t from) {
      const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>(runs.end[i], bin_end));
      return zoom_of(id, from, to, runs.value[i]);
    };
    ZoomRecord bin = part(begin);  // not yet in the vector, so that it stays in registers
    while (runs.end[i] <= bin_end && ++i < count && runs.begin[i] < bin_end)
      bin.add(part(runs.begin[i]));
    zooms.push_back(bin);
    if (i < count)
      begin = runs.begin[i] < bin_end ? static_cast<std::uint32_t>(bin_end) : runs.begin[i];
  }
}

void ZoomSpool::add(std::span<const ZoomRecord> zooms) {
  held_.insert(held_.end(), zooms.begin(), zooms.end());
  if (held_.size() >= most_) spill();
}

void ZoomSpool::spill() {
  const std::uint64_t bytes = held_.size() * sizeof(ZoomRecord);
  const std::uint64_t offset = file_->reserve(bytes);
  file_->write(offset, {reinterpret_cast<const char*>(held_.data()), bytes});
  spilled_ += held_.size();
  held_.clear();
}

void ZoomSpool::read(std::uint64_t first, std::span<ZoomRecord> to) const {
  const std::uint64_t in_file =
      std::min<std::uint64_t>(to.size(), first < spilled_ ? spilled_ - first : 0);
  if (in_file > 0) {
    file_->read(first * sizeof(ZoomRecord), reinterpret_cast<char*>(to.data()),
                in_file * sizeof(ZoomRecord));
  }
  const std::uint64_t rest = to.size() - in_file, from = first + in_file - spilled_;
  if (rest > 0) std::copy_n(held_.data() + from, rest, to.data() + in_file);
}

}  // namespace gsx

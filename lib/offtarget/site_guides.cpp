#include "offtarget/site_guides.hpp"

#include <algorithm>
#include <string>

namespace gsx {
namespace {

SiteShape shape_of(const Pam& pam, std::uint32_t guide_length) {
  SiteShape shape;
  for (const char letter : pam.letters)
    shape.pam.push_back(iupac_base_set(letter));
  shape.pam_first = pam.first;
  shape.guide = guide_length;
  return shape;
}

/// Places that are scanned at a time.
constexpr std::uint64_t step = 4096;

}  // namespace

SiteGuides::SiteGuides(const TextView& text, const RecordsView& records, const Pam& pam,
                       std::uint32_t guide_length)
    : text_(text), records_(records), shape_(shape_of(pam, guide_length)), scan_(text, shape_) {}

void SiteGuides::keep_within(std::vector<RecordRange> ranges) {
  everywhere_ = false;
  std::sort(ranges.begin(), ranges.end());
  for (const RecordRange& range : ranges) {
    const bool touches = !ranges_.empty() && ranges_.back().record == range.record &&
                         range.begin <= ranges_.back().end;
    if (!touches) ranges_.push_back(range);
    if (touches) ranges_.back().end = std::max(ranges_.back().end, range.end);
  }
}

bool SiteGuides::is_within(const RecordRange& place) const {
  if (everywhere_) return true;
  const auto starts_later = [](const RecordRange& a, const RecordRange& b) {
    return a.record < b.record || (a.record == b.record && a.begin < b.begin);
  };
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), place, starts_later);
  if (after == ranges_.begin()) return false;
  const RecordRange& range = after[-1];
  return range.record == place.record && place.end <= range.end;
}

bool SiteGuides::next(RecordBatch& batch, std::size_t most) {
  for (; batch.size() < most && next_ < text_.length(); next_ += step) {
    scan_.for_each({next_, std::min(next_ + step, text_.length())},
                   [&](std::uint64_t start, bool reverse, std::uint64_t key) {
                     add(start, reverse, key, batch);
                   });
  }
  return batch.size() != 0;
}

void SiteGuides::add(std::uint64_t start, bool reverse, std::uint64_t key, RecordBatch& batch) {
  const std::uint64_t segment = text_.segments.segment_at(start);
  const std::uint64_t begin =
      records_.segment_offsets[segment] + start - text_.segments.starts[segment];
  const std::uint64_t record = records_.segment_records[segment];
  const RecordRange place{record, begin, begin + shape_.length()};
  if (!is_within(place)) return;
  std::string name(records_.name(record));
  name += ':' + std::to_string(place.begin) + '-' + std::to_string(place.end);
  name += reverse ? "(-)" : "(+)";
  std::string guide(shape_.guide, ' ');
  for (std::uint32_t i = 0; i < shape_.guide; ++i)
    guide[i] = "ACGT"[key >> 2 * (shape_.guide - 1 - i) & 3];
  batch.begin_record(name, "");
  batch.append(guide);
}

}  // namespace gsx

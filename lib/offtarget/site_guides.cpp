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

void SiteGuides::add_origins(std::span<const std::uint64_t> circular,
                             const JunctionOptions& options) {
  const std::vector<Circle> circles = circles_of(text_, records_, circular);
  if (circles.empty()) return;
  const Junctions junctions(text_, circles, shape_.length(), options);
  const TextView& text = junctions.text();
  SiteScan(text, shape_)
      .for_each({0, text.length()}, [&](std::uint64_t start, bool reverse, std::uint64_t key) {
        const auto place = junctions.spanning(Hit(start, reverse), shape_.length());
        if (place) origin_sites_.push_back({*place, key});
      });
}

bool SiteGuides::is_within(const RecordRange& place) const {
  if (everywhere_) return true;
  const std::uint64_t length = records_.infos[place.record].length;
  if (place.end > length) {
    return is_within({place.record, place.begin, length}) &&
           is_within({place.record, 0, place.end - length});
  }
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
    const std::uint64_t end = std::min(next_ + step, text_.length());
    scan_.for_each({next_, end}, [&](std::uint64_t start, bool reverse, std::uint64_t key) {
      const Hit place(start, reverse);
      add_origins_before(place, batch);
      add(place, key, batch);
    });
    add_origins_before(Hit(end, false), batch);
  }
  return batch.size() != 0;
}

void SiteGuides::add_origins_before(const Hit& place, RecordBatch& batch) {
  for (; next_origin_ < origin_sites_.size(); ++next_origin_) {
    const OriginSite& site = origin_sites_[next_origin_];
    if (!(site.place < place)) return;
    add(site.place, site.key, batch);
  }
}

void SiteGuides::add(const Hit& place, std::uint64_t key, RecordBatch& batch) {
  const std::uint64_t segment = text_.segments.segment_at(place.position());
  const std::uint64_t begin =
      records_.segment_offsets[segment] + place.position() - text_.segments.starts[segment];
  const std::uint64_t record = records_.segment_records[segment];
  const RecordRange range{record, begin, begin + shape_.length()};
  if (!is_within(range)) return;
  std::string name(records_.name(record));
  name += ':' + std::to_string(range.begin) + '-' + std::to_string(range.end);
  name += place.is_reverse() ? "(-)" : "(+)";
  std::string guide(shape_.guide, ' ');
  for (std::uint32_t i = 0; i < shape_.guide; ++i)
    guide[i] = "ACGT"[key >> 2 * (shape_.guide - 1 - i) & 3];
  batch.begin_record(name, "");
  batch.append(guide);
}

}  // namespace gsx

#include "analysis/guides/site_guides.hpp"

#include <algorithm>
#include <string>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Places whose sites are counted at a time.
constexpr std::uint64_t range_step = 4096;

}  // namespace

SiteGuides::SiteGuides(const TextView& text, const RecordsView& records, const Pam& pam,
                       std::uint32_t guide_length)
    : text_(text), records_(records), shape_(pam.shape(guide_length)), scan_(text, shape_) {}

void SiteGuides::keep_within(std::vector<RecordRange> ranges,
                             const std::function<void(std::uint64_t bytes)>& require) {
  everywhere_ = false;
  std::sort(ranges.begin(), ranges.end());
  std::size_t count = 0;
  for (const RecordRange& range : ranges) {
    const bool touches = count != 0 && ranges[count - 1].record == range.record &&
                         range.begin <= ranges[count - 1].end;
    if (!touches) ranges[count++] = range;
    if (touches) ranges[count - 1].end = std::max(ranges[count - 1].end, range.end);
  }
  ranges.resize(count);
  ranges_ = std::move(ranges);
  std::size_t starts = 0;
  for_each_start([&](const PlaceRange&) { ++starts; });
  require(bytes() + starts * sizeof starts_[0]);
  starts_.reserve(starts);
  for_each_start([&](const PlaceRange& range) { starts_.push_back(range); });
}

/// Calls use(starts) for the starts, in each segment, of the sites within each range.
template <class Use>
void SiteGuides::for_each_start(const Use& use) const {
  std::uint64_t segment = 0;
  for (const RecordRange& range : ranges_) {
    // A segment that the range before ends in may be that of this one, too.
    const auto is_before = [&](std::uint64_t s) {
      const std::uint64_t symbols = text_.segments.starts[s + 1] - 1 - text_.segments.starts[s];
      return records_.segment_records[s] < range.record ||
             (records_.segment_records[s] == range.record &&
              records_.segment_offsets[s] + symbols <= range.begin);
    };
    while (segment < text_.segments.count && is_before(segment))
      ++segment;
    for (std::uint64_t s = segment; s < text_.segments.count; ++s) {
      const std::uint64_t offset = records_.segment_offsets[s];
      if (records_.segment_records[s] != range.record || offset >= range.end) break;
      const std::uint64_t start = text_.segments.starts[s];
      const std::uint64_t symbols = text_.segments.starts[s + 1] - 1 - start;
      const std::uint64_t begin = std::max(range.begin, offset) - offset;
      const std::uint64_t end = std::min(range.end - offset, symbols);
      if (begin + shape_.length() > end) continue;
      use(PlaceRange{start + begin, start + end - shape_.length() + 1});
    }
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

RecordRange SiteGuides::range_of(const Hit& place) const {
  const std::uint64_t segment = text_.segments.segment_at(place.position());
  const std::uint64_t begin =
      records_.segment_offsets[segment] + place.position() - text_.segments.starts[segment];
  return {records_.segment_records[segment], begin, begin + shape_.length()};
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

/// Calls use(range) for the starts in a part of sites that are not left out.
template <class Use>
void SiteGuides::for_each_range(const PlaceRange& part, const Use& use) const {
  if (everywhere_) return use(part);
  auto range = std::upper_bound(
      starts_.begin(), starts_.end(), part.begin,
      [](std::uint64_t begin, const PlaceRange& other) { return begin < other.end; });
  for (; range != starts_.end() && range->begin < part.end; ++range)
    use(PlaceRange{std::max(part.begin, range->begin), std::min(part.end, range->end)});
}

bool SiteGuides::take(std::size_t most, PlaceRange& part) {
  part = {next_, next_};
  for (std::uint64_t sites = 0; sites < most && part.end < text_.length();) {
    const PlaceRange more{part.end, std::min(part.end + range_step, text_.length())};
    for_each_range(more, [&](const PlaceRange& range) { sites += scan_.count(range); });
    part.end = more.end;
  }
  next_ = part.end;
  return part.begin < part.end;
}

void SiteGuides::find(const PlaceRange& part, RecordBatch& batch) const {
  const auto starts_before = [](const OriginSite& site, const Hit& place) {
    return site.place < place;
  };
  auto origin = std::lower_bound(origin_sites_.begin(), origin_sites_.end(), Hit(part.begin, false),
                                 starts_before);
  std::string name;
  const auto add_origins_before = [&](const Hit& place) {
    for (; origin != origin_sites_.end() && origin->place < place; ++origin)
      if (is_within(range_of(origin->place))) append_guide(origin->place, origin->key, name, batch);
  };
  for_each_range(part, [&](const PlaceRange& range) {
    scan_.for_each(range, [&](std::uint64_t start, bool reverse, std::uint64_t key) {
      const Hit place(start, reverse);
      add_origins_before(place);
      append_guide(place, key, name, batch);
    });
  });
  add_origins_before(Hit(part.end, false));
}

/// Appends the guide of a site; `name` is room for its name.
void SiteGuides::append_guide(const Hit& place, std::uint64_t key, std::string& name,
                              RecordBatch& batch) const {
  const RecordRange range = range_of(place);
  name = records_.name(range.record);
  name += ':';
  append_number(name, range.begin);
  name += '-';
  append_number(name, range.end);
  name += place.is_reverse() ? "(-)" : "(+)";
  batch.begin_record(name, "");
  batch.append_written(shape_.guide, [&](char* guide) {
    for (std::uint32_t i = 0; i < shape_.guide; ++i)
      guide[i] = "ACGT"[key >> 2 * (shape_.guide - 1 - i) & 3];
    return std::size_t{shape_.guide};
  });
}

}  // namespace gsx

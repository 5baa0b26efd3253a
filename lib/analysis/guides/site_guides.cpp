#include "analysis/guides/site_guides.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Places whose sites are counted at a time.
constexpr std::uint64_t range_step = 4096;

}  // namespace

SiteGuides::SiteGuides(const TextView& text, const RecordsView& records, const Pam& pam,
                       std::uint32_t guide_length)
    : text_(text), records_(records), shape_(pam.shape(guide_length)), scan_(text, shape_) {}

void SiteGuides::keep_within(TextRegions regions,
                             const std::function<void(std::uint64_t bytes)>& require) {
  regions_ = std::move(regions);
  stretches_ =
      regions_->stretches([&](std::uint64_t bytes) { require(regions_->bytes() + bytes); });
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

/// Calls use(range) for the starts in a part of sites that are not left out.
template <class Use>
void SiteGuides::for_each_range(const PlaceRange& part, const Use& use) const {
  if (!regions_) return use(part);
  const std::uint64_t beyond = shape_.length() - 1;
  auto stretch = std::ranges::upper_bound(stretches_, part.begin, {}, &TextStretch::end);
  for (; stretch != stretches_.end() && stretch->begin < part.end; ++stretch) {
    const std::uint64_t end = std::min(part.end, stretch->end - std::min(stretch->end, beyond));
    const PlaceRange starts{std::max(part.begin, stretch->begin), end};
    if (starts.begin < starts.end) use(starts);
  }
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
      if (!regions_ || regions_->hold(origin->place.position(), shape_.length()))
        append_guide(origin->place, origin->key, name, batch);
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
  const std::uint64_t segment = text_.segments.segment_at(place.position());
  const std::uint64_t begin =
      records_.segment_offsets[segment] + place.position() - text_.segments.starts[segment];
  name = records_.name(records_.segment_records[segment]);
  name += ':';
  append_number(name, begin);
  name += '-';
  append_number(name, begin + shape_.length());
  name += place.is_reverse() ? "(-)" : "(+)";
  batch.begin_record(name, "");
  batch.append_written(shape_.guide, [&](char* guide) {
    for (std::uint32_t i = 0; i < shape_.guide; ++i)
      guide[i] = "ACGT"[key >> 2 * (shape_.guide - 1 - i) & 3];
    return std::size_t{shape_.guide};
  });
}

}  // namespace gsx

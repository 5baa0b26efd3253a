#include "output/tracks/bigwig_sections.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "output/tracks/bigwig_format.hpp"
#include "output/tracks/block_deflater.hpp"
#include "output/tracks/dense_section.hpp"

namespace gsx {
namespace {

/// The runs of a section, one array per column.
struct Columns {
  std::uint32_t count = 0;
  std::array<std::uint32_t, section_runs> begin;
  std::array<std::uint32_t, section_runs> end;
  std::array<float, section_runs> value;

  void read(const SectionsView& sections, const TrackSection& section, TrackKind kind) {
    count = 0;
    sections.for_each_part(section, [&](std::uint64_t base, std::span<const TrackRun> runs,
                                        std::uint64_t stretch) {
      const auto from = static_cast<std::uint32_t>(base), by = static_cast<std::uint32_t>(stretch);
      const std::uint32_t at = count;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        begin[at + i] = from + runs[i].begin;
        end[at + i] = from + runs[i].end + by;
        value[at + i] = kind == TrackKind::count ? static_cast<float>(runs[i].bits)
                                                 : std::bit_cast<float>(runs[i].bits);
      }
      count += static_cast<std::uint32_t>(runs.size());
    });
  }
  bool have_one_length() const {
    std::uint32_t differences = 0;
    for (std::uint32_t i = 1; i < count; ++i)
      differences |= (end[i] - begin[i]) ^ (end[0] - begin[0]);
    return differences == 0;
  }
  bool have_one_distance() const {
    std::uint32_t differences = 0;
    for (std::uint32_t i = 2; i < count; ++i)
      differences |= (begin[i] - begin[i - 1]) ^ (begin[1] - begin[0]);
    return differences == 0;
  }
  RunColumns view() const {
    return {std::span(begin).first(count), std::span(end).first(count),
            std::span(value).first(count)};
  }
};

/// A section before compression, as words of 32 bits.
class SectionWords {
 public:
  std::string_view make(const Columns& runs, std::uint32_t id) {
    using bigwig::SectionType;
    const bool one_length = runs.have_one_length();
    const bool fixed = one_length && runs.have_one_distance();
    const std::uint32_t length = runs.end[0] - runs.begin[0];
    const std::uint32_t step = runs.count > 1 ? runs.begin[1] - runs.begin[0] : length;
    size_ = 0;
    const std::uint32_t words_per_run = fixed ? 1 : one_length ? 2 : most_words_per_run;
    for (const std::uint32_t word : {id, runs.begin[0], runs.end[runs.count - 1]})
      add(word);
    add(fixed ? step : 0);
    add(one_length ? length : 0);
    const SectionType type = fixed        ? SectionType::fixed_step
                             : one_length ? SectionType::variable_step
                                          : SectionType::bed_graph;
    add(static_cast<std::uint32_t>(type) | runs.count << 16);
    std::uint32_t* to = words_.data() + size_;
    size_ += std::size_t{words_per_run} * runs.count;
    for (std::uint32_t i = 0; i < runs.count; ++i) {
      if (!fixed) *to++ = runs.begin[i];
      if (!one_length) *to++ = runs.end[i];
      *to++ = std::bit_cast<std::uint32_t>(runs.value[i]);
    }
    return {reinterpret_cast<const char*>(words_.data()), size_ * sizeof(std::uint32_t)};
  }

 private:
  void add(std::uint32_t word) { words_[size_++] = word; }

  std::size_t size_ = 0;
  std::array<std::uint32_t, 6 + most_words_per_run * std::size_t{section_runs}> words_;
};

class SectionEncoder final : public TrackEncoder {
 public:
  SectionEncoder(std::span<const std::uint32_t> ids, TrackKind kind) : ids_(ids), kind_(kind) {}

  void encode(const SectionsView& sections, EncodedSections& to) override {
    for (const TrackSection& section : sections.sections)
      encode(sections, section, to);
  }

 private:
  void encode(const SectionsView& sections, const TrackSection& section, EncodedSections& to) {
    const std::uint32_t id = ids_[section.record];
    const std::uint32_t shift = collected_zoom_shift(section.runs_yet, section.extent_yet);
    const std::size_t first_bin = to.zooms.size();
    if (dense_.take(sections, section, kind_)) {
      add_block(dense_.words(id), {id, dense_.begin(), dense_.end(), 0}, to);
      dense_.append_bins(to.zooms, shift, id);
    } else {
      columns_.read(sections, section, kind_);
      add_block(words_.make(columns_, id),
                {id, columns_.begin[0], columns_.end[columns_.count - 1], 0}, to);
      append_bins(to.zooms, shift, id, columns_.view());
    }
    // Sums start anew, so that they do not depend on which sections are encoded together.
    ZoomRecord total = to.zooms[first_bin];
    for (std::size_t i = first_bin + 1; i < to.zooms.size(); ++i)
      total.add(to.zooms[i]);
    to.totals.push_back(total);
    to.zoom_shift = std::max(to.zoom_shift, shift);
    to.runs_yet = section.runs_yet;
    to.extent_yet = section.extent_yet;
  }

  void add_block(std::string_view words, EncodedPlace place, EncodedSections& to) {
    place.bytes = static_cast<std::uint32_t>(deflater_.deflate(words, to.bytes));
    to.places.push_back(place);
    to.most_section_bytes = std::max<std::uint64_t>(to.most_section_bytes, words.size());
  }

  std::span<const std::uint32_t> ids_;
  TrackKind kind_;
  DenseSection dense_;
  Columns columns_;
  SectionWords words_;
  BlockDeflater deflater_;
};

}  // namespace

std::unique_ptr<TrackEncoder> make_section_encoder(std::span<const std::uint32_t> ids,
                                                   TrackKind kind) {
  return std::make_unique<SectionEncoder>(ids, kind);
}

}  // namespace gsx

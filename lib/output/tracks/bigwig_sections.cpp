#include "output/tracks/bigwig_sections.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "output/tracks/bigwig_format.hpp"
#include "output/tracks/block_deflater.hpp"
#include "output/tracks/section_cutter.hpp"
#include "output/tracks/zoom_records.hpp"

namespace gsx {
namespace {

/// Most words of 32 bits per run that any other kind of section takes.
constexpr std::uint32_t most_words_per_run = 3;

/// The runs of a section as a float for each position. Where most runs have one position or two,
/// that takes the least room, and the least time: each run is read once.
class DenseSection {
 public:
  /// Takes the runs of a section; false if this is not the shortest way to store them: a position
  /// between them has no value, they all have one length, or there are too many positions. Cost:
  /// some 1.5 ns per run.
  bool take(const SectionsView& sections, const TrackSection& section, TrackKind kind);

  // Pre: take() returned true.
  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return begin_ + size_; }
  /// The section before compression, of the record with this id.
  std::string_view words(std::uint32_t id);
  /// As append_bins(zooms, shift, id, runs), but for the last bits of sums. Cost: some 1 ns per
  /// position.
  void append_bins(std::vector<ZoomRecord>& zooms, std::uint32_t shift, std::uint32_t id) const;

 private:
  static constexpr std::uint32_t header_words = 6;
  /// So many values are written of each run, without asking how long it is.
  static constexpr std::uint32_t short_run = 4;

  ZoomRecord statistics(std::uint32_t id, std::uint32_t first, std::uint32_t count) const;
  const float* values() const { return values_.data() + header_words; }

  std::uint32_t begin_ = 0;
  std::uint32_t size_ = 0;  ///< positions
  /// Behind room for the header.
  std::array<float, header_words + most_words_per_run * std::size_t{section_runs} + short_run>
      values_;
};

bool DenseSection::take(const SectionsView& sections, const TrackSection& section, TrackKind kind) {
  std::uint64_t begin = 0, end = 0, first_length = 0;
  sections.for_each_part(
      section, [&](std::uint64_t base, std::span<const TrackRun> runs, std::uint64_t stretch) {
        if (end == 0) {
          begin = base + runs.front().begin;
          first_length = runs.front().end + stretch - runs.front().begin;
        }
        end = base + runs.back().end + stretch;
      });
  if (end - begin >= most_words_per_run * std::uint64_t{section.count}) return false;
  begin_ = static_cast<std::uint32_t>(begin);
  size_ = static_cast<std::uint32_t>(end - begin);
  // A run is written over by the next one where it is shorter than what is written of it.
  float* const to = values_.data() + header_words;
  std::uint32_t at = 0, gaps = 0, differences = 0;
  sections.for_each_part(
      section, [&](std::uint64_t base, std::span<const TrackRun> runs, std::uint64_t stretch) {
        const auto from = static_cast<std::uint32_t>(base - begin);
        for (const TrackRun& run : runs) {
          const float value = kind == TrackKind::count ? static_cast<float>(run.bits)
                                                       : std::bit_cast<float>(run.bits);
          const auto length = static_cast<std::uint32_t>(run.end - run.begin + stretch);
          gaps |= (from + run.begin) ^ at;
          differences |= length ^ static_cast<std::uint32_t>(first_length);
          std::fill_n(to + at, short_run, value);
          if (length > short_run) std::fill_n(to + at + short_run, length - short_run, value);
          at += length;
        }
      });
  return gaps == 0 && differences != 0;
}

std::string_view DenseSection::words(std::uint32_t id) {
  const std::uint32_t kind =
      static_cast<std::uint32_t>(bigwig::SectionType::fixed_step) | size_ << 16;
  const std::array<std::uint32_t, header_words> header{id, begin(), end(), 1, 1, kind};
  std::memcpy(values_.data(), header.data(), sizeof header);
  return {reinterpret_cast<const char*>(values_.data()), (header_words + size_) * sizeof(float)};
}

void DenseSection::append_bins(std::vector<ZoomRecord>& zooms, std::uint32_t shift,
                               std::uint32_t id) const {
  for (std::uint32_t first = 0; first < size_;) {
    const std::uint64_t bin_end = ((std::uint64_t{begin_ + first} >> shift) + 1) << shift;
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(bin_end - begin_ - first, size_ - first));
    zooms.push_back(statistics(id, first, count));
    first += count;
  }
}

/// Statistics of `count` positions from number `first` on.
ZoomRecord DenseSection::statistics(std::uint32_t id, std::uint32_t first,
                                    std::uint32_t count) const {
  constexpr std::uint32_t lanes = 4;  // added up apart, so that the compiler makes vectors of them
  const float* const from = values() + first;
  const std::uint32_t whole = count / lanes * lanes;
  std::array<float, lanes> least, most;
  least.fill(from[0]);
  most.fill(from[0]);
  std::array<double, lanes> sums{}, squares{};
  for (std::uint32_t i = 0; i < whole; i += lanes) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const float value = from[i + lane];
      const double wide = value;
      least[lane] = value < least[lane] ? value : least[lane];
      most[lane] = value > most[lane] ? value : most[lane];
      sums[lane] += wide;
      squares[lane] += wide * wide;
    }
  }
  const std::uint32_t begin = begin_ + first;
  ZoomRecord all{id,
                 begin,
                 begin + count,
                 count,
                 *std::ranges::min_element(least),
                 *std::ranges::max_element(most),
                 (sums[0] + sums[1]) + (sums[2] + sums[3]),
                 (squares[0] + squares[1]) + (squares[2] + squares[3])};
  for (std::uint32_t i = whole; i < count; ++i) {
    const double wide = from[i];
    all.least = std::min(all.least, from[i]);
    all.most = std::max(all.most, from[i]);
    all.sum += wide;
    all.squares += wide * wide;
  }
  return all;
}

/// The runs of a section, one array per column.
struct BigwigColumns {
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
  std::string_view make(const BigwigColumns& runs, std::uint32_t id) {
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
  BigwigColumns columns_;
  SectionWords words_;
  BlockDeflater deflater_;
};

}  // namespace

std::unique_ptr<TrackEncoder> make_section_encoder(std::span<const std::uint32_t> ids,
                                                   TrackKind kind) {
  return std::make_unique<SectionEncoder>(ids, kind);
}

}  // namespace gsx

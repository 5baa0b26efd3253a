// A section that has a value for each position.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "output/tracks/section_cutter.hpp"
#include "output/tracks/zoom_records.hpp"

namespace gsx {

/// Most words of 32 bits per run that any other kind of section takes.
inline constexpr std::uint32_t most_words_per_run = 3;

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

}  // namespace gsx

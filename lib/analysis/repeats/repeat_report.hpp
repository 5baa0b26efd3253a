// Formats repeats and pairs of their places as lines of text.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/repeats/repeat_values.hpp"
#include "output/lines/target_finder.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* repeat_header =
    "repeat_id\tlength\tn_total\tn_reported\ttruncated\tplaces\n";
inline constexpr const char* repeat_pair_header =
    "target_id\tstart\tend\ttarget_id2\tstart2\tend2\tlength\tstrand\n";

/// Writes repeats with the coordinates of records, 0-based and half-open, on the forward strand.
class RepeatReport {
 public:
  RepeatReport(const RecordsView& targets, const SegmentsView& segments)
      : targets_(targets), finder_(targets, segments) {}

  /// Appends a line of TSV. In the names of its places a comma is written as \x2C, and backslashes
  /// before it are doubled.
  void append_tsv(std::string& out, std::uint64_t id, const Repeat& repeat);
  /// Appends a line of BED6 per place.
  void append_bed(std::string& out, std::uint64_t id, const Repeat& repeat);
  /// Appends a line of TSV.
  void append_pair(std::string& out, const RepeatPair& pair);

 private:
  enum class Style : std::uint8_t { column, list, bed };

  /// Appends the name of the record of a position, and returns its start there.
  std::uint64_t append_target(std::string& out, std::uint64_t position, Style style);

  RecordsView targets_;
  TargetFinder finder_;
  std::string name_;  ///< as it is written
  std::uint64_t target_ = ~std::uint64_t{0};
  Style style_ = Style::column;
};

}  // namespace gsx

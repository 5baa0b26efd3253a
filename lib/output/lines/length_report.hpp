// Formats matching statistics, and the places of the matches that they measure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text_pieces.hpp"
#include "output/lines/target_finder.hpp"
#include "search/matches/match_lengths.hpp"
#include "text/text.hpp"

namespace gsx {

/// One number per position of a query: as text, or as 16 or 32 bits, little-endian.
enum class LengthFormat : std::uint8_t { text, u16, u32 };

/// Writes lengths. As text, a query is a line with > and its name, and a line of lengths with
/// blanks between them.
class LengthReport {
 public:
  explicit LengthReport(LengthFormat format) : format_(format) {}

  void begin(TextPieces& pieces, std::string_view name);
  /// Appends the lengths of a run of the query `name`. Throws UsageError if one of them is too
  /// large for the format.
  void append(TextPieces& pieces, const LengthRun& run, std::string_view name);
  void end(TextPieces& pieces);

 private:
  LengthFormat format_;
};

/// Writes one place per position. As text, it is TARGET:START:STRAND, or * where there is no match,
/// in lines as lengths have them. Otherwise, it is 16 bytes, little-endian: the number of the
/// target (32 bits), 1 for the forward strand, -1 for the reverse one, 0 for no match (32 bits),
/// and the start (64 bits).
class PlaceReport {
 public:
  PlaceReport(LengthFormat format, const RecordsView& targets, const SegmentsView& segments)
      : format_(format), targets_(targets), finder_(targets, segments) {}

  void begin(TextPieces& pieces, std::string_view name);
  /// Appends the places of a run.
  void append(TextPieces& pieces, const LengthRun& run);
  void end(TextPieces& pieces);

 private:
  LengthFormat format_;
  RecordsView targets_;
  TargetFinder finder_;
  std::string target_;  ///< TARGET:
};

}  // namespace gsx

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

/// Writes what comes before and behind the numbers of a query. As text, a query is a line with >
/// and its name, and a line of numbers with blanks between them.
class LengthLines {
 public:
  void begin(TextPieces& pieces, std::string_view name);
  void end(TextPieces& pieces);

 protected:
  explicit LengthLines(LengthFormat format) : format_(format) {}

  LengthFormat format_;
};

/// Writes lengths.
class LengthReport : public LengthLines {
 public:
  explicit LengthReport(LengthFormat format) : LengthLines(format) {}

  /// Appends the lengths of a run of the query `name`. Throws UsageError if one of them is too
  /// large for the format.
  void append(TextPieces& pieces, const LengthRun& run, std::string_view name);
};

/// Writes one place per position. As text, it is TARGET:START:STRAND, or * where there is no match,
/// in lines as lengths have them. Otherwise, it is 16 bytes, little-endian: the number of the
/// target (32 bits), 1 for the forward strand, -1 for the reverse one, 0 for no match (32 bits),
/// and the start (64 bits).
class PlaceReport : public LengthLines {
 public:
  PlaceReport(LengthFormat format, const RecordsView& targets, const SegmentsView& segments)
      : LengthLines(format), targets_(targets), finder_(targets, segments) {}

  /// Appends the places of a run.
  void append(TextPieces& pieces, const LengthRun& run);

 private:
  RecordsView targets_;
  TargetFinder finder_;
  std::string target_;  ///< TARGET:
};

}  // namespace gsx

// Formats pairs of matches as lines of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/text_pieces.hpp"
#include "output/lines/target_finder.hpp"
#include "search/matches/matches.hpp"
#include "text/text.hpp"

namespace gsx {

enum class PairFormat : std::uint8_t {
  tsv,
  paf,
  jsonl,   ///< one object per pair
  mummer,  ///< as `mummer -b -n -c -F` prints
};

inline constexpr const char* pair_header =
    "query_id\tqstart\tqend\tlength\ttarget_id\ttstart\ttend\tstrand\n";

/// A query whose pairs are written, and where it begins in what they refer to.
struct PairQuery {
  std::string_view name;
  std::uint64_t begin;
  std::uint64_t length;
};

/// Writes pairs. Coordinates are those of records, 0-based and half-open, on the forward strand of
/// the target and on the query as given; in the format mummer they are 1-based, and a pair on the
/// reverse strand has the last base of its interval of the query.
class PairReport {
 public:
  PairReport(PairFormat format, const RecordsView& targets, const SegmentsView& segments);

  /// Writes the line that the pairs of a strand of a query follow, if the format has one.
  void begin(TextPieces& pieces, const PairQuery& query, bool reverse);
  void append(TextPieces& pieces, const PairQuery& query, std::span<const MatchPair> pairs);

 private:
  void name_query(const PairQuery& query);
  void name_target(std::uint64_t target);
  /// Where a pair lies in the records.
  struct Place {
    std::uint64_t begin, end;  ///< in the query
    std::uint64_t target_begin, target_end;
    std::uint64_t length;
    char strand;
  };
  Place place_of(const PairQuery& query, const MatchPair& pair);
  char* put_tsv(char* at, const Place& place) const;
  char* put_paf(char* at, const Place& place) const;
  void append_mummer(std::string& out, const Place& place) const;
  void append_json(std::string& out, const Place& place) const;

  PairFormat format_;
  RecordsView targets_;
  TargetFinder finder_;
  std::size_t name_width_ = 0;  ///< of the longest name of a target
  std::string query_;           ///< what lines begin with
  std::string target_name_;     ///< as the format writes it
  std::uint64_t target_ = ~std::uint64_t{0};
};

}  // namespace gsx

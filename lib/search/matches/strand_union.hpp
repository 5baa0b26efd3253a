// Makes the maximal matches of queries of those of their strands, each match for itself, for a GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/query_pieces.hpp"

namespace gsx {

/// A match of a job, which is a piece on a strand, in the coordinates of that. Jobs find theirs in
/// any order of jobs.
template <class Offset, class Pos>
struct FoundMatch {
  Offset begin;
  Offset length;
  Pos count;
  std::uint32_t job;
  std::uint32_t number;  ///< of the match in its job
};

/// A match in the coordinates of its query.
template <class Offset, class Pos>
struct ListedMatch {
  Offset begin;
  Offset length;
  Pos count;
  std::uint32_t piece;

  GSX_HD Offset end() const { return begin + length; }
};

/// Does what merge_strands() does, with work that does not depend on other work of the same step.
/// Jobs are all pieces on the forward strand, then all on the reverse strand. The steps: list()
/// each match that was found; mark those that keeps() says are kept, and sum the marks up; report()
/// each, and the end of each query's matches.
///
/// Both strands' matches of a query begin, and end, in ascending order. So only one of the other
/// strand can contain a match: that which begins last of those that do not begin behind it. What is
/// kept lies in no other match, so the order of the begins is that of all of them.
template <class Offset, class Pos>
struct StrandUnion {
  using Found = FoundMatch<Offset, Pos>;
  using Listed = ListedMatch<Offset, Pos>;

  const QueryPiece<Offset>* pieces;
  std::uint32_t piece_count;
  bool forward, reverse;        ///< which strands are searched
  const std::uint32_t* begins;  ///< [jobs() + 1]: of each job's matches in `listed`
  Listed* listed;               ///< [total()]
  const std::uint32_t* kept;    ///< [total() + 1]: how many before each are kept

  GSX_HD std::uint32_t jobs() const {
    return (forward ? piece_count : 0) + (reverse ? piece_count : 0);
  }
  GSX_HD bool is_reverse(std::uint32_t job) const { return !forward || job >= piece_count; }
  GSX_HD std::uint32_t piece_of(std::uint32_t job) const {
    return job < piece_count ? job : job - piece_count;
  }
  GSX_HD std::uint32_t total() const { return begins[jobs()]; }

  GSX_HD void list(const Found& found) const {
    const bool is_on_reverse = is_reverse(found.job);
    const std::uint32_t piece = piece_of(found.job);
    const std::uint32_t place =
        is_on_reverse ? begins[found.job + 1] - 1 - found.number : begins[found.job] + found.number;
    listed[place] = {pieces[piece].place_of(found.begin, found.length, is_on_reverse), found.length,
                     found.count, piece};
  }
  /// Whether listed match i is kept.
  GSX_HD bool keeps(std::uint32_t i) const {
    Pos other_count = 0;
    return keeps(i, behind(i), other_count);
  }
  /// Writes listed match i where it belongs among those of all queries, if it is kept.
  GSX_HD void report(std::uint32_t i, MaximalMatch* matches) const {
    const std::uint32_t end = behind(i);
    Pos other_count = 0;
    if (!keeps(i, end, other_count)) return;
    const bool is_on_reverse = lies_in_reverse(i);
    const Listed match = listed[i];
    const std::uint32_t place =
        kept[i] - kept[list_begin(is_on_reverse)] + kept[end] - kept[list_begin(!is_on_reverse)];
    matches[place] = {match.begin, match.length,
                      is_on_reverse ? StrandCounts{other_count, match.count}
                                    : StrandCounts{match.count, other_count}};
  }
  /// End of the matches of a query in those of all, from the end of its pieces.
  GSX_HD std::uint64_t end_of(std::uint32_t end_piece) const {
    std::uint64_t end = 0;
    if (forward) end += kept[begins[end_piece]];
    if (reverse) end += kept[begins[first_job(true) + end_piece]] - kept[list_begin(true)];
    return end;
  }

 private:
  GSX_HD std::uint32_t first_job(bool on_reverse) const {
    return on_reverse && forward ? piece_count : 0;
  }
  /// Where the matches of a strand begin.
  GSX_HD std::uint32_t list_begin(bool on_reverse) const { return begins[first_job(on_reverse)]; }
  GSX_HD bool lies_in_reverse(std::uint32_t i) const {
    return !forward || (reverse && i >= list_begin(true));
  }
  /// The first match of the other strand in the same stretch or later ones that begins behind
  /// listed match i; if only one strand is searched, where the other's would begin.
  GSX_HD std::uint32_t behind(std::uint32_t i) const {
    const bool on_reverse = lies_in_reverse(i);
    if (!(on_reverse ? forward : reverse)) return list_begin(!on_reverse);
    const std::uint32_t job = first_job(!on_reverse);
    const QueryPiece<Offset>& piece = pieces[listed[i].piece];
    const Offset begin = listed[i].begin;
    std::uint32_t low = begins[job + piece.first_piece], high = begins[job + piece.end_piece];
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (listed[middle].begin <= begin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  /// Pre: `end` is behind(i).
  GSX_HD bool keeps(std::uint32_t i, std::uint32_t end, Pos& other_count) const {
    const bool on_reverse = lies_in_reverse(i);
    if (!(on_reverse ? forward : reverse)) return true;
    const QueryPiece<Offset>& piece = pieces[listed[i].piece];
    if (end == begins[first_job(!on_reverse) + piece.first_piece]) return true;
    const Listed match = listed[i], other = listed[end - 1];
    if (other.end() < match.end()) return true;
    if (other.begin != match.begin || other.length != match.length) return false;
    other_count = other.count;
    return !on_reverse;
  }
};
static_assert(std::is_trivially_copyable_v<StrandUnion<std::uint32_t, std::uint32_t>>);

}  // namespace gsx

#include "search/matches/piece_search.hpp"

#include <algorithm>
#include <numeric>

#include "base/bits.hpp"
#include "base/compiled_for.hpp"
#include "base/parallel.hpp"
#include "search/matches/walks_in_flight.hpp"

namespace gsx {
namespace {

/// Pieces that a thread takes at a time: the most, and the least if there are so many.
constexpr std::size_t most_at_once = 512, least_at_once = 16;

struct Found {
  std::uint64_t piece;
  StrandMatch match;
};

/// Finds the matches of pieces [first, last), in no particular order of pieces.
template <class Pos>
std::vector<Found> search_some(const SearchedIndex& index, std::span<const MatchPiece> pieces,
                               std::size_t first, std::size_t last, std::uint64_t min_length) {
  using Walk = MatchWalk<Pos>;
  struct Active {
    Walk walk;
    std::size_t piece;
  };
  std::vector<Found> found;
  run_walks<Active>(
      [&](Active& one) {
        if (first == last) return false;
        one.piece = first++;
        one.walk.start(index, pieces[one.piece], min_length);
        return true;
      },
      [&](Active& one) {
        const auto event = one.walk.step(index);
        if (event == Walk::Event::match) found.push_back({one.piece, one.walk.match()});
        return event == Walk::Event::none || event == Walk::Event::match;
      });
  return found;
}

/// Adds the matches of `found` to each piece's, which begin at begins[piece].
void sort_in(const std::vector<Found>& found, std::vector<std::uint64_t>& begins,
             std::vector<StrandMatch>& matches) {
  for (const Found& one : found)
    matches[begins[one.piece]++] = one.match;
}

template <class Pos>
PieceMatches search_all(const SearchedIndex& index, std::span<const MatchPiece> pieces,
                        std::uint64_t min_length, int threads, CpuPath path) {
  const auto search = compiled_for<search_some<Pos>>(path);
  const std::size_t at_once =
      std::clamp(pieces.size() / (2 * static_cast<std::size_t>(std::max(threads, 1))),
                 least_at_once, most_at_once);
  const std::uint64_t tasks = divide_up(pieces.size(), at_once);
  std::vector<std::vector<Found>> found(tasks);
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    const std::size_t first = task * at_once;
    found[task] =
        search(index, pieces, first, std::min(first + at_once, pieces.size()), min_length);
  });
  PieceMatches result;
  result.ends.assign(pieces.size(), 0);
  for (const auto& some : found) {
    for (const Found& one : some)
      ++result.ends[one.piece];
  }
  std::exclusive_scan(result.ends.begin(), result.ends.end(), result.ends.begin(),
                      std::uint64_t{0});
  std::uint64_t size = 0;
  for (const auto& some : found)
    size += some.size();
  result.matches.resize(size);
  for (const auto& some : found)
    sort_in(some, result.ends, result.matches);
  return result;
}

}  // namespace

PieceMatches search_pieces(const SearchedIndex& index, bool wide,
                           std::span<const MatchPiece> pieces, std::uint64_t min_length,
                           int threads, CpuPath path) {
  return wide ? search_all<std::uint64_t>(index, pieces, min_length, threads, path)
              : search_all<std::uint32_t>(index, pieces, min_length, threads, path);
}

}  // namespace gsx

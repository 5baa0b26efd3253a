#include "match/detect_pieces.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "match/detect_walk.hpp"

namespace gsx {
namespace {

/// Walks in flight per thread: enough cache misses to fill the line buffers of a core, few enough
/// that their state stays in the L1 cache.
constexpr std::size_t walks_in_flight = 48;
/// Fewest pieces that a thread takes at a time, if there are so many.
constexpr std::size_t least_at_once = 64;

template <class Pos>
void detect_some(const SearchedIndex& index, std::span<const DetectPiece> pieces,
                 std::uint64_t min_length, std::span<std::uint8_t> matched) {
  using Walk = DetectWalk<Pos>;
  struct Active {
    Walk walk;
    std::uint64_t query;
  };
  const auto is_matched = [&](std::uint64_t query) {
    return std::atomic_ref(matched[query]).load(std::memory_order_relaxed) != 0;
  };
  std::array<Active, walks_in_flight> active;
  std::size_t walks = 0, next = 0;
  /// Starts the next piece of a query that is still open; false if there is none.
  const auto begin = [&](Active& one) {
    while (next < pieces.size() && is_matched(pieces[next].query))
      ++next;
    if (next == pieces.size()) return false;
    one.query = pieces[next].query;
    one.walk.start(index, pieces[next++].piece, min_length);
    return true;
  };
  while (walks < walks_in_flight && begin(active[walks]))
    ++walks;
  while (walks > 0) {
    for (std::size_t i = 0; i < walks; ++i) {
      Active& one = active[i];
      const auto event = one.walk.step(index);
      if (event == Walk::Event::none) continue;
      if (event == Walk::Event::found)
        std::atomic_ref(matched[one.query]).store(1, std::memory_order_relaxed);
      if (!begin(one)) one = active[--walks];
    }
  }
}

template <class Pos>
void detect_all(const SearchedIndex& index, std::span<const DetectPiece> pieces,
                std::uint64_t min_length, int threads, std::span<std::uint8_t> matched) {
  if (threads < 2) return detect_some<Pos>(index, pieces, min_length, matched);
  const std::size_t at_once =
      std::max(least_at_once, pieces.size() / (4 * static_cast<std::size_t>(threads)));
  parallel_for(threads, divide_up(pieces.size(), at_once), [&](std::uint64_t task, int) {
    const std::size_t first = task * at_once;
    detect_some<Pos>(index, pieces.subspan(first, std::min(at_once, pieces.size() - first)),
                     min_length, matched);
  });
}

}  // namespace

void detect_in_pieces(const SearchedIndex& index, bool wide, std::span<const DetectPiece> pieces,
                      std::uint64_t min_length, int threads, std::span<std::uint8_t> matched) {
  if (wide) {
    detect_all<std::uint64_t>(index, pieces, min_length, threads, matched);
  } else {
    detect_all<std::uint32_t>(index, pieces, min_length, threads, matched);
  }
}

}  // namespace gsx

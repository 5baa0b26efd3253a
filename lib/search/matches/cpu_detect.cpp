// Which queries have a match, found on all threads of the CPU.
#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/compiled_for.hpp"
#include "base/parallel.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "search/matches/detect_pieces.hpp"
#include "search/matches/detect_walk.hpp"
#include "search/matches/walks_in_flight.hpp"

namespace gsx {
namespace {

/// Fewest jobs that a thread takes at a time, if there are so many.
constexpr std::uint64_t least_jobs = 64;

/// What the threads of a group share.
struct Detection {
  SearchedIndex index;
  const std::uint8_t* codes;  ///< of all queries
  DetectJobs<std::uint64_t> jobs;
  std::uint64_t min_length;
  std::span<std::uint8_t> matched;  ///< becomes 1 for each query in which a match is found
};

/// Does jobs [next, last), but for those of queries that are known to match.
template <class Pos>
void detect_some(const Detection& all, std::uint32_t next, std::uint32_t last) {
  using Walk = DetectWalk<Pos>;
  struct Active {
    Walk walk;
    std::uint64_t query;
  };
  const auto is_matched = [&](std::uint64_t query) {
    return std::atomic_ref(all.matched[query]).load(std::memory_order_relaxed) != 0;
  };
  run_walks<Active>(
      [&](Active& one) {
        while (next < last && is_matched(all.jobs.piece(next).query))
          ++next;
        if (next == last) return false;
        const DetectPiece<std::uint64_t>& piece = all.jobs.piece(next);
        one.query = piece.query;
        one.walk.start(all.index,
                       {all.codes + piece.begin, piece.length, all.jobs.is_reverse(next++)},
                       all.min_length);
        return true;
      },
      [&](Active& one) {
        const auto event = one.walk.step(all.index);
        if (event == Walk::Event::found)
          std::atomic_ref(all.matched[one.query]).store(1, std::memory_order_relaxed);
        return event == Walk::Event::none;
      });
}

template <class Pos>
void detect_all(const Detection& all, int threads, CpuPath path) {
  const auto detect = compiled_for<detect_some<Pos>>(path);
  const std::uint64_t jobs = all.jobs.size();
  if (threads < 2) return detect(all, 0, all.jobs.size());
  const std::uint64_t at_once =
      std::max(least_jobs, jobs / (4 * static_cast<std::uint64_t>(threads)));
  parallel_for(threads, divide_up(jobs, at_once), [&](std::uint64_t task, int) {
    const std::uint64_t first = task * at_once;
    detect(all, static_cast<std::uint32_t>(first),
           static_cast<std::uint32_t>(std::min(first + at_once, jobs)));
  });
}

}  // namespace

void CpuMatchSearcher::count(const Patterns& queries, const MatchRequest& request,
                             std::vector<std::uint8_t>& matched) const {
  const ThreadShare::Call call(share_);
  const std::uint64_t min_length = std::max<std::uint64_t>(request.min_length, 1);
  const bool forward = request.strands != Strands::reverse;
  const bool reverse = complements_ && request.strands != Strands::forward;
  matched.assign(queries.size(), 0);
  for (std::size_t first = 0, last = 0; first < queries.size(); first = last) {
    std::uint64_t symbols = queries[last++].size();
    while (last < queries.size() && symbols + queries[last].size() <= group_symbols_)
      symbols += queries[last++].size();
    const Patterns some = queries.some(first, last);
    const auto pieces = detect_pieces<std::uint64_t>(some, text_.sigma, min_length, tuning_);
    const Detection all{
        {fm_.view(symbols), text_},
        some.codes.data() + some.begin,
        {pieces.data(), static_cast<std::uint32_t>(pieces.size()), forward, reverse},
        min_length,
        std::span(matched).subspan(first)};
    const auto threads = static_cast<int>(std::min<std::uint64_t>(
        symbols / symbols_per_thread + 1, static_cast<std::uint64_t>(call.threads())));
    wide_ ? detect_all<std::uint64_t>(all, threads, path_)
          : detect_all<std::uint32_t>(all, threads, path_);
  }
}

}  // namespace gsx

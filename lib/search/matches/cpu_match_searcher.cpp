#include "search/matches/cpu_match_searcher.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/compiled_for.hpp"
#include "base/cpu_path.hpp"
#include "base/parallel.hpp"
#include "index/sa/suffix_array.hpp"
#include "search/matches/match_chunks.hpp"
#include "search/matches/match_gaps.hpp"
#include "search/matches/match_walk.hpp"
#include "search/matches/merge_strands.hpp"
#include "search/matches/walks_in_flight.hpp"

namespace gsx {
namespace {

/// Matches of pieces, piece by piece, in the order of their begins.
struct PieceMatches {
  std::vector<StrandMatch> matches;
  std::vector<std::uint64_t> ends;  ///< of each piece's matches

  std::span<const StrandMatch> of(std::size_t piece) const {
    const std::uint64_t begin = piece == 0 ? 0 : ends[piece - 1];
    return std::span(matches).subspan(begin, ends[piece] - begin);
  }
};

/// Pieces that a thread takes at a time: the most, and the least if there are so many.
constexpr std::size_t most_at_once = 512, least_at_once = 16;

struct PieceMatch {
  std::uint64_t piece;
  StrandMatch match;
};

/// Finds the matches of pieces [first, last), in no particular order of pieces.
template <class Pos>
std::vector<PieceMatch> search_some(const SearchedIndex& index, std::span<const MatchPiece> pieces,
                                    std::size_t first, std::size_t last, std::uint64_t min_length) {
  using Walk = MatchWalk<Pos>;
  struct Active {
    Walk walk;
    std::size_t piece;
  };
  std::vector<PieceMatch> found;
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
void sort_in(const std::vector<PieceMatch>& found, std::vector<std::uint64_t>& begins,
             std::vector<StrandMatch>& matches) {
  for (const PieceMatch& one : found)
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
  std::vector<std::vector<PieceMatch>> found(tasks);
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    const std::size_t first = task * at_once;
    found[task] =
        search(index, pieces, first, std::min(first + at_once, pieces.size()), min_length);
  });
  PieceMatches result;
  result.ends.assign(pieces.size(), 0);
  for (const auto& some : found) {
    for (const PieceMatch& one : some)
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

/// Finds the matches of at least `min_length` symbols of all pieces, on up to `threads` threads.
/// `wide`: whether positions need 64 bits. Throws CorruptIndexError if the index leads outside
/// itself.
PieceMatches search_pieces(const SearchedIndex& index, bool wide,
                           std::span<const MatchPiece> pieces, std::uint64_t min_length,
                           int threads, CpuPath path) {
  return wide ? search_all<std::uint64_t>(index, pieces, min_length, threads, path)
              : search_all<std::uint32_t>(index, pieces, min_length, threads, path);
}

/// Hits that take as much memory as what is found and kept per symbol in bad cases.
constexpr std::uint64_t hits_per_symbol = 16;

/// Gaps between long matches that are searched together.
constexpr std::size_t most_gaps = std::size_t{1} << 14;

/// Symbols of a match that is hardly one by chance: half more than the text has of each string of
/// so many symbols once.
std::uint64_t symbols_of_long(std::uint64_t length, std::uint32_t sigma) {
  std::uint64_t symbols = 1;
  for (std::uint64_t strings = sigma; strings < length && symbols < 64; strings *= sigma)
    ++symbols;
  return symbols + symbols / 2 + 2;
}

}  // namespace

CpuMatchSearcher::CpuMatchSearcher(const Index& index, int threads, const SearchMemory& memory,
                                   const MatchTuning& tuning, CpuPath path)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0),
      text_(index.text()),
      tuning_(tuning),
      group_symbols_(std::min(tuning.group_symbols, memory.hits_at_once / hits_per_symbol)),
      long_symbols_(tuning.long_symbols != 0 ? tuning.long_symbols
                                             : symbols_of_long(text_.length(), text_.sigma)),
      complements_(index.alphabet().has_reverse_complement()),
      wide_(is_wide(index.meta().length, PositionWidth::automatic)),
      path_(path),
      share_(threads) {}

/// One call.
///
/// Short matches are many: on each strand, about one begins at every other symbol by chance, and
/// where the other strand has a long match, they are inside it. So if both strands are searched for
/// short ones, long ones are found first, and short ones only between them.
class CpuMatchSearcher::Search {
 public:
  Search(const CpuMatchSearcher& searcher, const Patterns& queries, const MatchRequest& request,
         const MatchSink& sink)
      : searcher_(searcher),
        queries_(queries),
        min_length_(std::max<std::uint64_t>(request.min_length, 1)),
        forward_(request.strands != Strands::reverse),
        reverse_(searcher.complements_ && request.strands != Strands::forward),
        call_(searcher.share_),
        chunks_(sink, searcher.group_symbols_) {}

  void run() {
    const auto stretches = stretches_of(queries_, searcher_.text_.sigma, min_length_);
    if (forward_ && reverse_ && min_length_ < searcher_.long_symbols_) {
      find_in_two(stretches);
    } else {
      find(
          stretches, min_length_,
          [&](std::size_t i, const MaximalMatch& match) { add(stretches[i].query, match); },
          [](std::size_t) {});
    }
    chunks_.finish(queries_.size());
  }

 private:
  using Stretches = std::span<const QueryStretch>;
  using Matches = std::vector<MaximalMatch>;

  /// Finds the long matches, and then, some at a time, the short ones before each.
  void find_in_two(Stretches stretches) {
    MatchGaps gaps(min_length_, searcher_.long_symbols_);
    const auto check = [&] {
      if (gaps.symbols() >= searcher_.group_symbols_ || gaps.size() >= most_gaps) fill(gaps);
    };
    find(
        stretches, searcher_.long_symbols_,
        [&](std::size_t i, const MaximalMatch& match) {
          gaps.add(stretches[i], match);
          check();
        },
        [&](std::size_t i) {
          gaps.end(stretches[i]);
          check();
        });
    fill(gaps);
  }
  /// Gives the short matches of each gap, and the long match behind it.
  void fill(MatchGaps& gaps) {
    find(
        gaps.stretches(), min_length_,
        [&](std::size_t i, const MaximalMatch& match) {
          if (gaps.keeps(i, match)) add(gaps.stretches()[i].query, match);
        },
        [&](std::size_t i) {
          if (const MaximalMatch* behind = gaps.match_behind(i))
            add(gaps.stretches()[i].query, *behind);
        });
    gaps.clear();
  }

  /// Calls take(i, match) for each match of stretch i of at least min_length symbols, and end(i)
  /// after those of each stretch, in order.
  template <class Take, class End>
  void find(Stretches stretches, std::uint64_t min_length, const Take& take, const End& end) {
    for (std::size_t i = 0; i < stretches.size();) {
      std::size_t last = i + 1;
      std::uint64_t symbols = stretches[i].length();
      while (last < stretches.size() &&
             symbols + stretches[last].length() <= searcher_.group_symbols_)
        symbols += stretches[last++].length();
      if (symbols <= searcher_.group_symbols_) {
        find_together(stretches, i, last, min_length, take, end);
      } else {
        find_alone(stretches, i, min_length, take);
        end(i);
      }
      i = last;
    }
  }

  PieceMatches search(const std::vector<MatchPiece>& pieces, std::uint64_t symbols,
                      std::uint64_t min_length) const {
    const std::uint64_t worth = std::min<std::uint64_t>(symbols / symbols_per_thread + 1, 1 << 16);
    return search_pieces({searcher_.fm_.view(symbols), searcher_.text_}, searcher_.wide_, pieces,
                         min_length, std::min(static_cast<int>(worth), call_.threads()),
                         searcher_.path_);
  }

  /// Searches short stretches [first, last) all at once.
  template <class Take, class End>
  void find_together(Stretches stretches, std::size_t first, std::size_t last,
                     std::uint64_t min_length, const Take& take, const End& end) {
    std::vector<MatchPiece> pieces;
    std::uint64_t symbols = 0;
    for (const QueryStretch& stretch : stretches.subspan(first, last - first)) {
      symbols += stretch.length();
      for (const bool reverse : {false, true}) {
        const StretchStrand strand(queries_, stretch, reverse, searcher_.tuning_);
        for (std::uint64_t i = 0; is_searched(reverse) && i < strand.pieces(); ++i)
          pieces.push_back(strand.piece(i));
      }
    }
    const PieceMatches found = search(pieces, symbols, min_length);
    std::size_t piece = 0;
    Matches of_strand[2];
    for (std::size_t number = first; number < last; ++number) {
      for (const bool reverse : {false, true}) {
        const StretchStrand strand(queries_, stretches[number], reverse, searcher_.tuning_);
        of_strand[reverse].clear();
        for (std::uint64_t i = 0; is_searched(reverse) && i < strand.pieces(); ++i)
          strand.append(found.of(piece++), of_strand[reverse]);
      }
      bool given[2] = {false, false};
      const auto once = [&](bool reverse) {
        return std::exchange(given[reverse], true)
                   ? std::span<const MaximalMatch>()
                   : std::span<const MaximalMatch>(of_strand[reverse]);
      };
      merge_strands([&] { return once(false); }, [&] { return once(true); },
                    [&](const MaximalMatch& match) { take(number, match); });
      end(number);
    }
  }

  /// Searches a long stretch, some pieces of one strand at a time.
  template <class Take>
  void find_alone(Stretches stretches, std::size_t number, std::uint64_t min_length,
                  const Take& take) {
    const StretchStrand forward(queries_, stretches[number], false, searcher_.tuning_);
    const StretchStrand reverse(queries_, stretches[number], true, searcher_.tuning_);
    std::uint64_t next[2] = {forward_ ? 0 : forward.pieces(), reverse_ ? 0 : reverse.pieces()};
    Matches of_strand[2];
    const auto next_of = [&](const StretchStrand& strand, std::uint64_t& i, Matches& matches) {
      matches.clear();
      while (matches.empty() && i < strand.pieces()) {
        const auto threads = static_cast<std::uint64_t>(call_.threads());
        const std::uint64_t some = std::max<std::uint64_t>(
            threads, threads * searcher_.group_symbols_ / strand.piece_symbols());
        std::vector<MatchPiece> pieces;
        for (const std::uint64_t end = i + some; i < end && i < strand.pieces(); ++i)
          pieces.push_back(strand.piece(i));
        const PieceMatches found =
            search(pieces, pieces.size() * strand.piece_symbols(), min_length);
        for (std::size_t piece = 0; piece < pieces.size(); ++piece)
          strand.append(found.of(piece), matches);
      }
      return std::span<const MaximalMatch>(matches);
    };
    merge_strands([&] { return next_of(forward, next[0], of_strand[0]); },
                  [&] { return next_of(reverse, next[1], of_strand[1]); },
                  [&](const MaximalMatch& match) { take(number, match); });
  }
  void add(std::size_t query, const MaximalMatch& match) {
    chunks_.close_until(query);
    chunks_.add(match);
    chunks_.flush_if_full();
  }
  bool is_searched(bool reverse) const { return reverse ? reverse_ : forward_; }

  const CpuMatchSearcher& searcher_;
  const Patterns& queries_;
  std::uint64_t min_length_;
  bool forward_;
  bool reverse_;
  const ThreadShare::Call call_;
  MatchChunks chunks_;
};

void CpuMatchSearcher::stream(const Patterns& queries, const MatchRequest& request,
                              const MatchSink& sink) const {
  Search(*this, queries, request, sink).run();
}

}  // namespace gsx

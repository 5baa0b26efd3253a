#include "match/cpu_match_searcher.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "match/merge_strands.hpp"
#include "match/piece_search.hpp"
#include "sa/suffix_array.hpp"

namespace gsx {
namespace {

/// Symbols that are worth a thread of their own.
constexpr std::uint64_t symbols_per_thread = std::uint64_t{1} << 17;

/// Hits that take as much memory as what is found and kept per symbol in bad cases.
constexpr std::uint64_t hits_per_symbol = 16;

}  // namespace

CpuMatchSearcher::CpuMatchSearcher(const Index& index, int threads, const SearchMemory& memory,
                                   const MatchTuning& tuning)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0),
      text_(index.text()),
      tuning_(tuning),
      group_symbols_(std::min(tuning.group_symbols, memory.hits_at_once / hits_per_symbol)),
      complements_(index.alphabet().has_reverse_complement()),
      wide_(is_wide(index.meta().length, PositionWidth::automatic)),
      share_(threads) {}

/// One call.
class CpuMatchSearcher::Search {
 public:
  Search(const CpuMatchSearcher& searcher, const MatchRequest& request, const MatchSink& sink)
      : searcher_(searcher),
        sink_(sink),
        min_length_(std::max<std::uint64_t>(request.min_length, 1)),
        forward_(request.strands != Strands::reverse),
        reverse_(searcher.complements_ && request.strands != Strands::forward),
        call_(searcher.share_) {}

  void run(const Patterns& queries) {
    const auto stretches = stretches_of(queries, searcher_.text_.sigma, min_length_);
    for (std::size_t i = 0; i < stretches.size();) {
      std::size_t end = i + 1;
      std::uint64_t symbols = stretches[i].length();
      while (end < stretches.size() &&
             symbols + stretches[end].length() <= searcher_.group_symbols_)
        symbols += stretches[end++].length();
      if (symbols <= searcher_.group_symbols_) {
        give_together(queries, {stretches.begin() + static_cast<std::ptrdiff_t>(i),
                                stretches.begin() + static_cast<std::ptrdiff_t>(end)});
      } else {
        give_alone(queries, stretches[i]);
      }
      i = end;
    }
    close_until(queries.size());
    flush(true);
  }

 private:
  using Stretches = std::vector<QueryStretch>;
  using Matches = std::vector<MaximalMatch>;

  PieceMatches search(const std::vector<MatchPiece>& pieces, std::uint64_t symbols) const {
    const std::uint64_t worth = std::min<std::uint64_t>(symbols / symbols_per_thread + 1, 1 << 16);
    return search_pieces({searcher_.fm_.view(symbols), searcher_.text_}, searcher_.wide_, pieces,
                         min_length_, std::min(static_cast<int>(worth), call_.threads()));
  }

  /// Searches short stretches all at once.
  void give_together(const Patterns& queries, const Stretches& stretches) {
    std::vector<MatchPiece> pieces;
    std::uint64_t symbols = 0;
    for (const QueryStretch& stretch : stretches) {
      symbols += stretch.length();
      for (const bool reverse : {false, true}) {
        const StretchStrand strand(queries, stretch, reverse, searcher_.tuning_);
        for (std::uint64_t i = 0; is_searched(reverse) && i < strand.pieces(); ++i)
          pieces.push_back(strand.piece(i));
      }
    }
    const PieceMatches found = search(pieces, symbols);
    std::size_t piece = 0;
    Matches of_strand[2];
    for (const QueryStretch& stretch : stretches) {
      for (const bool reverse : {false, true}) {
        const StretchStrand strand(queries, stretch, reverse, searcher_.tuning_);
        of_strand[reverse].clear();
        for (std::uint64_t i = 0; is_searched(reverse) && i < strand.pieces(); ++i)
          strand.append(found.of(piece++), of_strand[reverse]);
      }
      close_until(stretch.query);
      bool given[2] = {false, false};
      const auto once = [&](bool reverse) {
        return std::exchange(given[reverse], true)
                   ? std::span<const MaximalMatch>()
                   : std::span<const MaximalMatch>(of_strand[reverse]);
      };
      merge_strands([&] { return once(false); }, [&] { return once(true); },
                    [&](const MaximalMatch& match) { matches_.push_back(match); });
    }
    if (matches_.size() >= searcher_.group_symbols_) flush(false);
  }

  /// Searches a long stretch, some pieces of one strand at a time.
  void give_alone(const Patterns& queries, const QueryStretch& stretch) {
    close_until(stretch.query);
    const StretchStrand forward(queries, stretch, false, searcher_.tuning_);
    const StretchStrand reverse(queries, stretch, true, searcher_.tuning_);
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
        const PieceMatches found = search(pieces, pieces.size() * strand.piece_symbols());
        for (std::size_t piece = 0; piece < pieces.size(); ++piece)
          strand.append(found.of(piece), matches);
      }
      return std::span<const MaximalMatch>(matches);
    };
    merge_strands([&] { return next_of(forward, next[0], of_strand[0]); },
                  [&] { return next_of(reverse, next[1], of_strand[1]); },
                  [&](const MaximalMatch& match) {
                    matches_.push_back(match);
                    if (matches_.size() >= searcher_.group_symbols_) flush(false);
                  });
  }
  bool is_searched(bool reverse) const { return reverse ? reverse_ : forward_; }

  /// Says that all matches of the queries before `query` are there.
  void close_until(std::size_t query) {
    while (closed_ < query) {
      ends_.push_back(matches_.size());
      ++closed_;
    }
  }
  /// Gives the sink what is there. If the batch is not `ended`, the last query has matches to come.
  void flush(bool ended) {
    const bool part = !ended && matches_.size() > (ends_.empty() ? 0 : ends_.back());
    if (part) ends_.push_back(matches_.size());
    if (ends_.empty()) return;
    sink_({closed_ + (part ? 1 : 0) - ends_.size(), before_, !part, ends_, matches_});
    // Only the matches of a query that is in progress are spread over chunks.
    const std::uint64_t begin = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2];
    before_ = !part ? 0 : matches_.size() - begin + (ends_.size() < 2 ? before_ : 0);
    ends_.clear();
    matches_.clear();
  }

  const CpuMatchSearcher& searcher_;
  const MatchSink& sink_;
  std::uint64_t min_length_;
  bool forward_;
  bool reverse_;
  const ThreadShare::Call call_;
  std::size_t closed_ = 0;           ///< queries whose matches are all known
  std::uint64_t before_ = 0;         ///< matches of the first query here that the sink has taken
  std::vector<std::uint64_t> ends_;  ///< of the queries that are closed and not given yet
  Matches matches_;
};

void CpuMatchSearcher::stream_matches(const Patterns& queries, const MatchRequest& request,
                                      const MatchSink& sink) const {
  Search(*this, request, sink).run(queries);
}

}  // namespace gsx

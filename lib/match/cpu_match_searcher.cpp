#include "match/cpu_match_searcher.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "match/merge_strands.hpp"
#include "match/piece_search.hpp"
#include "sa/suffix_array.hpp"

namespace gsx {
namespace {

/// Symbols that are worth a thread of their own.
constexpr std::uint64_t symbols_per_thread = std::uint64_t{1} << 17;

/// Hits that take as much memory as what is found and kept per symbol in bad cases.
constexpr std::uint64_t hits_per_symbol = 16;

/// Symbols [begin, end) of a query, all of them in the alphabet.
struct Stretch {
  std::size_t query;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t length() const { return end - begin; }
};

/// The stretches of the queries that have room for a match.
std::vector<Stretch> stretches_of(const Patterns& queries, std::uint32_t sigma,
                                  std::uint64_t min_length) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto codes = queries[i];
    const auto is_foreign = [&](std::uint8_t code) { return code >= sigma; };
    for (auto from = codes.begin(); from != codes.end();) {
      const auto to = std::find_if(from, codes.end(), is_foreign);
      if (static_cast<std::uint64_t>(to - from) >= min_length) {
        stretches.push_back({i, static_cast<std::uint64_t>(from - codes.begin()),
                             static_cast<std::uint64_t>(to - codes.begin())});
      }
      from = to == codes.end() ? to : to + 1;
    }
  }
  return stretches;
}

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

std::vector<MaximalMatch> CpuMatchSearcher::search_group(const Patterns& queries,
                                                         const MatchRequest& request,
                                                         const ThreadShare::Call& call,
                                                         std::vector<std::uint64_t>& ends) const {
  const std::uint64_t min_length = std::max<std::uint64_t>(request.min_length, 1);
  const std::vector<Stretch> stretches = stretches_of(queries, text_.sigma, min_length);
  const bool forward = request.strands != Strands::reverse;
  const bool reverse = complements_ && request.strands != Strands::forward;
  std::vector<MatchPiece> pieces;
  std::vector<std::size_t> piece_ends;  // of each strand of each stretch
  for (const Stretch& stretch : stretches) {
    const std::uint64_t length = stretch.length();
    const std::uint64_t symbols =
        std::max(tuning_.piece_symbols, divide_up(length, tuning_.most_pieces));
    for (const bool complement : {false, true}) {
      const StrandCodes strand{queries[stretch.query].data() + stretch.begin, length, complement};
      for (std::uint64_t begin = 0; (complement ? reverse : forward) && begin < length;
           begin += symbols)
        pieces.push_back({strand, begin, std::min(begin + symbols, length)});
      piece_ends.push_back(pieces.size());
    }
  }
  const auto worth = static_cast<int>(
      std::min<std::uint64_t>(queries.symbols() / symbols_per_thread + 1, 1 << 16));
  const PieceMatches found = search_pieces({fm_.view(queries.symbols()), text_}, wide_, pieces,
                                           min_length, std::min(worth, call.threads()));
  const auto matches_before = [&](std::size_t strand) {
    const std::size_t piece = strand == 0 ? 0 : piece_ends[strand - 1];
    return piece == 0 ? 0 : found.ends[piece - 1];
  };
  const auto matches_of = [&](std::size_t strand) {
    const std::uint64_t begin = matches_before(strand);
    return std::span(found.matches).subspan(begin, matches_before(strand + 1) - begin);
  };
  std::vector<MaximalMatch> matches;
  ends.clear();
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    ends.resize(stretches[i].query, matches.size());
    merge_strands(matches_of(2 * i), matches_of(2 * i + 1), stretches[i].begin,
                  stretches[i].length(), matches);
  }
  ends.resize(queries.size(), matches.size());
  return matches;
}

void CpuMatchSearcher::stream_matches(const Patterns& queries, const MatchRequest& request,
                                      const MatchSink& sink) const {
  const ThreadShare::Call call(share_);
  std::vector<std::uint64_t> ends;
  for (std::size_t first = 0; first < queries.size();) {
    std::size_t last = first + 1;
    while (last < queries.size() && queries.ends[last] - queries.begin_of(first) <= group_symbols_)
      ++last;
    const std::vector<MaximalMatch> matches =
        search_group(queries.some(first, last), request, call, ends);
    sink({first, 0, true, ends, matches});
    first = last;
  }
}

}  // namespace gsx

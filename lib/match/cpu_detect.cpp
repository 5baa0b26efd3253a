#include <algorithm>
#include <vector>

#include "base/bits.hpp"
#include "match/cpu_match_searcher.hpp"
#include "match/detect_pieces.hpp"

namespace gsx {
namespace {

/// Symbols that are worth a thread of their own.
constexpr std::uint64_t symbols_per_thread = std::uint64_t{1} << 17;

/// Adds the pieces of one strand of query number `query`.
void add_pieces(const Patterns& queries, std::size_t query, bool reverse, std::uint64_t min_length,
                const MatchTuning& tuning, std::vector<DetectPiece>& pieces) {
  const auto codes = queries[query];
  if (codes.size() < min_length) return;
  const std::uint64_t symbols = std::max(
      {tuning.piece_symbols, divide_up(codes.size(), tuning.most_pieces), std::uint64_t{1}});
  const StrandCodes strand{codes.data(), codes.size(), reverse};
  const std::uint64_t begins = codes.size() - min_length + 1;  // of windows
  for (std::uint64_t begin = 0; begin < begins; begin += symbols)
    pieces.push_back({{strand, begin, std::min(begin + symbols, begins)}, query});
}

}  // namespace

void CpuMatchSearcher::detect(const Patterns& queries, const MatchRequest& request,
                              std::vector<std::uint8_t>& matched) const {
  const ThreadShare::Call call(share_);
  const std::uint64_t min_length = std::max<std::uint64_t>(request.min_length, 1);
  const bool forward = request.strands != Strands::reverse;
  const bool reverse = complements_ && request.strands != Strands::forward;
  matched.assign(queries.size(), 0);
  std::vector<DetectPiece> pieces;
  for (std::size_t first = 0, last = 0; first < queries.size(); first = last) {
    std::uint64_t symbols = queries[last++].size();
    while (last < queries.size() && symbols + queries[last].size() <= group_symbols_)
      symbols += queries[last++].size();
    const auto threads = static_cast<int>(std::min<std::uint64_t>(
        symbols / symbols_per_thread + 1, static_cast<std::uint64_t>(call.threads())));
    // All forward strands come first: many queries are answered when their reverse strand comes.
    pieces.clear();
    for (const bool strand : {false, true}) {
      for (std::size_t i = first; (strand ? reverse : forward) && i < last; ++i)
        add_pieces(queries, i, strand, min_length, tuning_, pieces);
    }
    detect_in_pieces({fm_.view(symbols), text_}, wide_, pieces, min_length, threads, matched);
  }
}

}  // namespace gsx

#include "kernels/search/matches/cuda_match_searcher.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "kernels/search/matches/detect_call.hpp"
#include "kernels/search/matches/match_slice.hpp"
#include "search/matches/match_chunks.hpp"
#include "search/matches/merge_strands.hpp"

namespace gsx::cuda {
namespace {

/// What every call of a searcher needs.
template <class Pos>
struct MatchCallContext {
  SearchLane& lane;
  SearchLanes& lanes;
  SearchView<Pos> index;
  const MatchOptions& options;
  std::atomic<double>& matches_per_symbol;  ///< of strands, that the last slice had
};

/// One call, with places in queries of one width.
template <class Offset, class Pos>
class MatchCall {
 public:
  MatchCall(const MatchCallContext<Pos>& context, const Patterns& queries,
            const MatchRequest& request, bool complements, const MatchSink& sink)
      : context_(context),
        queries_(queries),
        asked_{.forward = request.strands != Strands::reverse,
               .reverse = complements && request.strands != Strands::forward,
               .min_length = std::max<std::uint64_t>(request.min_length, 1)},
        most_(std::clamp<std::uint64_t>(context.options.host_hits / hits_per_match, 1, cut_limit)),
        chunks_(sink, most_) {}

  void run() {
    std::uint64_t most_queries = tuning::patterns_at_once;
    for (std::size_t first = 0; first < queries_.size();) {
      const std::size_t last = end_of_slice(first, most_queries);
      if (last == first) {
        give_alone(first++);
      } else if (give_together(first, last)) {
        first = last;
        most_queries = std::min<std::uint64_t>(2 * most_queries, tuning::patterns_at_once);
      } else if (last - first > 1) {
        most_queries = (last - first) / 2;
      } else {
        give_alone(first++);
      }
    }
    chunks_.finish(queries_.size());
  }

 private:
  using Matches = std::vector<MaximalMatch>;

  /// The end of the queries that are searched together with the first one; `first` if that is too
  /// long.
  std::size_t end_of_slice(std::size_t first, std::uint64_t most_queries) const {
    const std::uint64_t begin = queries_.begin_of(first),
                        group = context_.options.cutting.group_symbols,
                        most = std::min(group, symbols_within_room());
    if (queries_.ends[first] - begin > group) return first;
    std::size_t last = first + 1;
    while (last < queries_.size() && last - first < most_queries &&
           queries_.ends[last] - begin <= most)
      ++last;
    return last;
  }

  /// Room for the matches of so many symbols, judging by the last ones.
  std::uint64_t expected_matches(std::uint64_t symbols) const {
    if (context_.options.first_room != 0) return std::min(context_.options.first_room, most_);
    const double likely = 1.25 * context_.matches_per_symbol.load(std::memory_order_relaxed) *
                          static_cast<double>(symbols);
    return std::min(1024 + static_cast<std::uint64_t>(likely), most_);
  }

  /// Symbols of a query whose matches are not too many at a time, judging by the last ones.
  std::uint64_t symbols_within_room() const {
    const double likely = 1.25 * context_.matches_per_symbol.load(std::memory_order_relaxed) + 1e-9;
    return static_cast<std::uint64_t>(static_cast<double>(most_) / likely);
  }

  /// Searches the pieces, and calls take(slice). False if they have more than `most` matches, or if
  /// there is too little GPU memory.
  template <class Take>
  bool search(const CutQueries<Offset>& cut, const MatchSliceRequest& asked, std::uint64_t symbols,
              std::uint64_t most, const Take& take) {
    std::optional<MatchSlice<Offset, Pos>> slice;
    MatchSliceRequest request = asked;
    request.room = expected_matches(symbols);
    try {
      slice.emplace(context_.lane, context_.index, cut, request);
      note_matches(symbols, slice->found());
      if (slice->found() > request.room) {
        request.room = slice->found();
        if (request.room > most) return false;
        slice.emplace(context_.lane, context_.index, cut, request);
      }
    } catch (const ResourceError&) {
      return make_room();
    } catch (const std::bad_alloc&) {
      return make_room();
    }
    take(*slice);
    return true;
  }
  void note_matches(std::uint64_t symbols, std::uint64_t matches) {
    context_.matches_per_symbol.store(
        static_cast<double>(matches) / static_cast<double>(std::max<std::uint64_t>(symbols, 1)),
        std::memory_order_relaxed);
  }
  /// Gives back what lanes keep; false.
  bool make_room() {
    context_.lane.release();
    context_.lanes.release_idle();
    return false;
  }

  static std::span<const std::uint8_t> codes(const Patterns& queries) {
    return queries.codes.subspan(queries.begin, queries.symbols());
  }
  bool is_searched() const { return asked_.forward || asked_.reverse; }

  /// Searches queries [first, last) all at once. False if there is too little memory for so many.
  bool give_together(std::size_t first, std::size_t last) {
    const Patterns some = queries_.some(first, last);
    pieces_.cut(some, context_.index.fm.sigma, asked_.min_length, context_.options.cutting);
    if (pieces_.pieces().empty() || !is_searched()) {
      chunks_.close_until(last);
      return true;
    }
    return search(
        {codes(some), pieces_.pieces(), pieces_.ends()}, asked_, some.symbols(), most_,
        [&](const MatchSlice<Offset, Pos>& slice) { chunks_.give(slice.ends(), slice.matches()); });
  }

  /// Searches a long query, some pieces of one strand at a time.
  void give_alone(std::size_t query) {
    const Patterns some = queries_.some(query, query + 1);
    pieces_.cut(some, context_.index.fm.sigma, asked_.min_length, context_.options.cutting);
    chunks_.close_until(query);
    const std::uint64_t symbols = context_.options.alone_symbols;
    StrandPieces forward{true, asked_.forward ? 0 : pieces_.pieces().size(), symbols, {}};
    StrandPieces reverse{false, asked_.reverse ? 0 : pieces_.pieces().size(), symbols, {}};
    merge_strands([&] { return next_matches(some, forward); },
                  [&] { return next_matches(some, reverse); },
                  [&](const MaximalMatch& match) {
                    chunks_.add(match);
                    chunks_.flush_if_full();
                  });
    chunks_.close_until(query + 1);
  }
  /// The pieces of a long query on one strand.
  struct StrandPieces {
    bool forward;
    std::size_t next;            ///< the first that has not been searched
    std::uint64_t most_symbols;  ///< to search at a time
    Matches matches;             ///< of those searched last
  };
  /// The matches of the next pieces that have some.
  std::span<const MaximalMatch> next_matches(const Patterns& query, StrandPieces& strand) {
    const auto pieces = pieces_.pieces();
    strand.matches.clear();
    while (strand.matches.empty() && strand.next < pieces.size()) {
      const std::uint64_t most_symbols = std::min(strand.most_symbols, symbols_within_room());
      std::size_t last = strand.next;
      std::uint64_t symbols = 0;
      do {
        symbols += pieces[last].end - pieces[last].begin;
        ++last;
      } while (last < pieces.size() &&
               symbols + pieces[last].end - pieces[last].begin <= most_symbols);
      MatchSliceRequest asked = asked_;
      asked.forward = strand.forward;
      asked.reverse = !strand.forward;
      const auto count = static_cast<std::uint32_t>(last - strand.next);
      // One piece cannot be halved, and has no more matches than symbols.
      const std::uint64_t most = count == 1 ? std::max(most_, symbols) : most_;
      const bool done =
          search({codes(query), pieces.subspan(strand.next, count), {&count, 1}}, asked, symbols,
                 most, [&](const MatchSlice<Offset, Pos>& slice) {
                   strand.matches.assign(slice.matches().begin(), slice.matches().end());
                 });
      if (done) {
        strand.next = last;
      } else if (count > 1) {
        strand.most_symbols = symbols / 2;
      } else {
        throw ResourceError("too little GPU memory for a query of " +
                            std::to_string(query.symbols()) +
                            " symbols; free some, or use --device cpu");
      }
    }
    return strand.matches;
  }

  /// Most matches that kernels can count.
  static constexpr std::uint64_t cut_limit = std::numeric_limits<std::uint32_t>::max() - 1;
  static constexpr std::uint64_t hits_per_match = sizeof(MaximalMatch) / sizeof(Hit);

  MatchCallContext<Pos> context_;
  Patterns queries_;
  MatchSliceRequest asked_;
  std::uint64_t most_;  ///< matches of strands at a time
  MatchChunks chunks_;
  QueryPieces<Offset> pieces_;
};

template <class Pos>
class CudaMatchSearcher final : public MatchSearcher {
 public:
  CudaMatchSearcher(const Index& index, std::shared_ptr<const PlacedIndex<Pos>> placed,
                    const MatchOptions& options)
      : placed_(std::move(placed)),
        complements_(index.alphabet().has_reverse_complement()),
        options_(options),
        lanes_(std::in_place, placed_->pool(), Waiting::asleep) {}
  ~CudaMatchSearcher() override {
    const CurrentDevice current(placed_->pool().device(), std::nothrow);
    lanes_.reset();
  }

  void stream(const Patterns& queries, const MatchRequest& request,
              const MatchSink& sink) const override {
    const CurrentDevice current(placed_->pool().device());
    const SearchLanes::Guard lane = lanes_->take();
    const MatchSink callers = [&](const MatchChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    const MatchCallContext<Pos> context{*lane, *lanes_, placed_->view(queries.symbols()), options_,
                                        matches_per_symbol_};
    with_offsets(queries, [&]<class Offset>(Offset) {
      MatchCall<Offset, Pos>(context, queries, request, complements_, callers).run();
    });
  }
  void count(const Patterns& queries, const MatchRequest& request,
             std::vector<std::uint8_t>& matched) const override {
    const CurrentDevice current(placed_->pool().device());
    const SearchLanes::Guard lane = lanes_->take();
    const DetectCallContext<Pos> context{*lane, *lanes_, placed_->view(queries.symbols()), options_,
                                         complements_};
    matched.assign(queries.size(), 0);
    with_offsets(queries, [&]<class Offset>(Offset) {
      detect_matches<Offset, Pos>(context, queries, request, matched);
    });
  }
  std::size_t best_batch() const override { return std::size_t{1} << 15; }

 private:
  /// Calls work with an Offset that is wide enough for places in the queries, and their number.
  template <class Work>
  void with_offsets(const Patterns& queries, const Work& work) const {
    constexpr std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max();
    if constexpr (sizeof(Pos) == sizeof(std::uint32_t)) {
      if (std::max<std::uint64_t>(queries.symbols(), queries.size()) < most_narrow &&
          !options_.wide_offsets)
        return work(std::uint32_t{});
    }
    work(std::uint64_t{});
  }

  std::shared_ptr<const PlacedIndex<Pos>> placed_;
  bool complements_;
  MatchOptions options_;
  mutable std::optional<SearchLanes> lanes_;
  mutable std::atomic<double> matches_per_symbol_{1.0 / 32};
};

template <class Pos>
std::unique_ptr<MatchSearcher> make_searcher_of(const Index& index,
                                                std::shared_ptr<MemoryPool> pool,
                                                Transfer& transfer, const MatchOptions& options) {
  auto placed = options.placement == nullptr
                    ? std::make_shared<const PlacedIndex<Pos>>(index, std::move(pool), transfer,
                                                               options.whole_suffix_array)
                    : options.placement->place<Pos>(index, std::move(pool), transfer);
  return std::make_unique<CudaMatchSearcher<Pos>>(index, std::move(placed), options);
}

}  // namespace

std::unique_ptr<MatchSearcher> make_match_searcher(const Index& index,
                                                   std::shared_ptr<MemoryPool> pool,
                                                   Transfer& transfer,
                                                   const MatchOptions& options) {
  return is_wide(index.meta().length, options.width)
             ? make_searcher_of<std::uint64_t>(index, std::move(pool), transfer, options)
             : make_searcher_of<std::uint32_t>(index, std::move(pool), transfer, options);
}

}  // namespace gsx::cuda

#include "gsx/matches.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "device/shards/whole_index.hpp"
#include "run/filter_rules.hpp"
#include "run/opened_target.hpp"
#include "run/pattern_blocks.hpp"
#include "run/patterns.hpp"
#include "search/exact/strand_check.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "search/matches/match_lengths.hpp"

namespace gsx {
namespace {

/// Fewest queries that a thread searches at a time, if there are as many: enough for their cache
/// misses to overlap.
constexpr std::uint64_t least_queries = 64;
/// Lengths in a chunk.
constexpr std::uint64_t most_lengths = std::uint64_t{1} << 16;

/// What messages call it.
constexpr const char* searching_matches = "maximal matches";

void require_length(const MatchRequest& request) {
  if (request.min_length == 0) throw UsageError("min_length is 0, and must be at least 1");
}

/// Gives take(chunk of matches) those of one query, on one thread: no copy of the index.
void search_one(const Index& index, std::string_view query, const MatchRequest& request,
                const MatchSink& take) {
  require_strand(request.strands, index.alphabet());
  require_whole(index, searching_matches);
  PatternBuffer buffer;
  buffer.encode({&query, 1}, index.alphabet());
  CpuMatchSearcher(index, 1, {.index_copy = 0}).stream(buffer.patterns(), request, take);
}

/// Makes chunks of lengths of chunks of matches.
class LengthChunks {
 public:
  LengthChunks(std::span<const std::string_view> queries, bool ending, const LengthSink& sink)
      : queries_(queries), sink_(sink), runs_(ending) {}

  void take(const MatchChunk& chunk) {
    for (std::size_t i = 0; i < chunk.queries(); ++i) {
      query_ = chunk.first + i;
      for (const MaximalMatch& match : chunk.of(i))
        runs_.add({match, {}}, [&](const LengthRun& run) { append(run); });
      if (i + 1 == chunk.queries() && !chunk.whole) continue;
      runs_.finish(queries_[query_].size(), [&](const LengthRun& run) { append(run); });
      give();
      begin_ = 0;
    }
  }

 private:
  void append(const LengthRun& run) {
    for (std::uint64_t i = run.begin; i < run.end; ++i) {
      lengths_.push_back(run.length_at(i));
      if (lengths_.size() == most_lengths) give();
    }
  }
  void give() {
    if (lengths_.empty()) return;
    sink_({query_, begin_, lengths_});
    begin_ += lengths_.size();
    lengths_.clear();
  }

  std::span<const std::string_view> queries_;
  const LengthSink& sink_;
  LengthRuns runs_;
  std::size_t query_ = 0;
  std::uint64_t begin_ = 0;
  std::vector<std::uint64_t> lengths_;  ///< of query_, from begin_ on
};

}  // namespace

std::vector<MaximalMatch> maximal_matches(const Index& index, std::string_view query,
                                          const MatchRequest& request) {
  require_length(request);
  return with_gsx_errors([&] {
    std::vector<MaximalMatch> found;
    search_one(index, query, request, [&](const MatchChunk& chunk) {
      found.insert(found.end(), chunk.matches.begin(), chunk.matches.end());
    });
    return found;
  });
}

std::vector<std::uint64_t> match_lengths(const Index& index, std::string_view query,
                                         const LengthRequest& request) {
  return with_gsx_errors([&] {
    std::vector<std::uint64_t> lengths;
    lengths.reserve(query.size());
    const LengthSink sink = [&](const LengthChunk& chunk) {
      lengths.insert(lengths.end(), chunk.lengths.begin(), chunk.lengths.end());
    };
    LengthChunks chunks({&query, 1}, request.ending, sink);
    search_one(index, query, {request.strands, 1},
               [&](const MatchChunk& chunk) { chunks.take(chunk); });
    return lengths;
  });
}

struct MaximalMatchSearcher::State : OpenedTarget {
  State(const Index& index, const SearchOptions& options)
      : OpenedTarget(Target(index), options, cost_of_any_queries),
        searcher(backend->open<MatchSearch>({*target.index(), cores, options.memory})),
        threads(backend->search_threads(cores)) {}

  std::unique_ptr<MatchSearcher> searcher;
  int threads;
};

MaximalMatchSearcher::MaximalMatchSearcher(const Index& index, const SearchOptions& options)
    : state_(with_gsx_errors([&] {
        require_whole(index, searching_matches);
        if (!options.circular.empty() || options.regions) {
          throw UsageError(
              "maximal matches do not span origins, and are sought everywhere: leave out circular "
              "and regions");
        }
        return std::make_unique<State>(index, options);
      })) {}

MaximalMatchSearcher::MaximalMatchSearcher(MaximalMatchSearcher&&) noexcept = default;
MaximalMatchSearcher& MaximalMatchSearcher::operator=(MaximalMatchSearcher&&) noexcept = default;
MaximalMatchSearcher::~MaximalMatchSearcher() = default;

std::string MaximalMatchSearcher::device() const {
  return state_->backend->name();
}

void MaximalMatchSearcher::matches(std::span<const std::string_view> queries,
                                   const MatchRequest& request, const MatchSink& sink) const {
  require_sink(sink);
  require_length(request);
  require_strand(request.strands, state_->target.alphabet());
  with_gsx_errors([&] {
    const PatternBlocks blocks(queries, state_->threads, least_queries,
                               state_->searcher->best_batch());
    stream_blocks(blocks, state_->threads, sink, [&] {
      return [&, buffer = PatternBuffer()](std::span<const std::string_view> some,
                                           const MatchSink& take) mutable {
        buffer.encode(some, state_->target.alphabet());
        state_->searcher->stream(buffer.patterns(), request, take);
      };
    });
  });
}

std::vector<std::uint8_t> MaximalMatchSearcher::which_match(
    std::span<const std::string_view> queries, const MatchRequest& request,
    double min_cover) const {
  require_length(request);
  require_strand(request.strands, state_->target.alphabet());
  if (!(min_cover >= 0 && min_cover <= 1)) {
    throw UsageError("min_cover is " + std::to_string(min_cover) + ", and must be from 0 to 1");
  }
  return with_gsx_errors([&] {
    const FilterRules rules{.request = request, .min_cover = min_cover};
    std::vector<std::uint8_t> matched(queries.size());
    const PatternBlocks blocks(queries, state_->threads, least_queries,
                               state_->searcher->best_batch());
    std::vector<PatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
    std::vector<std::vector<std::uint8_t>> some(buffers.size());
    parallel_for(state_->threads, blocks.count(), [&](std::uint64_t block, int number) {
      const auto thread = static_cast<std::size_t>(number);
      buffers[thread].encode(blocks[block], state_->target.alphabet());
      find_matching(*state_->searcher, buffers[thread].patterns(), rules, some[thread]);
      std::ranges::copy(some[thread],
                        matched.begin() + static_cast<std::ptrdiff_t>(blocks.begin_of(block)));
    });
    return matched;
  });
}

void MaximalMatchSearcher::lengths(std::span<const std::string_view> queries,
                                   const LengthRequest& request, const LengthSink& sink) const {
  require_sink(sink);
  LengthChunks chunks(queries, request.ending, sink);
  matches(queries, {request.strands, 1}, [&](const MatchChunk& chunk) { chunks.take(chunk); });
}

}  // namespace gsx

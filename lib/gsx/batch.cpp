#include "gsx/batch.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "device/shards/joined_search.hpp"
#include "run/opened_target.hpp"
#include "run/pattern_blocks.hpp"
#include "run/patterns.hpp"
#include "search/exact/strand_check.hpp"

namespace gsx {
namespace {

/// Fewest patterns that a thread searches at a time, if there are as many.
constexpr std::uint64_t least_patterns = 4096;

/// As large as the searcher likes them.
PatternBlocks blocks_of(std::span<const std::string_view> patterns, const Searcher& searcher,
                        int threads) {
  return {patterns, threads, least_patterns, searcher.best_batch()};
}

}  // namespace

struct BatchSearcher::State : OpenedTarget {
  State(const Index& index, const SearchOptions& options)
      : OpenedTarget(Target(index), options, cost_of_any_queries),
        searcher(of_all_places(open_searcher(*backend, *target.index(), cores, options.memory),
                               options.memory, best_cpu_path())),
        threads(backend->search_threads(cores)) {}

  std::unique_ptr<Searcher> searcher;
  int threads;
};

BatchSearcher::BatchSearcher(const Index& index, const SearchOptions& options)
    : state_(with_gsx_errors([&] { return std::make_unique<State>(index, options); })) {}

BatchSearcher::BatchSearcher(BatchSearcher&&) noexcept = default;
BatchSearcher& BatchSearcher::operator=(BatchSearcher&&) noexcept = default;
BatchSearcher::~BatchSearcher() = default;

std::string BatchSearcher::device() const {
  return state_->backend->name();
}

std::vector<StrandCounts> BatchSearcher::count(std::span<const std::string_view> patterns,
                                               Strands strands) const {
  require_strand(strands, state_->target.alphabet());
  return with_gsx_errors([&] {
    std::vector<StrandCounts> counts(patterns.size());
    const PatternBlocks blocks = blocks_of(patterns, *state_->searcher, state_->threads);
    std::vector<PatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
    std::vector<std::vector<StrandCounts>> some(buffers.size());
    parallel_for(state_->threads, blocks.count(), [&](std::uint64_t block, int number) {
      const auto thread = static_cast<std::size_t>(number);
      buffers[thread].encode(blocks[block], state_->target.alphabet());
      state_->searcher->count(buffers[thread].patterns(), strands, some[thread]);
      std::ranges::copy(some[thread],
                        counts.begin() + static_cast<std::ptrdiff_t>(blocks.begin_of(block)));
    });
    return counts;
  });
}

void BatchSearcher::locate(std::span<const std::string_view> patterns, const LocateRequest& request,
                           const HitSink& sink) const {
  require_sink(sink);
  require_strand(request.strands, state_->target.alphabet());
  const PatternBlocks blocks = blocks_of(patterns, *state_->searcher, state_->threads);
  with_gsx_errors([&] {
    stream_blocks(blocks, state_->threads, sink, [&] {
      return [&, buffer = PatternBuffer()](std::span<const std::string_view> some,
                                           const HitSink& take) mutable {
        buffer.encode(some, state_->target.alphabet());
        state_->searcher->stream(buffer.patterns(), request, take);
      };
    });
  });
}

}  // namespace gsx

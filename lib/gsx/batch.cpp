#include "gsx/batch.hpp"

#include <algorithm>
#include <atomic>

#include "backend/registry.hpp"
#include "base/ordered_turns.hpp"
#include "base/parallel.hpp"
#include "machine/machine.hpp"
#include "query/patterns.hpp"

namespace gsx {
namespace {

/// Patterns that a thread searches at a time: enough to hide the latency of memory, few enough for
/// all threads to have some.
constexpr std::size_t patterns_at_once = 4096;

/// Another thread has failed.
struct Stopped {};

std::span<const std::string_view> block_of(std::span<const std::string_view> patterns,
                                           std::uint64_t block) {
  const std::size_t begin = block * patterns_at_once;
  return patterns.subspan(begin, std::min(patterns_at_once, patterns.size() - begin));
}

}  // namespace

struct BatchSearcher::State {
  const Index& index;
  int threads;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Searcher> searcher;
};

BatchSearcher::BatchSearcher(const Index& index, const SearchOptions& options) {
  const int threads = options.threads > 0 ? options.threads : available_threads();
  auto backend = make_backend(options.device, options.gpu_memory);
  auto searcher = backend->open(index, threads, options.memory);
  state_ = std::make_unique<State>(State{index, threads, std::move(backend), std::move(searcher)});
}

BatchSearcher::BatchSearcher(BatchSearcher&&) noexcept = default;
BatchSearcher& BatchSearcher::operator=(BatchSearcher&&) noexcept = default;
BatchSearcher::~BatchSearcher() = default;

std::vector<StrandCounts> BatchSearcher::count(std::span<const std::string_view> patterns,
                                               Strands strands) const {
  std::vector<StrandCounts> counts(patterns.size());
  const std::uint64_t blocks = (patterns.size() + patterns_at_once - 1) / patterns_at_once;
  std::vector<PatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
  std::vector<std::vector<StrandCounts>> some(buffers.size());
  parallel_for(state_->threads, blocks, [&](std::uint64_t block, int number) {
    const auto thread = static_cast<std::size_t>(number);
    buffers[thread].encode(block_of(patterns, block), state_->index.alphabet());
    state_->searcher->count(buffers[thread].patterns(), strands, some[thread]);
    std::ranges::copy(some[thread],
                      counts.begin() + static_cast<std::ptrdiff_t>(block * patterns_at_once));
  });
  return counts;
}

void BatchSearcher::locate(std::span<const std::string_view> patterns, const LocateRequest& request,
                           const HitSink& sink) const {
  const std::uint64_t blocks = (patterns.size() + patterns_at_once - 1) / patterns_at_once;
  std::vector<PatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
  OrderedTurns turns;
  parallel_for(state_->threads, blocks, [&](std::uint64_t block, int thread) {
    PatternBuffer& buffer = buffers[static_cast<std::size_t>(thread)];
    bool my_turn = false;
    try {
      buffer.encode(block_of(patterns, block), state_->index.alphabet());
      state_->searcher->stream_hits(buffer.patterns(), request, [&](HitChunk chunk) {
        if (!my_turn && !turns.wait_for(block)) throw Stopped();
        my_turn = true;
        chunk.first += block * patterns_at_once;
        sink(chunk);
      });
      if (my_turn || turns.wait_for(block)) turns.done();
    } catch (const Stopped&) {  // the other's error is rethrown
    } catch (...) {
      turns.fail();
      throw;
    }
  });
}

}  // namespace gsx

#include "gsx/batch.hpp"

#include <algorithm>
#include <atomic>

#include "backend/registry.hpp"
#include "base/ordered_pipeline.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "machine/machine.hpp"
#include "query/patterns.hpp"

namespace gsx {
namespace {

/// Patterns that a thread searches at a time: enough to hide the latency of memory, few enough for
/// all threads to have some.
constexpr std::size_t patterns_at_once = 4096;

/// Some of a call's patterns.
struct Block {
  std::uint64_t number = 0;
};

std::span<const std::string_view> block_of(std::span<const std::string_view> patterns,
                                           std::uint64_t block) {
  const std::size_t begin = block * patterns_at_once;
  return patterns.subspan(begin, std::min(patterns_at_once, patterns.size() - begin));
}

/// What one thread of a call of locate does.
class LocateWorker {
 public:
  LocateWorker(const Searcher& searcher, const Alphabet& alphabet,
               std::span<const std::string_view> patterns, const LocateRequest& request,
               const HitSink& sink)
      : searcher_(searcher),
        alphabet_(alphabet),
        patterns_(patterns),
        request_(request),
        sink_(sink) {}

  void prepare(const Block& block, const ItemTurn& turn) {
    buffer_.encode(block_of(patterns_, block.number), alphabet_);
    searcher_.stream_hits(buffer_.patterns(), request_, [&](HitChunk chunk) {
      turn.wait();
      chunk.first += block.number * patterns_at_once;
      sink_(chunk);
    });
  }
  void commit(const Block&) {}
  void finish(const Block&) {}

 private:
  const Searcher& searcher_;
  const Alphabet& alphabet_;
  std::span<const std::string_view> patterns_;
  const LocateRequest& request_;
  const HitSink& sink_;
  PatternBuffer buffer_;
};

}  // namespace

struct BatchSearcher::State {
  State(const Index& searched, const SearchOptions& options)
      : index(searched.share()),
        threads(threads_for(options.threads)),
        backend(make_backend(device_for(options.device, index.meta().length), options.gpu_memory)),
        searcher(backend->open(index, threads, options.memory)) {}

  Index index;
  int threads;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Searcher> searcher;
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
  return with_gsx_errors([&] {
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
  });
}

void BatchSearcher::locate(std::span<const std::string_view> patterns, const LocateRequest& request,
                           const HitSink& sink) const {
  require_sink(sink);
  const std::uint64_t blocks = (patterns.size() + patterns_at_once - 1) / patterns_at_once;
  std::atomic<std::uint64_t> taken{0};
  with_gsx_errors([&] {
    run_in_order<Block>(
        [&](Block& block) { return (block.number = taken.fetch_add(1)) < blocks; },
        static_cast<int>(
            std::clamp<std::uint64_t>(blocks, 1, static_cast<std::uint64_t>(state_->threads))),
        [&] {
          return LocateWorker(*state_->searcher, state_->index.alphabet(), patterns, request, sink);
        });
  });
}

}  // namespace gsx

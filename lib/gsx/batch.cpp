#include "gsx/batch.hpp"

#include <algorithm>
#include <atomic>

#include "backend/registry.hpp"
#include "base/bits.hpp"
#include "base/ordered_pipeline.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "machine/machine.hpp"
#include "query/patterns.hpp"

namespace gsx {
namespace {

/// Fewest patterns that a thread searches at a time, if there are as many.
constexpr std::size_t least_patterns = 4096;

/// Some of a call's patterns.
struct Block {
  std::uint64_t number = 0;
};

/// Divides a call's patterns among threads.
class Blocks {
 public:
  /// As large as the searcher likes them, if each thread gets one.
  Blocks(std::span<const std::string_view> patterns, const Searcher& searcher, int threads)
      : patterns_(patterns),
        at_once_(std::clamp(divide_up(patterns.size(), static_cast<std::uint64_t>(threads)),
                            std::uint64_t{least_patterns},
                            std::max<std::uint64_t>(least_patterns, searcher.best_batch()))) {}

  std::uint64_t count() const { return divide_up(patterns_.size(), at_once_); }
  std::size_t begin_of(std::uint64_t block) const { return block * at_once_; }
  std::span<const std::string_view> operator[](std::uint64_t block) const {
    const std::size_t begin = begin_of(block);
    return patterns_.subspan(begin, std::min<std::size_t>(at_once_, patterns_.size() - begin));
  }

 private:
  std::span<const std::string_view> patterns_;
  std::uint64_t at_once_;
};

/// What one thread of a call of locate does.
class LocateWorker {
 public:
  LocateWorker(const Searcher& searcher, const Alphabet& alphabet, const Blocks& blocks,
               const LocateRequest& request, const HitSink& sink)
      : searcher_(searcher), alphabet_(alphabet), blocks_(blocks), request_(request), sink_(sink) {}

  void prepare(const Block& block, const ItemTurn& turn) {
    buffer_.encode(blocks_[block.number], alphabet_);
    searcher_.stream_hits(buffer_.patterns(), request_, [&](HitChunk chunk) {
      turn.wait();
      chunk.first += blocks_.begin_of(block.number);
      sink_(chunk);
    });
  }
  void commit(const Block&) {}
  void finish(const Block&) {}

 private:
  const Searcher& searcher_;
  const Alphabet& alphabet_;
  const Blocks& blocks_;
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
        searcher(backend->open(index, threads, options.memory)) {
    threads = backend->search_threads(threads);
  }

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
    const Blocks blocks(patterns, *state_->searcher, state_->threads);
    std::vector<PatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
    std::vector<std::vector<StrandCounts>> some(buffers.size());
    parallel_for(state_->threads, blocks.count(), [&](std::uint64_t block, int number) {
      const auto thread = static_cast<std::size_t>(number);
      buffers[thread].encode(blocks[block], state_->index.alphabet());
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
  const Blocks blocks(patterns, *state_->searcher, state_->threads);
  std::atomic<std::uint64_t> taken{0};
  with_gsx_errors([&] {
    run_in_order<Block>(
        [&](Block& block) { return (block.number = taken.fetch_add(1)) < blocks.count(); },
        static_cast<int>(std::clamp<std::uint64_t>(blocks.count(), 1,
                                                   static_cast<std::uint64_t>(state_->threads))),
        [&] {
          return LocateWorker(*state_->searcher, state_->index.alphabet(), blocks, request, sink);
        });
  });
}

}  // namespace gsx

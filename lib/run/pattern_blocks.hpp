// The patterns of a call, divided among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "base/bits.hpp"
#include "base/ordered_pipeline.hpp"

namespace gsx {

/// Consecutive patterns that a thread searches at a time.
class PatternBlocks {
 public:
  /// Blocks so large that each thread gets one, but at least `least` patterns, if there are as
  /// many, and at most `most`.
  PatternBlocks(std::span<const std::string_view> patterns, int threads, std::uint64_t least,
                std::uint64_t most)
      : patterns_(patterns),
        at_once_(std::clamp(divide_up(patterns.size(), static_cast<std::uint64_t>(threads)), least,
                            std::max(least, most))) {}

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

namespace detail {

struct PatternBlock {
  std::uint64_t number = 0;
};

/// What one thread of stream_blocks() does.
template <class Chunk, class Search>
class BlockWorker {
 public:
  using Sink = std::function<void(const Chunk&)>;

  BlockWorker(const PatternBlocks& blocks, const Sink& sink, Search search)
      : blocks_(blocks), sink_(sink), search_(std::move(search)) {}

  void prepare(const PatternBlock& block, const ItemTurn& turn) {
    search_(blocks_[block.number], [&](Chunk chunk) {
      turn.wait();
      chunk.first += blocks_.begin_of(block.number);
      sink_(chunk);
    });
  }
  void commit(const PatternBlock&) {}
  void finish(const PatternBlock&) {}

 private:
  const PatternBlocks& blocks_;
  const Sink& sink_;
  Search search_;
};

}  // namespace detail

/// Gives `sink` the chunks of all blocks in order, of hits or of matches, searched by up to
/// `threads` threads. Each of them has a search of its own, make_search(), and calls
/// search(patterns, sink of their chunks).
template <class Chunk, class MakeSearch>
void stream_blocks(const PatternBlocks& blocks, int threads,
                   const std::function<void(const Chunk&)>& sink, const MakeSearch& make_search) {
  std::atomic<std::uint64_t> taken{0};
  run_in_order<detail::PatternBlock>(
      [&](detail::PatternBlock& block) {
        return (block.number = taken.fetch_add(1)) < blocks.count();
      },
      static_cast<int>(
          std::clamp<std::uint64_t>(blocks.count(), 1, static_cast<std::uint64_t>(threads))),
      [&] {
        return detail::BlockWorker<Chunk, decltype(make_search())>(blocks, sink, make_search());
      });
}

}  // namespace gsx

#include "arrays/wavelet/wavelet_sequence.hpp"

#include <algorithm>
#include <atomic>

#include "arrays/rank/digit_levels.hpp"
#include "arrays/rank/select_hints.hpp"
#include "arrays/wavelet/find_distinct.hpp"
#include "arrays/wavelet/huffman_tree.hpp"
#include "arrays/wavelet/level_maker.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"

namespace gsx {
namespace {

/// With at most as many symbols, each thread has counters of its own.
constexpr std::uint64_t few_symbols = std::uint64_t{1} << 16;

/// Calls work(thread, begin, end) for a slice of [0, size) per thread.
template <class Work>
void in_slices(int threads, std::uint64_t size, const Work& work) {
  run_threads(threads, [&](int thread) {
    const Slice own =
        slice_of(size, static_cast<std::uint64_t>(threads), static_cast<std::uint64_t>(thread));
    work(static_cast<std::size_t>(thread), own.begin, own.end);
  });
}

/// Makes levels on threads.
class CpuLevelMaker final : public LevelMaker {
 public:
  explicit CpuLevelMaker(int threads) : threads_(threads) {}
  std::vector<QuadVector> make(Buffer<std::uint8_t> codes, const LevelSizes& sizes) override {
    return build(std::move(codes), sizes);
  }
  std::vector<QuadVector> make(Buffer<std::uint16_t> codes, const LevelSizes& sizes) override {
    return build(std::move(codes), sizes);
  }
  std::vector<QuadVector> make(Buffer<std::uint32_t> codes, const LevelSizes& sizes) override {
    return build(std::move(codes), sizes);
  }

 private:
  template <class Code>
  std::vector<QuadVector> build(Buffer<Code> codes, const LevelSizes& levels) const {
    return build_digit_levels(
        std::move(codes), levels.count(), [](Code) { return false; },
        [&](std::uint32_t level, std::uint64_t) { return levels.sizes[level]; }, threads_);
  }

  int threads_;
};

}  // namespace

template <class Value>
WaveletSequence::WaveletSequence(std::span<const Value> array, WaveletShape shape, int threads)
    : size_(array.size()), shape_(shape) {
  with_gsx_errors([&] {
    const int used = threads_for(threads, array.size());
    CpuLevelMaker maker(used);
    build(array, used, maker);
  });
}

template <class Value>
WaveletSequence::WaveletSequence(std::span<const Value> array, WaveletShape shape, int threads,
                                 LevelMaker& maker)
    : size_(array.size()), shape_(shape) {
  with_gsx_errors([&] { build(array, threads_for(threads, array.size()), maker); });
}

template <class Value>
void WaveletSequence::build(std::span<const Value> array, int threads, LevelMaker& maker) {
  distinct_ = find_distinct(array, threads);
  count_symbols(array, threads);
  if (shape_ == WaveletShape::huffman) {
    tree_ = huffman_tree(counts_);
  } else {
    tree_.level_count = balanced_length(counts_.size());
  }
  if (tree_.level_count <= 4) {
    add_levels<std::uint8_t>(array, threads, maker);
  } else if (tree_.level_count <= 8) {
    add_levels<std::uint16_t>(array, threads, maker);
  } else {
    add_levels<std::uint32_t>(array, threads, maker);
  }
  find_firsts();
  for (const QuadVector& level : levels_)
    hints_.push_back(select_hints(level.view(), threads));
}

template <class Value>
void WaveletSequence::count_symbols(std::span<const Value> array, int threads) {
  const std::uint64_t symbols = distinct_.values.size();
  counts_.resize(symbols);
  if (symbols > few_symbols) {
    in_slices(threads, array.size(), [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        std::atomic_ref<std::uint64_t>(counts_[distinct_.number_of(array[i])])
            .fetch_add(1, std::memory_order_relaxed);
      }
    });
    return;
  }
  std::vector<std::vector<std::uint64_t>> own(static_cast<std::size_t>(threads));
  in_slices(threads, array.size(), [&](std::size_t t, std::uint64_t begin, std::uint64_t end) {
    own[t].resize(symbols);
    for (std::uint64_t i = begin; i < end; ++i)
      ++own[t][distinct_.number_of(array[i])];
  });
  for (const auto& counts : own) {
    for (std::uint64_t s = 0; s < counts.size(); ++s)
      counts_[s] += counts[s];
  }
}

LevelSizes WaveletSequence::level_sizes() const {
  LevelSizes levels;
  levels.digits.resize(tree_.level_count);
  const WaveletSequenceView coder = view();
  for (std::uint32_t s = 0; s < counts_.size(); ++s) {
    const WaveletCode code = coder.code_of(s);
    for (std::uint32_t level = 0; level < code.length; ++level)
      levels.digits[level][code.digit(level)] += counts_[s];
  }
  // Codes that end stand behind the others once a level is sorted, so that the next level is what
  // comes before them.
  for (const auto& digits : levels.digits)
    levels.sizes.push_back(digits[0] + digits[1] + digits[2] + digits[3]);
  return levels;
}

template <class Code, class Value>
void WaveletSequence::add_levels(std::span<const Value> array, int threads, LevelMaker& maker) {
  const std::uint32_t count = tree_.level_count;
  if (count == 0) return;
  Buffer<Code> codes(array.size(), "symbols of a wavelet sequence");
  in_slices(threads, array.size(), [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t symbol = distinct_.number_of(array[i]);
      codes[i] = static_cast<Code>(
          tree_.codes.empty() ? symbol : tree_.codes[symbol].digits >> (32 - 2 * count));
    }
  });
  levels_ = maker.make(std::move(codes), level_sizes());
}

void WaveletSequence::find_firsts() {
  firsts_.assign(counts_.size(), 0);
  const WaveletSequenceView walker = view();
  for (std::uint32_t s = 0; s < counts_.size(); ++s)
    firsts_[s] = walker.rank_of_symbol(s, 0);  // less the first, which is 0 until now
}

std::uint64_t WaveletSequence::digits() const {
  std::uint64_t digits = 0;
  for (const QuadVector& level : levels_)
    digits += level.view().size;
  return digits;
}

std::uint64_t WaveletSequence::bytes() const {
  std::uint64_t bytes = 0;
  for (const QuadVector& level : levels_)
    bytes += level.blocks().bytes() + level.superblocks().bytes();
  for (const auto& hints : hints_)
    bytes += hints.bytes();
  const std::uint64_t symbol_bytes = 3 * sizeof(std::uint64_t);
  return bytes + counts_.size() * symbol_bytes + tree_.codes.size() * sizeof(WaveletCode) +
         (tree_.leaf_symbols.size() + distinct_.table.size()) * sizeof(std::uint32_t);
}

WaveletSequenceView WaveletSequence::view() const {
  WaveletSequenceView view;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    view.levels[level] = levels_[level].view();
    if (level < hints_.size()) view.levels[level].select_hints = hints_[level].data();
  }
  std::copy(std::begin(tree_.open), std::end(tree_.open), view.open);
  std::copy(std::begin(tree_.leaves_before), std::end(tree_.leaves_before), view.leaves_before);
  view.values = distinct_.values.data();
  view.firsts = firsts_.data();
  view.counts = counts_.data();
  if (shape_ == WaveletShape::huffman) {
    view.codes = tree_.codes.data();
    view.leaf_symbols = tree_.leaf_symbols.data();
  }
  if (!distinct_.table.empty()) view.symbols = distinct_.table.data();
  view.table_size = distinct_.table.size();
  view.symbol_count = counts_.size();
  view.size = size_;
  view.level_count = tree_.level_count;
  return view;
}

#define GSX_WAVELET_SEQUENCE(Value)                                                     \
  template WaveletSequence::WaveletSequence(std::span<const Value>, WaveletShape, int); \
  template WaveletSequence::WaveletSequence(std::span<const Value>, WaveletShape, int, LevelMaker&);
GSX_WAVELET_SEQUENCE(std::uint8_t)
GSX_WAVELET_SEQUENCE(std::uint16_t)
GSX_WAVELET_SEQUENCE(std::uint32_t)
GSX_WAVELET_SEQUENCE(std::uint64_t)
#undef GSX_WAVELET_SEQUENCE

}  // namespace gsx

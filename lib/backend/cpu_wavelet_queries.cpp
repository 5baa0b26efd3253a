#include "backend/cpu_wavelet_queries.hpp"

#include <algorithm>
#include <array>

#include "base/bits.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Queries in flight a thread, level by level, so that their cache misses overlap.
constexpr std::uint64_t in_flight = 32;

class CpuWaveletQueries final : public WaveletQueries {
 public:
  CpuWaveletQueries(const WaveletView& wavelet, int threads)
      : wavelet_(wavelet), threads_(threads) {
    const std::uint32_t codes = 1u << 2 * wavelet.level_count;
    for (std::uint32_t code = 0; code < codes; ++code)
      offsets_[code] = wavelet.sorted_rank(code, std::uint64_t{0});
  }

  void access(std::span<const std::uint64_t> positions,
              std::span<std::uint8_t> codes) const override {
    for_each_group(positions.size(), [&](std::uint64_t begin, std::uint64_t count) {
      std::array<std::uint64_t, in_flight> places;
      std::array<std::uint32_t, in_flight> found{};
      std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(begin), count, places.begin());
      for (std::uint32_t level = 0; level < wavelet_.level_count; ++level) {
        const QuadView& view = wavelet_.levels[level];
        prefetch(view, places, count);
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint32_t digit = view.digit(places[i]);
          found[i] = found[i] << 2 | digit;
          if (level + 1 < wavelet_.level_count) places[i] = view.sorted_rank(digit, places[i]);
        }
      }
      for (std::uint64_t i = 0; i < count; ++i)
        codes[begin + i] = static_cast<std::uint8_t>(found[i]);
    });
  }

  void rank(std::span<const std::uint8_t> codes, std::span<const std::uint64_t> positions,
            std::span<std::uint64_t> ranks) const override {
    for_each_group(positions.size(), [&](std::uint64_t begin, std::uint64_t count) {
      std::array<std::uint64_t, in_flight> places;
      std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(begin), count, places.begin());
      for (std::uint32_t level = 0; level < wavelet_.level_count; ++level) {
        const QuadView& view = wavelet_.levels[level];
        prefetch(view, places, count);
        for (std::uint64_t i = 0; i < count; ++i)
          places[i] = view.sorted_rank(wavelet_.digit_of(codes[begin + i], level), places[i]);
      }
      for (std::uint64_t i = 0; i < count; ++i)
        ranks[begin + i] = places[i] - offsets_[codes[begin + i]];
    });
  }

  void select(std::span<const std::uint8_t> codes, std::span<const std::uint64_t> numbers,
              std::span<std::uint64_t> positions) const override {
    for_each_group(numbers.size(), [&](std::uint64_t begin, std::uint64_t count) {
      for (std::uint64_t i = begin; i < begin + count; ++i)
        positions[i] = wavelet_.select(codes[i], numbers[i]);
    });
  }

 private:
  static void prefetch(const QuadView& level, const std::array<std::uint64_t, in_flight>& places,
                       std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
      __builtin_prefetch(level.blocks + places[i] / QuadBlock::digits);
  }

  /// Calls work(begin, count) for groups of queries, on all threads.
  template <class Work>
  void for_each_group(std::uint64_t size, const Work& work) const {
    constexpr std::uint64_t share = 256 * in_flight;
    parallel_for(threads_, divide_up(size, share), [&](std::uint64_t task, int) {
      const std::uint64_t end = std::min(size, (task + 1) * share);
      for (std::uint64_t begin = task * share; begin < end; begin += in_flight)
        work(begin, std::min(in_flight, end - begin));
    });
  }

  WaveletView wavelet_;
  int threads_;
  std::array<std::uint64_t, 256> offsets_{};  ///< place of each code's first occurrence
};

}  // namespace

std::unique_ptr<WaveletQueries> make_cpu_wavelet_queries(const WaveletView& wavelet, int threads) {
  return std::make_unique<CpuWaveletQueries>(wavelet, threads);
}

}  // namespace gsx

#include "arrays/rank/select_hints.hpp"

#include "base/parallel.hpp"

namespace gsx {

Buffer<std::uint32_t> select_hints(QuadView level, int threads) {
  level.select_hints = nullptr;
  Buffer<std::uint32_t> hints(level.hint_count(), "hints of select");
  run_threads(threads, [&](int thread) {
    const Slice own = slice_of(hints.size(), static_cast<std::uint64_t>(threads),
                               static_cast<std::uint64_t>(thread));
    for (std::uint64_t h = own.begin; h < own.end; ++h)
      hints[h] = level.find_hint(h);
  });
  return hints;
}

SelectHints::SelectHints(const WaveletMatrixView& wavelet, int threads) {
  for (std::uint32_t k = 0; k < wavelet.level_count; ++k)
    levels_.push_back(select_hints(wavelet.levels[k], threads));
}

WaveletMatrixView SelectHints::attached_to(WaveletMatrixView wavelet) const {
  for (std::size_t k = 0; k < levels_.size(); ++k)
    wavelet.levels[k].select_hints = levels_[k].data();
  return wavelet;
}

}  // namespace gsx

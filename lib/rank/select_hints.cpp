#include "rank/select_hints.hpp"

#include "base/parallel.hpp"

namespace gsx {

SelectHints::SelectHints(const WaveletMatrixView& wavelet, int threads) {
  for (std::uint32_t k = 0; k < wavelet.level_count; ++k) {
    QuadView level = wavelet.levels[k];
    level.select_hints = nullptr;
    Buffer<std::uint32_t> hints(level.hint_count(), "hints of select");
    run_threads(threads, [&](int thread) {
      const Slice own = slice_of(hints.size(), static_cast<std::uint64_t>(threads),
                                 static_cast<std::uint64_t>(thread));
      for (std::uint64_t h = own.begin; h < own.end; ++h)
        hints[h] = level.find_hint(h);
    });
    levels_.push_back(std::move(hints));
  }
}

WaveletMatrixView SelectHints::attached_to(WaveletMatrixView wavelet) const {
  for (std::size_t k = 0; k < levels_.size(); ++k)
    wavelet.levels[k].select_hints = levels_[k].data();
  return wavelet;
}

}  // namespace gsx

#include "index/fm/stored_bwt.hpp"

#include <algorithm>

#include "index/bwt/bwt.hpp"

namespace gsx {

void stored_bwt_codes(const WaveletMatrixView& bwt, std::uint64_t begin, std::uint64_t end,
                      std::uint8_t* out) {
  const PackedView& holes = bwt.levels[0].holes;
  std::uint64_t hole = bwt.levels[0].holes_before(begin);
  for (std::uint64_t i = begin; i < end;) {
    const std::uint64_t stop = hole < holes.size ? std::min<std::uint64_t>(end, holes[hole]) : end;
    for (; i < stop; ++i)
      *out++ = static_cast<std::uint8_t>(bwt.access(i));
    if (i == end) break;
    *out++ = Bwt::separator;
    ++i;
    ++hole;
  }
}

}  // namespace gsx

#include "analysis/lz77/text_part.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Symbols [begin, begin + count), which may begin inside a byte. Eight symbols are whole bytes.
PackedArray copy_symbols(const PackedView& from, std::uint64_t begin, std::uint64_t count,
                         int threads) {
  constexpr std::uint64_t together = PackedArray::slice_unit, task = std::uint64_t{1} << 17;
  const std::uint32_t bits = from.bits;
  Buffer<std::uint8_t> bytes(PackedView::bytes_for(count, bits), "symbols of a record");
  const std::uint64_t whole = count / together;
  parallel_for(threads, divide_up(whole, task), [&](std::uint64_t t, int) {
    for (std::uint64_t k = t * task; k < std::min(whole, (t + 1) * task); ++k) {
      const std::uint64_t word = from.window(begin + k * together);
      for (std::uint32_t b = 0; b < bits; ++b)
        bytes[k * bits + b] = static_cast<std::uint8_t>(word >> (56 - 8 * b));
    }
  });
  PackedWriter rest(bytes.data() + whole * bits, bits);
  for (std::uint64_t i = whole * together; i < count; ++i)
    rest.push(from[begin + i]);
  rest.finish();
  return {std::move(bytes), count, bits};
}

}  // namespace

TextPart::TextPart(const TextView& text, std::uint64_t first, std::uint64_t last, int threads) {
  if (first == 0 && last == text.segments.count) {
    view_ = text;
    return;
  }
  const std::uint64_t begin = text.segments.starts[first];
  std::vector<std::uint64_t> starts(text.segments.starts + first, text.segments.starts + last + 1);
  for (std::uint64_t& start : starts)
    start -= begin;
  symbols_ = copy_symbols(text.symbols, begin, starts.back(), threads);
  segments_ = Segments(std::move(starts));
  view_ = {symbols_.view(), segments_.view(), text.sigma};
}

}  // namespace gsx

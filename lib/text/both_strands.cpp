#include "text/both_strands.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "text/packed_bases.hpp"

namespace gsx {
namespace {

Segments twice(const SegmentsView& segments) {
  std::vector<std::uint64_t> starts(segments.starts, segments.starts + segments.count);
  starts.reserve(2 * segments.count + 1);
  for (std::uint64_t k = 0; k <= segments.count; ++k)
    starts.push_back(segments.length() + segments.starts[k]);
  return Segments(std::move(starts));
}

/// Bases that are written at a time.
constexpr std::uint64_t most = PackedView::max_bits / 2;

/// Memory for the bases of both strands, which are yet to be written.
PackedArray unwritten(const TextView& text) {
  const std::uint64_t size = 2 * text.length();
  return {Buffer<std::uint8_t>(PackedView::bytes_for(size, 2), "both strands of the text"), size,
          2};
}

/// Writes bases [begin, end) of the text.
void push_forward(const TextView& text, std::uint64_t begin, std::uint64_t end,
                  PackedWriter& writer) {
  for (std::uint64_t p = begin; p < end;) {
    const auto count = static_cast<std::uint32_t>(std::min(most, end - p));
    writer.push_several(text.symbols.window(p) >> (64 - 2 * count), count);
    p += count;
  }
}

/// Writes bases [begin, end) of the reverse complement of a text whose segments keep their order.
void push_reverse(const TextView& text, std::uint64_t begin, std::uint64_t end,
                  PackedWriter& writer) {
  std::uint64_t segment = begin < text.length() ? text.segments.segment_at(begin) : 0;
  for (std::uint64_t o = begin; o < end;) {
    const std::uint64_t first = text.segments.starts[segment];
    const std::uint64_t separator = text.segments.starts[segment + 1] - 1;
    if (o == separator) {
      writer.push(0);
      ++o;
      ++segment;
      continue;
    }
    const auto count = static_cast<std::uint32_t>(std::min({most, end - o, separator - o}));
    const std::uint64_t from = first + separator - o - count;
    writer.push_several(reverse_complement(text.symbols.window(from) >> (64 - 2 * count), count),
                        count);
    o += count;
  }
}

Segments pairs(const SegmentsView& segments) {
  std::vector<std::uint64_t> starts;
  starts.reserve(2 * segments.count + 1);
  for (std::uint64_t k = 0; k < segments.count; ++k) {
    starts.push_back(2 * segments.starts[k]);
    starts.push_back(segments.starts[k] + segments.starts[k + 1]);
  }
  starts.push_back(2 * segments.length());
  return Segments(std::move(starts));
}

/// Writes symbols [begin, end) of the text of pairs.
void push_pairs(const TextView& text, std::uint64_t begin, std::uint64_t end,
                PackedWriter& writer) {
  std::uint64_t segment = begin < end ? text.segments.segment_at(begin / 2) : 0;
  for (std::uint64_t o = begin; o < end; ++segment) {
    const std::uint64_t first = text.segments.starts[segment];
    const std::uint64_t next = text.segments.starts[segment + 1];
    const std::uint64_t reverse = first + next;  // where the reverse complement begins
    const std::uint64_t turn = std::min(end, reverse);
    if (o < turn) push_forward(text, o - first, turn - first, writer);
    o = std::max(o, turn);
    const std::uint64_t stop = std::min(end, 2 * next);
    if (o < stop) push_reverse(text, o - next, stop - next, writer);
    o = std::max(o, stop);
  }
}

}  // namespace

BothStrands::BothStrands(const TextView& text, int threads)
    : half_(text.length()),
      sigma_(text.sigma),
      segments_(twice(text.segments)),
      symbols_(unwritten(text)) {
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(symbols_.size(), slices, s, PackedArray::slice_unit);
    PackedWriter writer = symbols_.writer(slice.begin);
    push_forward(text, slice.begin, std::min(slice.end, half_), writer);
    if (slice.end > half_)
      push_reverse(text, std::max(slice.begin, half_) - half_, slice.end - half_, writer);
    writer.finish();
  });
}

StrandPairs::StrandPairs(const TextView& text, int threads)
    : sigma_(text.sigma), segments_(pairs(text.segments)), symbols_(unwritten(text)) {
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(symbols_.size(), slices, s, PackedArray::slice_unit);
    PackedWriter writer = symbols_.writer(slice.begin);
    push_pairs(text, slice.begin, slice.end, writer);
    writer.finish();
  });
}

}  // namespace gsx

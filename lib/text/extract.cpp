#include "text/extract.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"

namespace gsx {
namespace {

/// The four bases that each byte of a packed text holds.
constexpr auto bases_of_bytes = [] {
  std::array<std::array<char, 4>, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned k = 0; k < 4; ++k)
      table[byte][k] = "ACGT"[byte >> (6 - 2 * k) & 3];
  }
  return table;
}();

void decode_bases(const PackedView& codes, std::uint64_t begin, std::uint64_t count, char* out) {
  const std::uint8_t* byte = codes.bytes + begin / 4;
  if (const std::uint64_t skip = begin % 4; skip != 0) {
    const std::uint64_t some = std::min<std::uint64_t>(count, 4 - skip);
    std::memcpy(out, bases_of_bytes[*byte++].data() + skip, some);
    out += some;
    count -= some;
  }
  for (; count >= 4; count -= 4, out += 4)
    std::memcpy(out, bases_of_bytes[*byte++].data(), 4);
  if (count != 0) std::memcpy(out, bases_of_bytes[*byte].data(), count);
}

void decode(const PackedView& codes, const Alphabet& alphabet, std::uint64_t begin,
            std::uint64_t count, std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + count);
  if (alphabet.policy() == SymbolPolicy::dna) {
    decode_bases(codes, begin, count, out.data() + start);
    return;
  }
  // One window holds at least this many codes.
  const std::uint32_t per_window = PackedView::max_bits / codes.bits;
  for (std::uint64_t i = 0; i < count;) {
    std::uint64_t window = codes.window(begin + i);
    const std::uint64_t stop = std::min<std::uint64_t>(count, i + per_window);
    for (; i < stop; ++i, window <<= codes.bits) {
      out[start + i] = alphabet.symbol(window >> (64 - codes.bits));
    }
  }
}

/// The last element of [low, high) whose offset is at most `offset`; low if there is none.
template <class Offset>
std::uint64_t last_at(std::uint64_t low, std::uint64_t high, std::uint64_t offset,
                      Offset&& offset_of) {
  while (low + 1 < high) {
    const std::uint64_t middle = (low + high) / 2;
    (offset_of(middle) <= offset ? low : high) = middle;
  }
  return low;
}

}  // namespace

void extract(const TextView& text, const RecordsView& records, const Alphabet& alphabet,
             std::uint64_t record, std::uint64_t begin, std::uint64_t end, std::string& out) {
  const bool last = record + 1 == records.size();
  const std::uint64_t segments_end =
      last ? records.segment_offsets.size() : records.infos[record + 1].first_segment;
  const std::uint64_t gaps_end = last ? records.gaps.size() : records.infos[record + 1].first_gap;
  std::uint64_t segment = last_at(records.infos[record].first_segment, segments_end, begin,
                                  [&](std::uint64_t s) { return records.segment_offsets[s]; });
  std::uint64_t gap = last_at(records.infos[record].first_gap, gaps_end, begin,
                              [&](std::uint64_t g) { return records.gaps[g].offset; });
  // Segments and gaps tile the record; take whichever covers `begin`.
  while (begin < end) {
    if (segment < segments_end) {
      const std::uint64_t offset = records.segment_offsets[segment];
      const std::uint64_t start = text.segments.starts[segment];
      const std::uint64_t length = text.segments.starts[segment + 1] - 1 - start;
      if (begin >= offset && begin < offset + length) {
        const std::uint64_t count = std::min(end, offset + length) - begin;
        decode(text.symbols, alphabet, start + begin - offset, count, out);
        begin += count;
        ++segment;
        continue;
      }
      if (offset + length <= begin) ++segment;
    }
    if (gap < gaps_end) {
      const Gap& run = records.gaps[gap];
      if (begin >= run.offset && begin < run.offset + run.length) {
        const std::uint64_t count = std::min(end, run.offset + run.length) - begin;
        if (run.is_literal()) {
          decode(records.literals, alphabet, run.source - Gap::literal_base + begin - run.offset,
                 count, out);
        } else {
          out.append(count, static_cast<char>(run.source));
        }
        begin += count;
        ++gap;
        continue;
      }
      if (run.offset + run.length <= begin) ++gap;
    }
    const bool segment_ahead = segment < segments_end && records.segment_offsets[segment] <= begin;
    const bool gap_ahead = gap < gaps_end && records.gaps[gap].offset <= begin;
    if (!segment_ahead && !gap_ahead) {
      throw CorruptIndexError("the tables of record " + std::to_string(record + 1) +
                              " do not cover it; rebuild the index");
    }
  }
}

void lower_masked_bases(const RecordsView& records, std::uint64_t record, std::uint64_t begin,
                        char* symbols, std::uint64_t count) {
  const bool last = record + 1 == records.size();
  const std::uint64_t gaps_end = last ? records.gaps.size() : records.infos[record + 1].first_gap;
  const std::uint64_t end = begin + count;
  std::uint64_t gap = last_at(records.infos[record].first_gap, gaps_end, begin,
                              [&](std::uint64_t g) { return records.gaps[g].offset; });
  for (; gap < gaps_end && records.gaps[gap].offset < end; ++gap) {
    const Gap& run = records.gaps[gap];
    if (!run.is_literal()) continue;
    const std::uint64_t stop = std::min(end, run.offset + run.length);
    for (std::uint64_t i = std::max(begin, run.offset); i < stop; ++i)
      symbols[i - begin] = to_lower(symbols[i - begin]);
  }
}

}  // namespace gsx

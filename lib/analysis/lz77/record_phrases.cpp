#include "analysis/lz77/record_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "text/decode_record.hpp"

namespace gsx {

double PhraseFigures::complexity() const {
  if (symbols == 0) return 0;
  const auto n = static_cast<double>(symbols);
  return static_cast<double>(phrases) * std::log2(n) / n;
}

RecordPhrases::SegmentRange RecordPhrases::segments() const {
  const RecordsView& records = source_.records;
  const std::uint64_t last = record_ + 1 < records.size() ? records.infos[record_ + 1].first_segment
                                                          : records.segment_offsets.size();
  return {records.infos[record_].first_segment, last};
}

/// Masked bases, which are stored, become runs of equal symbols.
void RecordPhrases::visit_gap(const Gap& gap,
                              const std::function<void(const RecordPhrase&)>& visit) const {
  RecordPhrase phrase{RecordPhrase::Kind::outside, 0, gap.offset, 0, 0, 0};
  if (!gap.is_literal()) {
    phrase.symbol = static_cast<char>(gap.source);
    phrase.length = gap.length;
    visit(phrase);
    return;
  }
  std::string symbols;
  decode_record(source_.text, source_.records, *source_.alphabet, record_, gap.offset,
                gap.offset + gap.length, symbols, [&](std::uint64_t, std::string_view some) {
                  for (const char symbol : some) {
                    if (phrase.length > 0 && symbol != phrase.symbol) {
                      visit(phrase);
                      phrase.start += phrase.length;
                      phrase.length = 0;
                    }
                    phrase.symbol = symbol;
                    ++phrase.length;
                  }
                });
  if (phrase.length > 0) visit(phrase);
}

template <class Pos>
void RecordPhrases::visit_segment(const TextPhrases<Pos>& parsed, std::uint64_t segment,
                                  std::uint64_t& next,
                                  const std::function<void(const RecordPhrase&)>& visit) const {
  const SegmentsView& segments = source_.text.segments;
  const std::uint64_t begin = segments.starts[segment], end = segments.starts[segment + 1] - 1;
  const std::uint64_t offset = source_.records.segment_offsets[segment];
  while (next < parsed.size() && base_ + parsed.phrases[next].start < end) {
    const TextPhrase<Pos>& phrase = parsed.phrases[next++];
    const std::uint64_t start = base_ + phrase.start;
    const std::uint64_t stop =
        next == parsed.size() ? end
                              : std::min<std::uint64_t>(end, base_ + parsed.phrases[next].start);
    RecordPhrase seen{RecordPhrase::Kind::literal, 0, offset + start - begin, stop - start, 0, 0};
    if (phrase.is_copy()) {
      const std::uint64_t from = base_ + phrase.source;
      const std::uint64_t its = from >= begin ? segment : segments.segment_at(from);
      seen.kind = RecordPhrase::Kind::copy;
      seen.source_record = source_.records.segment_records[its];
      seen.source = source_.records.segment_offsets[its] + from - segments.starts[its];
    } else {
      seen.symbol = source_.alphabet->symbol(source_.text.symbols[start]);
    }
    visit(seen);
  }
}

void RecordPhrases::visit(const std::function<void(const RecordPhrase&)>& visit) const {
  const RecordsView& records = source_.records;
  const SegmentRange own = segments();
  const std::uint64_t gaps_end =
      record_ + 1 < records.size() ? records.infos[record_ + 1].first_gap : records.gaps.size();
  std::uint64_t gap = records.infos[record_].first_gap;
  std::visit(
      [&](const auto& parsed) {
        std::uint64_t next = 0;
        if (own.first < own.last && parsed.size() > 0)
          next = parsed.phrase_at(source_.text.segments.starts[own.first] - base_);
        for (std::uint64_t segment = own.first; segment < own.last; ++segment) {
          for (; gap < gaps_end && records.gaps[gap].offset < records.segment_offsets[segment];
               ++gap)
            visit_gap(records.gaps[gap], visit);
          visit_segment(parsed, segment, next, visit);
        }
      },
      parsed_);
  for (; gap < gaps_end; ++gap)
    visit_gap(records.gaps[gap], visit);
}

}  // namespace gsx

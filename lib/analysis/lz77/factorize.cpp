#include "analysis/lz77/factorize.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/lz77/candidates.hpp"
#include "analysis/lz77/first_sources.hpp"
#include "analysis/lz77/phrase_parser.hpp"
#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/packed.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "text/text.hpp"
#include "text/text_view.hpp"

namespace gsx {
namespace {

/// Segments [first, last) of a text. Owns a copy of their symbols unless they are the whole text.
class TextPart {
 public:
  /// Pre: first < last <= text.segments.count; `text` outlives this. Throws ResourceError. Cost:
  /// one pass over the part on `threads` threads.
  TextPart(const TextView& text, std::uint64_t first, std::uint64_t last, int threads);

  TextView view() const { return view_; }

 private:
  PackedArray symbols_;
  Segments segments_;
  TextView view_;
};

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

using AnyPhrases = RecordPhrases::AnyPhrases;

/// Records [first, last), whose segments are [first_segment, last_segment).
struct ParsedPart {
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t first_segment;
  std::uint64_t last_segment;
  std::uint64_t symbols;  ///< separators included
};

/// Small records are put together up to this many symbols. On the CPU, such parts are parsed at the
/// same time, each on one thread.
constexpr std::uint64_t small_part = std::uint64_t{1} << 18;

std::uint64_t first_segment(const RecordsView& records, std::uint64_t record) {
  return record < records.size() ? records.infos[record].first_segment
                                 : records.segment_offsets.size();
}

ParsedPart part_of(const RecordSource& source, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t begin = first_segment(source.records, first);
  const std::uint64_t end = first_segment(source.records, last);
  const std::uint64_t* const starts = source.text.segments.starts;
  return {first, last, begin, end, starts[end] - starts[begin]};
}

std::vector<ParsedPart> parts_of(const RecordSource& source, bool across_records) {
  const std::uint64_t records = source.records.size();
  if (across_records) return {part_of(source, 0, records)};
  std::vector<ParsedPart> parts;
  for (std::uint64_t record = 0; record < records; ++record) {
    const ParsedPart alone = part_of(source, record, record + 1);
    if (!parts.empty() && parts.back().symbols + alone.symbols <= small_part) {
      parts.back() = part_of(source, parts.back().first, record + 1);
    } else {
      parts.push_back(alone);
    }
  }
  return parts;
}

/// Bytes beside the suffix array that the candidates take, and those of both.
std::uint64_t bytes_to_parse(const ParsedPart& part, const BuildOptions& build) {
  return part.symbols * (is_wide(part.symbols, build.width) ? 24 : 12);
}

/// For what the text decides: neighbours that wait for one another, and phrases.
RequireMemory memory_of(const BuildOptions& build) {
  return build.memory.require_as_needed("the LZ77 parse of such a text");
}

/// The rows of several records, each record's together: row r of a record that begins at text
/// position b is at b + r. Records keep the order that their suffixes have in the text, since every
/// comparison ends at a separator.
template <class Pos>
Buffer<Pos> split_rows(std::span<const Pos> rows, const RecordSource& source,
                       const ParsedPart& part, const TextView& text,
                       std::vector<std::uint64_t>& ends) {
  const std::uint64_t* const record_of = source.records.segment_records.data() + part.first_segment;
  Buffer<Pos> split(text.length(), "rows of records");
  ends.assign(part.last - part.first, 0);
  for (std::uint64_t record = part.first; record < part.last; ++record) {
    const std::uint64_t segment = first_segment(source.records, record) - part.first_segment;
    ends[record - part.first] = text.segments.starts[segment];
  }
  for (const Pos position : rows) {
    const std::uint64_t record = record_of[text.segments.segment_at(position)] - part.first;
    split[ends[record]++] = position;
  }
  return split;
}

template <class Pos>
Buffer<SourceCandidates<Pos>> candidates_of(SuffixArray rows, const RecordSource& source,
                                            const ParsedPart& part, const TextView& text,
                                            bool together, const BuildOptions& build) {
  rows.drop_first(text.segments.count);
  Buffer<SourceCandidates<Pos>> candidates(text.length(), "sources of phrases");
  touch_pages(candidates, build.threads);
  const RequireMemory require = memory_of(build);
  const std::span<const Pos> all = rows.entries<Pos>();
  if (together) {
    find_candidates(all, candidates.span(), build.threads, require);
    return candidates;
  }
  std::vector<std::uint64_t> ends;
  const Buffer<Pos> split = split_rows(all, source, part, text, ends);
  for (std::uint64_t record = part.first; record < part.last; ++record) {
    const std::uint64_t segment = first_segment(source.records, record) - part.first_segment;
    const std::uint64_t begin = text.segments.starts[segment];
    find_candidates(split.span().subspan(begin, ends[record - part.first] - begin),
                    candidates.span(), build.threads, require);
  }
  return candidates;
}

template <class Pos>
TextPhrases<Pos> parse_rows(SuffixArray rows, const RecordSource& source, const ParsedPart& part,
                            const TextView& text, const Lz77Options& options) {
  const BuildOptions& build = options.build;
  Stopwatch watch;
  const bool together = options.across_records || part.last == part.first + 1;
  const auto candidates = candidates_of<Pos>(std::move(rows), source, part, text, together, build);
  log().debug("candidates in {:.3f} s", watch.lap());
  std::function<void(std::uint64_t)> report;
  if (build.progress) {
    report = [&](std::uint64_t position) {
      build.progress("parsing", static_cast<double>(position) / static_cast<double>(text.length()));
    };
  }
  const std::span<const SourceCandidates<Pos>> view = candidates.span();
  TextPhrases<Pos> parsed = PhraseParser<Pos>(text, view).parse(report, memory_of(build));
  log().debug("parsed into {} phrases in {:.3f} s", parsed.size(), watch.lap());
  FirstSources<Pos>(text, view, parsed).find(build.threads);
  log().debug("first sources in {:.3f} s", watch.lap());
  return parsed;
}

AnyPhrases parse_part(const RecordSource& source, const ParsedPart& part, Backend& backend,
                      Lz77Options options) {
  if (part.first_segment == part.last_segment) return {};
  BuildOptions& build = options.build;
  const TextPart text(source.text, part.first_segment, part.last_segment, build.threads);
  if (text.view().length() != source.text.length())
    build.memory.used += PackedView::bytes_for(part.symbols, source.text.symbols.bits);
  build.memory.require(bytes_to_parse(part, build), "the LZ77 parse");
  SuffixArray rows = build_suffix_array(backend, text.view(), build);
  if (is_wide(part.symbols, build.width))
    return parse_rows<std::uint64_t>(std::move(rows), source, part, text.view(), options);
  return parse_rows<std::uint32_t>(std::move(rows), source, part, text.view(), options);
}

/// Gives the records of a part.
void give(const RecordSource& source, const ParsedPart& part, const AnyPhrases& parsed,
          const std::function<void(const RecordPhrases&)>& take) {
  const std::uint64_t base = source.text.segments.starts[part.first_segment];
  for (std::uint64_t record = part.first; record < part.last; ++record)
    take(RecordPhrases(source, record, parsed, base));
}

/// Parses small parts [first, last) at the same time, each on one thread.
void parse_small(const RecordSource& source, std::span<const ParsedPart> parts,
                 const Lz77Options& options,
                 const std::function<void(const RecordPhrases&)>& take) {
  std::vector<AnyPhrases> parsed(parts.size());
  parallel_for(options.build.threads, parts.size(), [&](std::uint64_t k, int) {
    Lz77Options own = options;
    own.build.threads = 1;
    own.build.progress = {};
    parsed[k] = parse_part(source, parts[k], *make_cpu_backend(CpuPath::baseline), own);
  });
  for (std::size_t k = 0; k < parts.size(); ++k)
    give(source, parts[k], parsed[k], take);
}

}  // namespace

Lz77Plan plan_lz77(const RecordSource& source, Backend& backend, const Lz77Options& options) {
  Lz77Plan plan;
  const std::vector<ParsedPart> parts = parts_of(source, options.across_records);
  const ParsedPart& largest = *std::ranges::max_element(parts, {}, &ParsedPart::symbols);
  plan.parts = parts.size();
  plan.part_symbols = largest.symbols;
  if (largest.first_segment == largest.last_segment) return plan;
  BuildOptions build = options.build;
  build.whole = true;
  const TextPart text(source.text, largest.first_segment, largest.last_segment, build.threads);
  const BuildPlan sort = backend.plan(text.view(), BuildTarget::suffix_array, build);
  const std::uint64_t copied =
      text.view().length() == source.text.length()
          ? 0
          : PackedView::bytes_for(largest.symbols, source.text.symbols.bits);
  plan.host_bytes = copied + std::max(sort.host_bytes, bytes_to_parse(largest, build));
  plan.device_bytes = sort.device_bytes;
  return plan;
}

void factorize(const RecordSource& source, Backend& backend, const Lz77Options& options,
               const std::function<void(const RecordPhrases&)>& take) {
  const std::vector<ParsedPart> parts = parts_of(source, options.across_records);
  const std::span<const ParsedPart> all(parts);
  const bool in_parallel = !options.across_records && backend.name() == "cpu";
  const std::size_t at_once = in_parallel ? static_cast<std::size_t>(options.build.threads) * 4 : 0;
  for (std::size_t k = 0; k < parts.size();) {
    std::size_t last = k;
    while (last < parts.size() && last < k + at_once && parts[last].symbols <= small_part)
      ++last;
    if (last > k) {
      if (options.build.progress) {
        options.build.progress("parsing",
                               static_cast<double>(k) / static_cast<double>(parts.size()));
      }
      parse_small(source, all.subspan(k, last - k), options, take);
      k = last;
    } else {
      give(source, parts[k], parse_part(source, parts[k], backend, options), take);
      ++k;
    }
  }
}

}  // namespace gsx

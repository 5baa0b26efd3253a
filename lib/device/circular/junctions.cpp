#include "device/circular/junctions.hpp"

#include <algorithm>
#include <string>

#include "base/byte_text.hpp"
#include "base/log.hpp"
#include "base/out_of_memory.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "text/record_checksum.hpp"
#include "text/text_builder.hpp"

namespace gsx {
namespace {

/// Symbols that are added to the text at a time.
constexpr std::uint64_t batch_symbols = std::uint64_t{1} << 20;

/// Symbols of a side that a place of `longest` symbols reaches.
std::uint64_t reach(std::uint64_t side, std::uint64_t longest) {
  return std::min(side, longest - 1);
}

void append_bases(const PackedView& codes, std::uint64_t begin, std::uint64_t end,
                  std::string& out) {
  for (std::uint64_t i = begin; i < end; ++i)
    out += "ACGT"[codes[i]];
}

/// A record per circle, of one segment each.
Text junction_text(const TextView& text, std::span<const Circle> circles, std::uint64_t longest) {
  TextBuilder builder({.alphabet = SymbolPolicy::dna});
  RecordBatch batch;
  std::string symbols;
  for (std::size_t i = 0; i < circles.size(); ++i) {
    const Circle& circle = circles[i];
    symbols.clear();
    append_bases(text.symbols, circle.end - reach(circle.before, longest), circle.end, symbols);
    append_bases(text.symbols, circle.begin, circle.begin + reach(circle.after, longest), symbols);
    batch.begin_record("", "");
    batch.append(symbols);
    if (batch.symbols.size() < batch_symbols && i + 1 < circles.size()) continue;
    builder.add(batch);
    const std::uint64_t next = batch.number + 1;
    batch.clear();
    batch.number = next;
    batch.first_record = i + 1;
  }
  return builder.finish();
}

}  // namespace

Junctions::Junctions(const TextView& text, std::span<const Circle> circles, std::uint64_t longest,
                     const JunctionOptions& options)
    : circles_(circles), longest_(longest) {
  std::uint64_t symbols = 0;
  for (const Circle& circle : circles)
    symbols += reach(circle.before, longest) + reach(circle.after, longest) + 1;
  const auto refuse_above = [&](std::uint64_t bytes) {
    if (bytes <= options.most_bytes) return;
    throw OutOfMemoryError("the origins of " + std::to_string(circles.size()) +
                           " circular records, for patterns of up to " + std::to_string(longest) +
                           " symbols, take " + bytes_text(bytes) + ", and " +
                           bytes_text(options.most_bytes) + " are left for them");
  };
  refuse_above(symbols);
  Text made = junction_text(text, circles, longest);
  const std::unique_ptr<Backend> backend = make_cpu_backend(options.path);
  BuildOptions build;
  build.threads = options.threads;
  const auto bytes = [&] {
    return backend->plan(made.view(), BuildTarget::index, build).host_bytes +
           index_bytes(made, build.fm());
  };
  // Each thread takes memory of its own, of which junctions of short records need little.
  while (build.threads > 1 && bytes() > options.most_bytes)
    build.threads /= 2;
  refuse_above(bytes());
  checksum_records(made, build.threads);
  const FmIndex fm = backend->build_index(made.view(), build);
  index_ =
      std::make_unique<const Index>(Index::of(index_image(made, fm, build.threads), build.threads));
  SearchMemory memory = options.memory;
  memory.index_copy = 0;
  exact_ = std::make_unique<CpuSearcher>(*index_, memory, options.path);
  mismatched_ = std::make_unique<CpuMismatchSearcher>(MismatchTarget{index_->text(), &*index_},
                                                      options.threads, memory, options.path);
  log().debug("origins of {} circular records, for patterns of up to {} symbols: {} symbols",
              circles.size(), longest, symbols);
}

std::optional<Hit> Junctions::spanning(const Hit& hit, std::uint64_t length) const {
  const SegmentsView& segments = index_->text().segments;
  const std::uint64_t segment = segments.segment_at(hit.position());
  const Circle& circle = circles_[segment];
  const std::uint64_t before = reach(circle.before, longest_);
  const std::uint64_t at = hit.position() - segments.starts[segment];
  if (at >= before || at + length <= before || length > circle.length) return std::nullopt;
  return Hit(circle.end - before + at, hit.is_reverse(), hit.mismatches());
}

std::vector<Circle> circles_of(const TextView& text, const RecordsView& records,
                               std::span<const std::uint64_t> circular) {
  const SegmentsView& segments = text.segments;
  std::vector<Circle> circles;
  for (const std::uint64_t record : circular) {
    const RecordInfo& info = records.infos[record];
    const std::uint64_t first = info.first_segment;
    const std::uint64_t end =
        record + 1 == records.size() ? segments.count : records.infos[record + 1].first_segment;
    if (first == end || info.length < 2 || records.segment_offsets[first] != 0) continue;
    const auto size = [&](std::uint64_t segment) {
      return segments.starts[segment + 1] - 1 - segments.starts[segment];
    };
    const std::uint64_t last = end - 1;
    if (records.segment_offsets[last] + size(last) != info.length) continue;
    circles.push_back({segments.starts[end] - 1, segments.starts[first], info.length,
                       std::min(size(last), info.length - 1),
                       std::min(size(first), info.length - 1)});
  }
  return circles;
}

}  // namespace gsx

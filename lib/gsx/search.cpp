#include "gsx/search.hpp"

#include <algorithm>

#include "base/messages.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "device/cpu/cpu_mismatch_searcher.hpp"
#include "device/shards/joined_search.hpp"
#include "device/shards/whole_index.hpp"
#include "run/opened_target.hpp"
#include "run/pattern_blocks.hpp"
#include "run/patterns.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "search/exact/strand_check.hpp"
#include "search/mismatches/unasked.hpp"

namespace gsx {
namespace {

Occurrence place_of(const SegmentsView& segments, const RecordsView& records, Hit hit,
                    std::uint64_t length) {
  const std::uint64_t segment = segments.segment_at(hit.position());
  const std::uint64_t begin =
      records.segment_offsets[segment] + hit.position() - segments.starts[segment];
  return {records.segment_records[segment], begin, begin + length, hit.is_reverse(),
          hit.mismatches()};
}

/// One pattern on one thread: no back end, and no copy of the index.
CpuSearcher searcher_of(const Index& index) {
  return {index, {.index_copy = 0}, best_cpu_path()};
}

/// For one pattern in shards: a searcher of each.
BatchSearcher batch_searcher_of(const Index& index) {
  return BatchSearcher(index, {.device = "cpu", .threads = 1});
}

}  // namespace

Occurrence occurrence_of(const Index& index, Hit hit, std::uint64_t length) {
  return place_of(index.fm().segments, index.records(), hit, length);
}

Occurrence occurrence_of(const Text& text, Hit hit, std::uint64_t length) {
  return place_of(text.segments.view(), text.records_view(), hit, length);
}

StrandCounts count(const Index& index, std::string_view pattern, Strands strands) {
  require_strand(strands, index.alphabet());
  if (!index.parts().empty()) return batch_searcher_of(index).count({&pattern, 1}, strands)[0];
  return with_gsx_errors([&] {
    PatternBuffer buffer;
    buffer.encode({&pattern, 1}, index.alphabet());
    std::vector<StrandCounts> counts;
    searcher_of(index).count(buffer.patterns(), strands, counts);
    return counts[0];
  });
}

std::vector<Occurrence> locate(const Index& index, std::string_view pattern,
                               const LocateRequest& request) {
  require_strand(request.strands, index.alphabet());
  std::vector<Occurrence> found;
  const auto take = [&](const HitChunk& chunk) {
    for (const Hit hit : chunk.hits)
      found.push_back(occurrence_of(index, hit, pattern.size()));
  };
  if (!index.parts().empty()) {
    batch_searcher_of(index).locate({&pattern, 1}, request, take);
    return found;
  }
  return with_gsx_errors([&] {
    PatternBuffer buffer;
    buffer.encode({&pattern, 1}, index.alphabet());
    searcher_of(index).stream(buffer.patterns(), request, take);
    return std::move(found);
  });
}

Cursor::Cursor(const Index& index)
    : fm_(&index.fm()), alphabet_(&index.alphabet()), records_(&index.records()) {
  require_whole(index, "steps of backward search");
  rows_ = {0, fm_->rows()};
}

bool Cursor::extend_left(char symbol) {
  const std::uint8_t code = alphabet_->code(symbol);
  ++length_;
  if (code == Alphabet::none || rows_.count() == 0) {
    rows_ = {0, 0};
  } else {
    rows_ = fm_->extend(rows_, code);
  }
  return rows_.count() > 0;
}

Occurrence Cursor::occurrence(std::uint64_t i) const {
  return place_of(fm_->segments, *records_, Hit(fm_->locate(rows_.begin + i), false), length_);
}

namespace {

/// Fewest patterns that a thread searches at a time, if there are as many.
constexpr std::uint64_t least_patterns = 4096;

/// As large as the searcher likes them.
PatternBlocks blocks_of(std::span<const std::string_view> patterns, const Searcher& searcher,
                        int threads) {
  return {patterns, threads, least_patterns, searcher.best_batch()};
}

}  // namespace

struct BatchSearcher::State : OpenedTarget {
  State(const Index& index, const SearchOptions& options)
      : OpenedTarget(Target(index), options, cost_of_any_queries),
        searcher(of_all_places(open_searcher(*backend, *target.index(), cores, options.memory),
                               options.memory, best_cpu_path())),
        threads(backend->search_threads(cores)) {}

  std::unique_ptr<Searcher> searcher;
  int threads;
};

BatchSearcher::BatchSearcher(const Index& index, const SearchOptions& options)
    : state_(with_gsx_errors([&] { return std::make_unique<State>(index, options); })) {}

BatchSearcher::BatchSearcher(BatchSearcher&&) noexcept = default;
BatchSearcher& BatchSearcher::operator=(BatchSearcher&&) noexcept = default;
BatchSearcher::~BatchSearcher() = default;

std::string BatchSearcher::device() const {
  return state_->backend->name();
}

std::vector<StrandCounts> BatchSearcher::count(std::span<const std::string_view> patterns,
                                               Strands strands) const {
  require_strand(strands, state_->target.alphabet());
  return with_gsx_errors([&] {
    std::vector<StrandCounts> counts(patterns.size());
    const PatternBlocks blocks = blocks_of(patterns, *state_->searcher, state_->threads);
    std::vector<PatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
    std::vector<std::vector<StrandCounts>> some(buffers.size());
    parallel_for(state_->threads, blocks.count(), [&](std::uint64_t block, int number) {
      const auto thread = static_cast<std::size_t>(number);
      buffers[thread].encode(blocks[block], state_->target.alphabet());
      state_->searcher->count(buffers[thread].patterns(), strands, some[thread]);
      std::ranges::copy(some[thread],
                        counts.begin() + static_cast<std::ptrdiff_t>(blocks.begin_of(block)));
    });
    return counts;
  });
}

void BatchSearcher::locate(std::span<const std::string_view> patterns, const LocateRequest& request,
                           const HitSink& sink) const {
  require_sink(sink);
  require_strand(request.strands, state_->target.alphabet());
  const PatternBlocks blocks = blocks_of(patterns, *state_->searcher, state_->threads);
  with_gsx_errors([&] {
    stream_blocks(blocks, state_->threads, sink, [&] {
      return [&, buffer = PatternBuffer()](std::span<const std::string_view> some,
                                           const HitSink& take) mutable {
        buffer.encode(some, state_->target.alphabet());
        state_->searcher->stream(buffer.patterns(), request, take);
      };
    });
  });
}

namespace {

/// What the messages call it.
constexpr const char* searching_mismatches = "a search with mismatches or IUPAC codes";

/// Patterns that a thread searches at a time: enough of them to share what a scan reads and what a
/// GPU takes to start, and few enough for all threads to have some.
constexpr std::uint64_t fewest_patterns = 256, most_patterns = 4096;

MismatchRules rules_of(const MismatchOptions& options) {
  require_mismatches(options.mismatches);
  return {options.mismatches, options.iupac};
}

MismatchRequest request_of(const MismatchOptions& options) {
  return {options.strands, options.mismatches, options.max_hits};
}

/// One pattern. Throws UsageError if it cannot be asked for.
SetPatternBuffer encode(std::string_view pattern, const MismatchRules& rules) {
  if (const auto why = why_unasked(pattern, rules))
    throw UsageError("pattern '" + shown_name(pattern) + "': it " + *why);
  SetPatternBuffer buffer;
  buffer.add(pattern, rules.iupac);
  return buffer;
}

/// Many. Those that cannot be asked for become empty, and so have no place.
void encode(std::span<const std::string_view> patterns, const MismatchRules& rules,
            SetPatternBuffer& buffer) {
  buffer.clear();
  for (const std::string_view pattern : patterns) {
    const bool asked = !why_unasked(pattern, rules);
    buffer.add(asked ? pattern : std::string_view(), rules.iupac);
  }
}

/// Copies the counts of all patterns, [pattern][mismatches], to `to`.
void copy_counts(const MismatchCounts& counts, StrandCounts* to) {
  for (std::size_t i = 0; i < counts.patterns(); ++i) {
    const auto forward = counts.of(i, false), reverse = counts.of(i, true);
    for (std::size_t m = 0; m < counts.classes(); ++m)
      *to++ = {forward[m], reverse[m]};
  }
}

/// For one pattern, on one thread: no back end, and no copy of the index.
CpuMismatchSearcher searcher_of(const Target& target) {
  return {target.for_mismatches(), 1, {.index_copy = 0}, best_cpu_path()};
}

template <class Searched>
std::vector<StrandCounts> count_one(const Searched& searched, std::string_view pattern,
                                    const MismatchOptions& options) {
  return with_gsx_errors([&] {
    const Target target = of_dna(Target(searched), searching_mismatches);
    const SetPatternBuffer buffer = encode(pattern, rules_of(options));
    MismatchCounts counts;
    searcher_of(target).count(buffer.patterns(), request_of(options), counts);
    std::vector<StrandCounts> found(counts.classes());
    copy_counts(counts, found.data());
    return found;
  });
}

template <class Searched>
std::vector<Occurrence> locate_one(const Searched& searched, std::string_view pattern,
                                   const MismatchOptions& options) {
  return with_gsx_errors([&] {
    const Target target = of_dna(Target(searched), searching_mismatches);
    const SetPatternBuffer buffer = encode(pattern, rules_of(options));
    std::vector<Occurrence> found;
    searcher_of(target).stream(buffer.patterns(), request_of(options), [&](const HitChunk& chunk) {
      for (const Hit hit : chunk.hits)
        found.push_back(occurrence_of(searched, hit, pattern.size()));
    });
    return found;
  });
}

}  // namespace

std::optional<std::string> why_not_asked(std::string_view pattern, const MismatchOptions& options) {
  return with_gsx_errors([&] { return why_unasked(pattern, rules_of(options)); });
}

std::vector<StrandCounts> count_with_mismatches(const Index& index, std::string_view pattern,
                                                const MismatchOptions& options) {
  return count_one(index, pattern, options);
}

std::vector<StrandCounts> count_with_mismatches(const Text& text, std::string_view pattern,
                                                const MismatchOptions& options) {
  return count_one(text, pattern, options);
}

std::vector<Occurrence> locate_with_mismatches(const Index& index, std::string_view pattern,
                                               const MismatchOptions& options) {
  return locate_one(index, pattern, options);
}

std::vector<Occurrence> locate_with_mismatches(const Text& text, std::string_view pattern,
                                               const MismatchOptions& options) {
  return locate_one(text, pattern, options);
}

struct MismatchBatchSearcher::State : OpenedTarget {
  State(Target searched, const SearchOptions& options)
      : OpenedTarget(of_dna(std::move(searched), searching_mismatches), options,
                     cost_of_any_queries),
        searcher(of_all_places(
            target.index() != nullptr
                ? open_mismatch_searcher(*backend, *target.index(), cores, options.memory)
                : backend->open<MismatchSearch>({target.for_mismatches(), cores, options.memory}),
            options.memory, best_cpu_path())),
        threads(backend->search_threads(cores)) {}
  PatternBlocks blocks_of(std::span<const std::string_view> patterns) const {
    return {patterns, threads, fewest_patterns, most_patterns};
  }

  std::unique_ptr<MismatchSearcher> searcher;
  int threads;
};

MismatchBatchSearcher::MismatchBatchSearcher(const Index& index, const SearchOptions& options)
    : state_(with_gsx_errors([&] { return std::make_unique<State>(Target(index), options); })) {}

MismatchBatchSearcher::MismatchBatchSearcher(const Text& text, const SearchOptions& options)
    : state_(with_gsx_errors([&] { return std::make_unique<State>(Target(text), options); })) {}

MismatchBatchSearcher::MismatchBatchSearcher(MismatchBatchSearcher&&) noexcept = default;
MismatchBatchSearcher& MismatchBatchSearcher::operator=(MismatchBatchSearcher&&) noexcept = default;
MismatchBatchSearcher::~MismatchBatchSearcher() = default;

std::string MismatchBatchSearcher::device() const {
  return state_->backend->name();
}

std::vector<StrandCounts> MismatchBatchSearcher::count(std::span<const std::string_view> patterns,
                                                       const MismatchOptions& options) const {
  return with_gsx_errors([&] {
    const MismatchRules rules = rules_of(options);
    const std::size_t classes = std::size_t{options.mismatches} + 1;
    std::vector<StrandCounts> counts(patterns.size() * classes);
    const PatternBlocks blocks = state_->blocks_of(patterns);
    std::vector<SetPatternBuffer> buffers(static_cast<std::size_t>(state_->threads));
    std::vector<MismatchCounts> some(buffers.size());
    parallel_for(state_->threads, blocks.count(), [&](std::uint64_t block, int number) {
      const auto thread = static_cast<std::size_t>(number);
      encode(blocks[block], rules, buffers[thread]);
      state_->searcher->count(buffers[thread].patterns(), request_of(options), some[thread]);
      copy_counts(some[thread], counts.data() + blocks.begin_of(block) * classes);
    });
    return counts;
  });
}

void MismatchBatchSearcher::locate(std::span<const std::string_view> patterns,
                                   const MismatchOptions& options, const HitSink& sink) const {
  require_sink(sink);
  with_gsx_errors([&] {
    const MismatchRules rules = rules_of(options);
    const PatternBlocks blocks = state_->blocks_of(patterns);
    stream_blocks(blocks, state_->threads, sink, [&] {
      return [&, buffer = SetPatternBuffer()](std::span<const std::string_view> some,
                                              const HitSink& take) mutable {
        encode(some, rules, buffer);
        state_->searcher->stream(buffer.patterns(), request_of(options), take);
      };
    });
  });
}

}  // namespace gsx

#include "search/mismatches/scan_searcher.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/cpu_path.hpp"
#include "base/parallel.hpp"
#include "search/mismatches/bit_block.hpp"
#include "search/mismatches/hit_collector.hpp"
#include "search/mismatches/key_tables.hpp"
#include "search/mismatches/lanes.hpp"
#include "search/mismatches/mismatch_counter.hpp"
#include "search/mismatches/place_finder.hpp"
#include "search/mismatches/place_taker.hpp"
#include "search/mismatches/strand_program.hpp"

namespace gsx {
namespace {

/// Blocks of a text.
std::uint64_t scan_blocks(const TextView& text) {
  return (text.length() + BitBlock::positions - 1) / BitBlock::positions;
}

constexpr int most_digits = counter_digits(most_mismatches);

/// Compares a pattern with the places of one word, whose planes begin at `planes`; whether some
/// lane is left. Pre: the counter has been started.
template <class Lanes, int digits>
GSX_HD bool compare(MismatchCounter<typename Lanes::Word, digits>& counter,
                    const StrandProgram& program, const std::uint32_t* offset,
                    const std::uint8_t* planes) {
  using Word = typename Lanes::Word;
  Word a, b, c, d;
  for (std::uint32_t i = 0; i < program.strict; ++i) {
    load_lanes(a, planes + *offset++);
    counter.over |= a;
  }
  for (std::uint32_t four = 0; four < program.fours; ++four, offset += 4) {
    if (four >= program.unchecked && Lanes::all(counter.over)) return false;
    load_lanes(a, planes + offset[0]);
    load_lanes(b, planes + offset[1]);
    load_lanes(c, planes + offset[2]);
    load_lanes(d, planes + offset[3]);
    counter.add(a, b, c, d);
  }
  return !Lanes::all(counter.over);
}

/// Gives the taker the lanes that are left.
template <class Word, int digits>
GSX_HD void take_lanes(const MismatchCounter<Word, digits>& counter, std::uint64_t position,
                       PlaceTaker& taker) {
  constexpr std::size_t parts = sizeof(Word) / sizeof(std::uint64_t);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::uint64_t found = ~counter.over[part];
    if (found == 0) continue;
    std::uint64_t digit[digits + 1];
    for (int d = 0; d < digits; ++d)
      digit[d] = counter.digit[d][part];
    taker.take<digits>(position + part * 64, found, digit);
  }
}

template <class Lanes, int digits>
GSX_HD void scan_programs(BitBlock& block, const StrandPrograms& programs, PlaceTaker& taker) {
  using Word = typename Lanes::Word;
  for (const StrandProgram& program : programs.programs()) {
    block.exclude(program.length);
    taker.begin(program);
    const std::uint32_t* const offsets = programs.planes() + program.planes;
    MismatchCounter<Word, digits> started;
    started.start(program.start, Word{});
    const std::size_t bytes = block.size() / 8;
    for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
      MismatchCounter<Word, digits> counter = started;
      load_lanes(counter.over, block.excluded() + at);
      if (!compare<Lanes, digits>(counter, program, offsets, block.planes() + at)) continue;
      take_lanes(counter, block.begin() + at * 8, taker);
    }
  }
}

template <int digits>
void scan_baseline(BitBlock& block, const StrandPrograms& programs, PlaceTaker& taker) {
  scan_programs<BaselineLanes, digits>(block, programs, taker);
}
#ifdef __x86_64__
template <int digits>
GSX_TARGET_AVX2 void scan_avx2(BitBlock& block, const StrandPrograms& programs, PlaceTaker& taker) {
  scan_programs<Avx2Lanes, digits>(block, programs, taker);
}
#endif

using Scan = void (*)(BitBlock&, const StrandPrograms&, PlaceTaker&);

template <int... digits>
constexpr auto scans(CpuPath path, std::integer_sequence<int, digits...>) {
#ifdef __x86_64__
  if (path == CpuPath::avx2) return std::array<Scan, sizeof...(digits)>{scan_avx2<digits>...};
#endif
  return std::array<Scan, sizeof...(digits)>{scan_baseline<digits>...};
}

/// Gives `taker` all places of the programs that begin in a block of the text, program by program.
/// `block` is for this call's thread. Cost on one core of 2024 with AVX2: 0.1 ns per symbol, and
/// 0.03 ns for each strand of a pattern of 20 with up to 3 mismatches.
void scan_block(BitBlock& block, std::uint64_t number, const StrandPrograms& programs, CpuPath path,
                PlaceTaker& taker) {
  static constexpr auto digits = std::make_integer_sequence<int, most_digits + 1>();
  static constexpr std::array<Scan, most_digits + 1> by_digits[] = {
      scans(CpuPath::baseline, digits), scans(CpuPath::avx2, digits)};
  block.load(number * BitBlock::positions, programs.sets(), path);
  by_digits[path == CpuPath::avx2][static_cast<std::size_t>(counter_digits(programs.most()))](
      block, programs, taker);
}

/// Seconds to compare a symbol with a strand in bit planes, measured on one core. A random place is
/// excluded after some positions.
double plane_cost(std::span<const BaseSet> pattern, std::uint32_t mismatches) {
  constexpr double position = 1.8e-12;
  return position * std::min<double>(static_cast<double>(pattern.size()), mismatches * 2 + 10);
}

/// Measured on one core.
/// A key has 14 bytes in a table, and 8 to sort it by.
constexpr KeyCosts key_costs{
    .lookup = 1e-9, .place = 5e-9, .key = 100e-9, .key_bytes = 24, .others = plane_cost};

/// Patterns that are searched by keys, and those that are by planes.
struct Split {
  std::optional<KeyTables> keys;
  StrandPrograms programs;
};

Split split(const SetPatterns& patterns, const MismatchRequest& request, ScanBy by,
            std::uint64_t most_bytes, int threads) {
  std::optional<KeyLayout> layout;
  if (by == ScanBy::keys) layout = choose_key_layout(patterns, request, key_costs, most_bytes);
  if (!layout) return {std::nullopt, StrandPrograms(patterns, request)};
  const SetPatternBuffer others = layout->unfit(patterns);
  return {KeyTables(patterns, request, *layout, threads),
          StrandPrograms(others.patterns(), request)};
}

/// What one thread scans with.
struct Worker {
  explicit Worker(const TextView& text) : block(text) {}
  BitBlock block;
  std::unique_ptr<KeyTables::Scratch> scratch;
  MismatchCounts counts;
};

}  // namespace

double ScanSearcher::cost(const SetPatterns& patterns, const MismatchRequest& request) const {
  constexpr double planes = 0.1e-9;  // to make those of a symbol
  const double strands = request.strands == Strands::both ? 2 : 1;
  const auto length = static_cast<double>(text_.length());
  if (by_ == ScanBy::keys) {
    const auto layout = choose_key_layout(patterns, request, key_costs);
    if (!layout) return impossible;
    const double groups =
        std::max(1.0, static_cast<double>(layout->bytes) / static_cast<double>(table_bytes()));
    return layout->pattern_cost + length * groups * (planes + layout->symbol_cost);
  }
  double compared = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    compared += plane_cost(patterns[i], request.mismatches);
  return length * (planes + strands * compared);
}

/// How many of the patterns from `first` on are searched together, at most `most`. By planes: so
/// many that making the planes costs little, so few that their programs stay in a second-level
/// cache. By keys: as many as their tables have memory for.
std::size_t ScanSearcher::end_of_group(const SetPatterns& patterns, std::size_t first,
                                       const MismatchRequest& request, std::size_t most) const {
  GroupLimits limits{1 << 12, 1 << 16, 1 << 18};
  if (by_ == ScanBy::keys) limits = {1 << 16, 1 << 18, 1 << 24};
  limits.patterns = std::min(limits.patterns, most);
  if (by_ == ScanBy::planes) return gsx::end_of_group(patterns, first, request, limits);
  return end_of_key_group(patterns, first, request, limits, key_costs, table_bytes());
}

/// Adds the places of the patterns to `counts`, and gives them to the collectors, one per thread,
/// if there are any.
void ScanSearcher::scan(const SetPatterns& patterns, const MismatchRequest& request,
                        const ThreadShare::Call& call, MismatchCounts& counts,
                        std::vector<HitCollector>* collectors) const {
  const Split by = split(patterns, request, by_, table_bytes(), call.threads());
  const std::size_t strands = by.programs.programs().size();
  const std::size_t tables = by.keys ? by.keys->tables().size() : 0;
  if (strands + tables == 0) return;
  const std::uint64_t blocks = scan_blocks(text_);
  // A table takes about as long as 32 strands do.
  const std::uint64_t task_blocks =
      std::clamp<std::uint64_t>(4096 / (strands + 32 * tables + 3), 1, 256);
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(call.most()));

  for (std::uint64_t first = 0; first < blocks;) {
    const int threads = call.threads();
    // A piece takes some hundredths of a second; other calls may have begun or ended meanwhile.
    const std::uint64_t last =
        std::min(blocks, first + task_blocks * 64 * static_cast<std::uint64_t>(threads));
    const std::uint64_t tasks = (last - first + task_blocks - 1) / task_blocks;
    parallel_for(threads, tasks, [&](std::uint64_t task, int thread) {
      const auto number = static_cast<std::size_t>(thread);
      std::unique_ptr<Worker>& worker = workers[number];
      if (!worker) {
        worker = std::make_unique<Worker>(text_);
        worker->counts.reset(counts.patterns(), request.mismatches);
        if (by.keys) worker->scratch = std::make_unique<KeyTables::Scratch>();
      }
      HitCollector* const hits = collectors != nullptr ? &(*collectors)[number] : nullptr;
      const std::uint64_t begin = first + task * task_blocks;
      const std::uint64_t end = std::min(last, begin + task_blocks);
      if (by.keys) {
        by.keys->scan(text_, begin * BitBlock::positions,
                      std::min(end * BitBlock::positions, text_.length()), path_, *worker->scratch,
                      worker->counts, hits);
      }
      if (strands == 0) return;
      PlaceTaker taker(text_, by.programs, worker->counts, hits);
      for (std::uint64_t i = begin; i < end; ++i)
        scan_block(worker->block, i, by.programs, path_, taker);
    });
    first = last;
  }
  for (const std::unique_ptr<Worker>& worker : workers)
    if (worker) counts.add(worker->counts);
}

void ScanSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                         MismatchCounts& counts) const {
  counts.reset(patterns.size(), request.mismatches);
  const ThreadShare::Call call(threads_);
  MismatchCounts some;
  for (std::size_t first = 0; first < patterns.size();) {
    const std::size_t end = end_of_group(patterns, first, request, patterns.size());
    some.reset(end - first, request.mismatches);
    scan(patterns.some(first, end), request, call, some, nullptr);
    counts.put(first, some);
    first = end;
  }
}

/// The scan of one call.
class ScanSearcher::Finder final : public PlaceFinder {
 public:
  explicit Finder(const ScanSearcher& searcher) : searcher_(searcher), call_(searcher.threads_) {}

  std::size_t group_end(const SetPatterns& patterns, std::size_t first,
                        const MismatchRequest& request, std::size_t most) override {
    return searcher_.end_of_group(patterns, first, request, most);
  }

  std::size_t collect(const SetPatterns& patterns, const MismatchRequest& request,
                      const Wanted& wanted, MismatchCounts& counts, GroupedHits& found) override {
    WantedHits hits(patterns.size(), wanted.max_hits);
    const bool counted = !wanted.fewer_than.empty();
    if (counted) hits.want(wanted.fewer_than);
    const auto threads = static_cast<std::size_t>(call_.most());
    // Where they were counted, one thread may find them all.
    std::vector<HitCollector> collectors(
        threads, HitCollector(hits, counted ? unlimited : wanted.room / threads));
    searcher_.scan(patterns, request, call_, counts, &collectors);
    found = grouped_hits(collectors, hits.limit(), wanted.max_hits);
    return hits.limit();
  }

  void find_in_order(const SetPatterns& pattern, const MismatchRequest& request,
                     const Take& take) override {
    const StrandPrograms programs(pattern, request);
    WantedHits wanted(1, unlimited);
    HitCollector collector(wanted, unlimited);
    MismatchCounts counts;
    counts.reset(1, request.mismatches);
    PlaceTaker taker(searcher_.text_, programs, counts, &collector);
    BitBlock block(searcher_.text_);
    for (std::uint64_t i = 0; i < scan_blocks(searcher_.text_); ++i) {
      scan_block(block, i, programs, searcher_.path_, taker);
      take(grouped_hits({&collector, 1}, 1, unlimited).hits);
    }
  }

 private:
  const ScanSearcher& searcher_;
  ThreadShare::Call call_;
};

void ScanSearcher::stream(const SetPatterns& patterns, const MismatchRequest& request,
                          const HitSink& sink) const {
  Finder finder(*this);
  stream_found(finder, patterns, request, memory_, sink);
}

}  // namespace gsx

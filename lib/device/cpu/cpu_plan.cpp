#include "device/cpu/cpu_plan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "index/sa/block_builder.hpp"
#include "index/sa/builder.hpp"
#include "index/store/writer.hpp"

namespace gsx {
namespace {

/// What tables of a text's size and the stacks of threads come to.
constexpr std::uint64_t small_things = std::uint64_t{2} << 20;
/// A thread's workspaces.
constexpr std::uint64_t bytes_per_thread = std::uint64_t{1} << 20;

std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values)
    sum += value;
  return sum;
}

class CpuPlanner {
 public:
  CpuPlanner(const TextView& text, BuildTarget target, const BuildOptions& options)
      : text_(text),
        product_(target),
        options_(options),
        n_(text.length()),
        entry_(is_wide(n_, options.width) ? 8 : 4),
        fixed_(small_things + static_cast<std::uint64_t>(options.threads) * bytes_per_thread),
        parts_(fm_part_bytes(text, options.fm())) {}

  /// The suffix array and its BWT as a whole, then what becomes of them.
  std::vector<BuildStage> whole_stages(const SuffixStatistics& found) const {
    const BlockBytes ranked = block_bytes(found, {}, options_.threads, options_.width);
    const std::uint64_t order = n_ * (entry_ + 1);
    // Before the other suffixes are induced, only the rows of ascending ones are touched. In a
    // text with long repeats, syncmers or B* suffixes are ranked, too. Short periods make that the
    // step that takes the most memory.
    const std::uint64_t widest =
        found.widest_ascent > (std::uint64_t{1} << 17) ? found.widest_ascent * (entry_ + 1) : 0;
    // A bucket this wide suggests a period. B* suffixes are then ranked by one another, in the room
    // of the whole suffix array, and a group of ties is sorted by its own ranks. If hardly any
    // suffix is in another bucket, nothing breaks the period: the ranks take half as much, as does
    // the room, and no syncmers are ranked. Phrases are left out where memory is short
    // (has_room_for_phrases).
    constexpr std::uint64_t few = 256;
    const bool unbroken = widest != 0 && found.ascents - found.widest_ascent < few;
    const std::uint64_t tied = widest == 0 ? 0
                               : unbroken  ? n_ * entry_ / 2 + widest
                                           : n_ * entry_ + 2 * widest + widest / 16;
    const std::uint64_t ranking =
        !unbroken && may_rank_syncmers(found.ascents, n_) ? ranked.ranking : 0;
    std::vector<BuildStage> stages = {
        {"sorting suffixes",
         fixed_ + found.ascents * (entry_ + 1) + n_ * 3 / 8 + std::max({ranking, widest, tied}), 0},
        {"inducing suffixes", fixed_ + order + n_ / 4, 0}};
    if (product_ == BuildTarget::index) add_index_stages(stages, n_ * entry_, n_);
    return stages;
  }

  std::vector<BuildStage> block_stages(const SuffixStatistics& found, const BlockRows& rows) const {
    const BlockBytes bytes = block_bytes(found, rows, options_.threads, options_.width);
    const bool index = product_ == BuildTarget::index;
    const std::uint64_t packed = index ? PackedView::bytes_for(n_, text_.symbols.bits) : 0;
    const std::uint64_t codes = product_ == BuildTarget::bwt && options_.whole ? n_ : 0;
    const std::uint64_t kept = index ? packed + parts_.samples + separators() : codes;
    std::vector<BuildStage> stages = {{"sorting blocks", fixed_ + kept + bytes.unranked, 0},
                                      {"ranking syncmers", fixed_ + kept + bytes.ranking, 0},
                                      {"sorting blocks by ranks", fixed_ + kept + bytes.ranked, 0}};
    if (index) add_index_stages(stages, kept - packed, packed);
    return stages;
  }

 private:
  /// The wavelet matrix, from codes of one byte unless one level is all (`codes` bytes), and then
  /// the samples and the k-mer table, all beside `kept` bytes.
  void add_index_stages(std::vector<BuildStage>& stages, std::uint64_t kept,
                        std::uint64_t codes) const {
    const std::uint64_t levels = sum_of(parts_.levels);
    const std::uint64_t last = parts_.levels.back();
    const std::uint64_t wavelet = parts_.levels.size() == 1
                                      ? codes + levels
                                      : std::max({codes + n_, 2 * n_ + levels - last, n_ + levels});
    stages.push_back({"wavelet matrix", fixed_ + kept + wavelet + separators(), 0});
    stages.push_back(
        {"samples and k-mer table",
         fixed_ + kept + levels + parts_.samples + parts_.kmers + parts_.kmers / 2 + separators(),
         0});
  }

  /// Lists of the rows and positions that separators precede.
  std::uint64_t separators() const { return 32 * text_.segments.count; }

  const TextView& text_;
  BuildTarget product_;
  const BuildOptions& options_;
  std::uint64_t n_;
  std::uint64_t entry_;
  std::uint64_t fixed_;
  FmPartBytes parts_;
};

std::uint64_t peak_of(const std::vector<BuildStage>& stages) {
  std::uint64_t peak = 0;
  for (const BuildStage& stage : stages)
    peak = std::max(peak, stage.host_bytes);
  return peak;
}

BuildPlan plan_of(std::vector<BuildStage> stages, std::uint64_t n, const BlockRows& rows) {
  BuildPlan plan;
  plan.path = rows.ranked == 0 ? "cpu" : "cpu, in blocks";
  plan.part_rows = rows.ranked == 0 ? n : std::min(n, rows.unranked);
  plan.parts = divide_up(n, plan.part_rows);
  plan.host_bytes = peak_of(stages);
  plan.stages = std::move(stages);
  return plan;
}

/// Whether memory suffices for any text of this length in one piece.
bool is_ample(const CpuPlanner& planner, std::uint64_t length, const BuildOptions& options) {
  // No text takes more than one in which every position is a syncmer and a B* suffix.
  SuffixStatistics worst;
  worst.length = worst.syncmers = worst.widest = worst.ascents = worst.widest_ascent = length;
  const std::uint64_t most = peak_of(planner.whole_stages(worst));
  // If no hard limit is known, a small build is tried without a look at the text.
  constexpr std::uint64_t little = std::uint64_t{64} << 20;
  return options.memory.has_room(most) || (!options.memory.hard && most < little);
}

/// The most rows for which fits(rows) holds, from `least` on, by halving the distance.
template <class Fits>
std::uint64_t most_rows(std::uint64_t least, std::uint64_t length, const Fits& fits) {
  std::uint64_t low = least, high = length;
  while (high - low > length / 256 + 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// A plan, and its blocks: none (0) for one piece.
using PlanAndRows = std::pair<BuildPlan, BlockRows>;

/// A plan for a number of threads, and whether it fits.
struct ThreadPlan {
  int threads;
  PlanAndRows plan;
  bool fits;
};

/// Plans builds of a text with different numbers of threads.
class ThreadPlans {
 public:
  ThreadPlans(const TextView& text, BuildTarget target, const BuildOptions& options)
      : text_(text), target_(target), options_(options), found_(text, options.threads) {}

  /// In one piece if that fits, else in the largest blocks that do, else what takes least.
  ThreadPlan with(int threads) const {
    BuildOptions options = options_;
    options.threads = threads;
    const CpuPlanner planner(text_, target_, options);
    const std::uint64_t n = text_.length();
    const auto in_blocks = [&](const BlockRows& rows) {
      return PlanAndRows(plan_of(planner.block_stages(found_, rows), n, rows), rows);
    };
    PlanAndRows whole(plan_of(planner.whole_stages(found_), n, {}), BlockRows{});
    const bool whole_fits = has_room(whole);
    if (whole_fits || is_whole()) return {threads, std::move(whole), whole_fits};
    const std::uint64_t least = std::min(n, least_block_rows(n));
    PlanAndRows smallest = in_blocks({least, least});
    if (!has_room(smallest)) {
      const bool take_whole = whole.first.host_bytes <= smallest.first.host_bytes;
      return {threads, take_whole ? std::move(whole) : std::move(smallest), false};
    }
    const auto fits = [&](const BlockRows& rows) {
      return options_.memory.has_room(peak_of(planner.block_stages(found_, rows)));
    };
    const auto unranked = [&](std::uint64_t rows) { return fits({rows, least}); };
    const auto ranked = [&](std::uint64_t rows) { return fits({least, rows}); };
    const BlockRows rows{most_rows(least, n, unranked), most_rows(least, n, ranked)};
    return {threads, in_blocks(rows), true};
  }
  /// Whether the whole suffix array is wanted at once.
  bool is_whole() const { return target_ == BuildTarget::suffix_array && options_.whole; }

 private:
  bool has_room(const PlanAndRows& plan) const {
    return options_.memory.has_room(plan.first.host_bytes);
  }

  const TextView& text_;
  BuildTarget target_;
  const BuildOptions& options_;
  SuffixStatistics found_;
};

/// As plan_cpu_build. If nothing fits a limit that is not hard, the plan for all threads is tried:
/// fewer threads would only be slower.
ThreadPlan plan_with_threads(const TextView& text, BuildTarget target,
                             const BuildOptions& options) {
  const ThreadPlans plans(text, target, options);
  ThreadPlan all = plans.with(options.threads), made = all;
  while (!made.fits && made.threads > 1)
    made = plans.with(made.threads / 2);
  if (made.fits) {
    if (made.threads != options.threads)
      log().info("memory is short: building with {} of {} threads", made.threads, options.threads);
    return made;
  }
  const char* const what = plans.is_whole() ? "a whole suffix array" : "this build";
  const auto shortage = [&](const ThreadPlan& plan) {
    return options.memory.shortage(plan.plan.first.host_bytes, what);
  };
  if (options.memory.hard) throw ResourceError(shortage(made));
  log().warn("{}", shortage(all));
  return all;
}

}  // namespace

BuildPlan plan_cpu_build(const TextView& text, BuildTarget target, const BuildOptions& options) {
  return plan_with_threads(text, target, options).plan.first;
}

CpuBuild cpu_build(const TextView& text, BuildTarget target, const BuildOptions& options) {
  CpuBuild build{options, std::nullopt};
  if (is_ample(CpuPlanner(text, target, options), text.length(), options)) return build;
  const ThreadPlan made = plan_with_threads(text, target, options);
  build.options.threads = made.threads;
  const auto& [plan, rows] = made.plan;
  if (rows.ranked == 0) return build;
  log().info("memory is short: building the suffix array in blocks of {} rows, about {} of them",
             plan.part_rows, plan.parts);
  build.rows = rows;
  return build;
}

bool has_room_for_phrases(const TextView& text, BuildTarget target, const BuildOptions& options) {
  const std::uint64_t entry = is_wide(text.length(), options.width) ? 8 : 4;
  const std::uint64_t index =
      target == BuildTarget::index
          ? index_bytes(text.length(), text.symbols.bits, options.sample_rate)
          : 0;
  return options.memory.has_room(3 * entry * text.length() + index);
}

}  // namespace gsx

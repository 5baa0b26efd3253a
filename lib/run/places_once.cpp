#include "run/places_once.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace gsx {
namespace {

/// Calls take(pattern, hit) for each place of the patterns once, in output order.
template <class Take>
void for_each_place_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                         const MismatchRequest& request, const Take& take) {
  std::size_t pattern = 0;
  std::optional<Hit> held;  // of `pattern`, until the next hit is seen
  searcher.stream(patterns, {request.strands, request.mismatches}, [&](const HitChunk& chunk) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      for (; next < chunk.ends[i]; ++next) {
        const Hit hit = chunk.hits[next];
        const bool same = held && pattern == chunk.first + i && held->position() == hit.position();
        if (same && held->mismatches() <= hit.mismatches()) continue;
        if (held && !same) take(pattern, *held);
        pattern = chunk.first + i;
        held = hit;
      }
    }
  });
  if (held) take(pattern, *held);
}

/// Makes chunks of the hits of all patterns, which come in output order. A pattern whose hits are
/// spread over several chunks is alone in them.
class ChunkMaker {
 public:
  ChunkMaker(const MismatchCounts& counts, std::uint64_t max_hits, const HitSink& sink)
      : counts_(counts), max_hits_(max_hits), sink_(sink) {}

  void add(std::size_t pattern, const Hit& hit) {
    end_patterns(pattern);
    if (hits_.size() == most) {
      give();
      if (!hits_.empty()) give_part();
    }
    hits_.push_back(hit);
  }
  void finish() {
    end_patterns(counts_.patterns());
    give();
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 16;

  /// Ends the patterns before `pattern`.
  void end_patterns(std::size_t pattern) {
    for (; open_ < pattern; ++open_) {
      if (before_ > 0) {
        if (!hits_.empty()) give_part();
        first_ = open_ + 1;
        before_ = 0;
        continue;
      }
      totals_.push_back(counts_.total(open_));
      ends_.push_back(hits_.size());
    }
  }
  /// Gives the patterns that have ended.
  void give() {
    if (ends_.empty()) return;
    const std::uint64_t end = ends_.back();
    sink_({first_, 0, max_hits_, totals_, ends_, std::span(hits_).first(end)});
    first_ += ends_.size();
    totals_.clear();
    ends_.clear();
    hits_.erase(hits_.begin(), hits_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  /// Gives some hits of the pattern that has not ended, which is alone.
  void give_part() {
    const StrandCounts total = counts_.total(open_);
    const std::uint64_t end = hits_.size();
    sink_({open_, before_, max_hits_, {&total, 1}, {&end, 1}, hits_, counts_.fewest(open_)});
    before_ += end;
    hits_.clear();
  }

  const MismatchCounts& counts_;
  std::uint64_t max_hits_;
  const HitSink& sink_;
  std::size_t first_ = 0;     ///< pattern of the next chunk
  std::size_t open_ = 0;      ///< the pattern whose hits come
  std::uint64_t before_ = 0;  ///< hits of that pattern in earlier chunks
  std::vector<StrandCounts> totals_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
};

}  // namespace

StrandMeeting strand_meeting(std::span<const BaseSet> pattern, std::uint32_t mismatches) {
  const std::size_t size = pattern.size();
  std::uint64_t unlike = 0;
  bool equal = true;
  for (std::size_t i = 0; i < size; ++i) {
    const BaseSet other = complement_of(pattern[size - 1 - i]);
    equal &= pattern[i] == other;
    // Any base there is a mismatch on a strand at least.
    unlike += (pattern[i] & other & base_sets::any) == 0 ? 1 : 0;
  }
  return equal                                    ? StrandMeeting::always
         : unlike > std::uint64_t{2} * mismatches ? StrandMeeting::never
                                                  : StrandMeeting::sometimes;
}

void count_places_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                       const MismatchRequest& request, MismatchCounts& counts) {
  counts.reset(patterns.size(), request.mismatches);
  for_each_place_once(searcher, patterns, request, [&](std::size_t pattern, const Hit& hit) {
    ++counts.of(pattern, hit.is_reverse())[hit.mismatches()];
  });
}

void stream_places_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                        const MismatchRequest& request, const HitSink& sink) {
  MismatchCounts counts;
  count_places_once(searcher, patterns, request, counts);
  ChunkMaker chunks(counts, request.max_hits, sink);
  std::size_t pattern = patterns.size();
  std::optional<FewestMismatches> kept;
  for_each_place_once(searcher, patterns, request, [&](std::size_t number, const Hit& hit) {
    if (number != pattern) kept.emplace(counts, pattern = number, request.max_hits);
    if (kept->take(hit)) chunks.add(number, hit);
  });
  chunks.finish();
}

}  // namespace gsx

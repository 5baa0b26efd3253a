#include "search/edits/edit_delivery.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "search/edits/alignment.hpp"

namespace gsx {
namespace {

/// Ends that a thread aligns at a time.
constexpr std::uint64_t ends_at_once = 256;

/// Sets hits[i] to the hit of end i. Those of a pattern should follow one another.
void align_ends(const EditTarget& target, const EditPatterns& patterns,
                std::span<const EditEnd> ends, EditHit* hits) {
  std::optional<PatternMasks> masks;
  std::uint32_t pattern = 0;
  EditAligner aligner;
  const SegmentsView& segments = target.text.segments;
  for (const EditEnd& end : ends) {
    if (!masks || pattern != end.pattern()) masks.emplace(patterns[end.pattern()], target.dna);
    pattern = end.pattern();
    // The last symbol before the end is in the segment.
    const std::uint64_t last = end.is_reverse() ? end.position() : end.position() - 1;
    const std::uint64_t segment = segments.segment_at(last);
    const StrandText text{target.text.symbols, segments.starts[segment],
                          segments.starts[segment + 1] - 1, end.is_reverse()};
    aligner.align(masks->view(), text, text.place_behind(last), end.edits());
    const std::uint64_t begin = text.position_of(aligner.begin());
    *hits++ = end.is_reverse() ? EditHit(end.position(), begin, true, end.edits())
                               : EditHit(begin, end.position(), false, end.edits());
  }
}

class EditDelivery {
 public:
  EditDelivery(EndSource& source, const EditTarget& target, const EditPatterns& patterns,
               const EditRequest& request, const SearchMemory& memory, const EditSink& sink)
      : source_(source),
        target_(target),
        patterns_(patterns),
        request_(request),
        sink_(sink),
        // An end takes 16 bytes, and as many when it is grouped; a place of SearchMemory takes 8.
        room_(memory.hits_at_once / 4),
        at_once_(std::max<std::uint64_t>(1, memory.hits_at_once / 2)) {}

  void run() {
    for (std::size_t first = 0; first < patterns_.size();) {
      const std::size_t end = end_of_edit_group(patterns_, first, request_);
      deliver_group(first, end);
      first = end;
    }
  }

 private:
  struct Found {
    std::size_t complete;  ///< patterns whose ends are all there
    std::vector<EditEnd> ends;
    std::vector<std::uint64_t> ends_of;  ///< of each of these patterns
  };

  std::vector<EndCollector> collectors(std::size_t patterns, WantedEnds* wanted,
                                       std::uint64_t room) const {
    return {static_cast<std::size_t>(source_.most_threads()),
            EndCollector(patterns, request_.edits, wanted, room)};
  }

  /// Delivers the hits of the patterns [first, end).
  void deliver_group(std::size_t first, std::size_t end) {
    first_ = first;
    group_ = patterns_.some(first, end);
    WantedEnds wanted(group_.size());
    auto found = collectors(group_.size(), &wanted,
                            room_ / static_cast<std::uint64_t>(source_.most_threads()));
    source_.find(group_, request_, found);
    counts_.reset(group_.size(), request_.edits);
    for (const EndCollector& some : found)
      counts_.add(some.counts());
    if (request_.best) keep_best_counts(counts_);
    std::size_t done = wanted.limit();
    Found first_ones{done, {}, {}};
    first_ones.ends = grouped_ends(found, done, first_ones.ends_of);
    give(0, first_ones);
    while (done < group_.size())
      done = deliver_counted(done);
  }

  /// Delivers the hits of some patterns from `first` on, whose counts are known; returns the end of
  /// these patterns.
  std::size_t deliver_counted(std::size_t first) {
    std::vector<std::uint32_t> fewer_than;
    std::uint64_t held = 0;
    std::size_t end = first;
    for (; end < group_.size(); ++end) {
      const auto [classes, ends] = kept_classes(end);
      if (held + ends > room_) break;
      held += ends;
      fewer_than.push_back(classes);
    }
    if (end == first) {
      deliver_alone(first);
      return first + 1;
    }
    Found found{end - first, {}, std::vector<std::uint64_t>(end - first, 0)};
    if (held > 0) {
      WantedEnds wanted(end - first, std::move(fewer_than));
      auto some = collectors(end - first, &wanted, unlimited);
      source_.find(group_.some(first, end), request_, some);
      found.ends = grouped_ends(some, end - first, found.ends_of);
    }
    give(first, found);
    return end;
  }

  /// How many classes of edits from 0 on hold the hits to be kept, and the hits in them.
  std::pair<std::uint32_t, std::uint64_t> kept_classes(std::size_t pattern) const {
    const std::uint64_t kept = std::min(request_.max_hits, counts_.total(pattern).total());
    std::uint32_t classes = 0;
    std::uint64_t hits = 0;
    for (; hits < kept; ++classes)
      hits += counts_.at(pattern, classes);
    return {classes, hits};
  }

  /// Delivers the hits of a pattern that has too many, part by part of the text.
  void deliver_alone(std::size_t pattern) {
    const StrandCounts total = counts_.total(pattern);
    const auto [classes, hits] = kept_classes(pattern);
    std::vector<std::uint64_t> left;  // to be let through, by edits
    std::uint64_t most = std::min(request_.max_hits, hits);
    for (std::uint32_t edits = 0; edits < classes; ++edits) {
      left.push_back(std::min(most, counts_.at(pattern, edits)));
      most -= left.back();
    }
    std::uint64_t before = 0, still = std::min(request_.max_hits, hits);
    std::vector<EditHit> some;
    const auto pass_on = [&] {
      const std::uint64_t end = some.size();
      sink_({first_ + pattern,
             before,
             request_.max_hits,
             {&total, 1},
             {&end, 1},
             some,
             counts_.fewest(pattern)});
      before += end;
      some.clear();
    };
    const EditPatterns one = group_.some(pattern, pattern + 1);
    const std::uint64_t reach =
        one[0].size() + request_.edits;  // a hit has at most so many symbols
    const std::uint64_t length = target_.text.length();
    WantedEnds wanted(1, {classes});
    EndCollector collector(1, request_.edits, &wanted, unlimited);
    std::vector<EditHit> found;  // that have not been let through
    source_.find_in_order(one, request_, collector, [&](std::uint64_t position) {
      const std::vector<EditHit> more = aligned(one, collector.ends());
      collector.ends().clear();
      found.insert(found.end(), more.begin(), more.end());
      std::sort(found.begin(), found.end());
      // A hit that is found later ends, on the forward strand, behind `position`.
      auto hit = found.begin();
      for (; hit != found.end() && still > 0; ++hit) {
        if (position < length && hit->position() + reach > position) break;
        if (left[hit->edits()] == 0) continue;
        --left[hit->edits()];
        --still;
        some.push_back(*hit);
        if (some.size() >= at_once_) pass_on();
      }
      found.erase(found.begin(), hit);
      return still > 0;
    });
    if (!some.empty()) pass_on();
  }

  /// The hits that end so, in the order of the ends.
  std::vector<EditHit> aligned(const EditPatterns& patterns, std::span<const EditEnd> ends) const {
    std::vector<EditHit> hits(ends.size());
    parallel_for(source_.threads(), (ends.size() + ends_at_once - 1) / ends_at_once,
                 [&](std::uint64_t task, int) {
                   const std::uint64_t first = task * ends_at_once;
                   const std::uint64_t count = std::min(ends.size() - first, ends_at_once);
                   align_ends(target_, patterns, ends.subspan(first, count), hits.data() + first);
                 });
    return hits;
  }

  /// Delivers the hits of found.complete patterns from `first` of the group on.
  void give(std::size_t first, Found& found) const {
    if (found.complete == 0) return;
    // Leave out ends that have too many edits, as far as that can be told without the starts.
    std::uint64_t kept = 0, at = 0;
    for (std::size_t i = 0; i < found.complete; ++i) {
      const std::uint32_t classes = kept_classes(first + i).first;
      for (; at < found.ends_of[i]; ++at)
        if (found.ends[at].edits() < classes) found.ends[kept++] = found.ends[at];
      found.ends_of[i] = kept;
    }
    found.ends.resize(kept);
    const std::vector<EditHit> hits =
        aligned(group_.some(first, first + found.complete), found.ends);
    std::vector<StrandCounts> totals;
    std::vector<std::uint64_t> ends;
    std::vector<EditHit> some;
    std::size_t begin = first;  // first pattern of the chunk
    const auto pass_on = [&](std::size_t end) {
      if (begin != end) sink_({first_ + begin, 0, request_.max_hits, totals, ends, some, 0});
      totals.clear(), ends.clear(), some.clear();
      begin = end;
    };
    for (std::size_t i = first; i < first + found.complete; ++i) {
      const auto from = static_cast<std::ptrdiff_t>(i == first ? 0 : found.ends_of[i - first - 1]);
      std::vector<EditHit> own(hits.begin() + from, hits.begin() + static_cast<std::ptrdiff_t>(
                                                                       found.ends_of[i - first]));
      std::sort(own.begin(), own.end());
      keep_fewest_edits(own, request_.max_hits);
      if (some.size() + own.size() > at_once_) pass_on(i);
      totals.push_back(counts_.total(i));
      if (own.size() > at_once_) {
        give_pieces(i, totals.back(), own);
        totals.clear();
        begin = i + 1;
        continue;
      }
      some.insert(some.end(), own.begin(), own.end());
      ends.push_back(some.size());
    }
    pass_on(first + found.complete);
  }

  /// Delivers the hits of one pattern that are more than may be delivered at a time.
  void give_pieces(std::size_t pattern, const StrandCounts& total,
                   std::span<const EditHit> hits) const {
    for (std::uint64_t before = 0; before < hits.size();) {
      const std::uint64_t count = std::min(at_once_, hits.size() - before);
      sink_({first_ + pattern,
             before,
             request_.max_hits,
             {&total, 1},
             {&count, 1},
             hits.subspan(before, count),
             counts_.fewest(pattern)});
      before += count;
    }
  }

  EndSource& source_;
  const EditTarget& target_;
  const EditPatterns& patterns_;
  const EditRequest& request_;
  const EditSink& sink_;
  std::uint64_t room_;     ///< ends that may be collected
  std::uint64_t at_once_;  ///< hits that may be delivered at a time
  std::size_t first_ = 0;  ///< pattern of the group
  EditPatterns group_;
  EditCounts counts_;  ///< of the group; of the best hits if only those are asked for
};

}  // namespace

std::size_t end_of_edit_group(const EditPatterns& patterns, std::size_t first,
                              const EditRequest& request) {
  constexpr std::uint64_t most_counts = 1 << 18, most_symbols = 1 << 22;
  const std::uint64_t most = std::max<std::uint64_t>(1, most_counts / (request.edits + 1));
  std::size_t end = first + 1;
  while (end < patterns.size() && end - first < most &&
         patterns.ends[end] - patterns.begin_of(first) <= most_symbols)
    ++end;
  return end;
}

void deliver_edits(EndSource& source, const EditTarget& target, const EditPatterns& patterns,
                   const EditRequest& request, const SearchMemory& memory, const EditSink& sink) {
  EditDelivery(source, target, patterns, request, memory, sink).run();
}

}  // namespace gsx

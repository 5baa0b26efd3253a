#include "device/shards/joined_search.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "search/exact/equal_searcher.hpp"
#include "text/recoding.hpp"

namespace gsx {
namespace {

template <class SomeSearcher>
struct Part {
  std::unique_ptr<SomeSearcher> searcher;
  std::uint64_t begin;  ///< of its text in that of all
};

/// A part that is searched exactly. Its alphabet may lack symbols that other parts have.
struct ExactPart : Part<Searcher> {
  /// From codes of the whole index; none if they are the same.
  std::optional<std::array<std::uint8_t, 256>> recoding;

  /// The patterns in the codes of this part, which `codes` holds if they differ.
  Patterns in_its_codes(const Patterns& patterns, std::vector<std::uint8_t>& codes) const {
    if (!recoding || patterns.size() == 0) return patterns;
    const std::uint64_t end = patterns.ends.back();
    codes.resize(end);
    for (std::uint64_t i = patterns.begin; i < end; ++i)
      codes[i] = (*recoding)[patterns.codes[i]];
    return {codes, patterns.ends, patterns.begin};
  }
};

Hit moved(const Hit& hit, std::uint64_t by) {
  return {hit.position() + by, hit.is_reverse(), hit.mismatches()};
}

/// Of the hits of a pattern, taken in output order, lets through as many as are wanted: those of
/// the forward strand before those of the reverse strand.
class ForwardFirst {
 public:
  ForwardFirst(const StrandCounts& total, std::uint64_t most)
      : forward_(std::min(most, total.forward)),
        reverse_(std::min(most - forward_, total.reverse)) {}
  bool take(const Hit& hit) {
    std::uint64_t& left = hit.is_reverse() ? reverse_ : forward_;
    if (left == 0) return false;
    --left;
    return true;
  }

 private:
  std::uint64_t forward_;
  std::uint64_t reverse_;
};

/// The hits of the patterns of a run, in all parts.
class RunHits {
 public:
  /// `totals` has the hits of each pattern of the batch, of which this run has [first, last).
  RunHits(std::span<const StrandCounts> totals, std::size_t first, std::size_t last)
      : totals_(totals.subspan(first, last - first)), first_(first), hits_(last - first) {}

  /// Adds the hits of a part, whose patterns are numbered from 0.
  void add(const HitChunk& chunk, std::uint64_t begin) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i)
      for (; next < chunk.ends[i]; ++next)
        hits_[chunk.first + i].push_back(moved(chunk.hits[next], begin));
  }

  /// Gives them to the sink; keep(hits) drops those of a pattern that are too many.
  template <class Keep>
  void give(std::uint64_t max_hits, const Keep& keep, const HitSink& sink) {
    std::vector<Hit> all;
    std::vector<std::uint64_t> ends;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      std::vector<Hit>& hits = hits_[i];
      if (hits.size() > max_hits) keep(hits, totals_[i]);
      all.insert(all.end(), hits.begin(), hits.end());
      ends.push_back(all.size());
    }
    sink({first_, 0, max_hits, totals_, ends, all});
  }

 private:
  std::span<const StrandCounts> totals_;
  std::size_t first_;
  std::vector<std::vector<Hit>> hits_;  ///< of each pattern
};

/// Gives the hits of one pattern, which are too many to be held, as they come.
class PatternHits {
 public:
  PatternHits(std::size_t pattern, const StrandCounts& total, std::uint64_t max_hits,
              std::uint32_t fewest, const HitSink& sink)
      : pattern_(pattern), total_(total), max_hits_(max_hits), fewest_(fewest), sink_(sink) {}

  std::uint64_t left() const { return std::min(max_hits_, total_.total()) - given_; }

  template <class Take>
  void add(const HitChunk& chunk, std::uint64_t begin, const Take& take) {
    hits_.clear();
    for (const Hit& hit : chunk.hits)
      if (take(hit)) hits_.push_back(moved(hit, begin));
    if (hits_.empty()) return;
    const std::uint64_t end = hits_.size();
    sink_({pattern_, given_, max_hits_, {&total_, 1}, {&end, 1}, hits_, fewest_});
    given_ += end;
  }

 private:
  std::size_t pattern_;
  StrandCounts total_;
  std::uint64_t max_hits_;
  std::uint32_t fewest_;
  const HitSink& sink_;
  std::uint64_t given_ = 0;
  std::vector<Hit> hits_;
};

/// Calls run(first, last) for runs of patterns of which not more than `most` hits come from the
/// parts, and single(pattern) for those that have more by themselves. `from_parts[i]` are the hits
/// of pattern i that the parts give.
template <class Run, class Single>
void for_each_run(std::span<const std::uint64_t> from_parts, std::uint64_t most, const Run& run,
                  const Single& single) {
  for (std::size_t first = 0; first < from_parts.size();) {
    if (from_parts[first] > most) {
      single(first++);
      continue;
    }
    std::uint64_t hits = 0;
    std::size_t last = first;
    while (last < from_parts.size() && from_parts[last] <= most - hits)
      hits += from_parts[last++];
    run(first, last);
    first = last;
  }
}

class JoinedSearcher final : public Searcher {
 public:
  JoinedSearcher(std::vector<ExactPart> parts, std::uint64_t most_hits)
      : parts_(std::move(parts)), most_hits_(most_hits) {}

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    std::vector<std::uint64_t> from_parts;
    count(patterns, strands, unlimited, counts, from_parts);
  }

  void stream(const Patterns& patterns, const LocateRequest& request,
              const HitSink& sink) const override {
    std::vector<StrandCounts> totals;
    std::vector<std::uint64_t> from_parts;
    count(patterns, request.strands, request.max_hits, totals, from_parts);
    std::vector<std::uint8_t> codes;
    const auto run = [&](std::size_t first, std::size_t last) {
      RunHits hits(totals, first, last);
      for (const ExactPart& part : parts_) {
        part.searcher->stream(part.in_its_codes(patterns.some(first, last), codes), request,
                              [&](const HitChunk& chunk) { hits.add(chunk, part.begin); });
      }
      hits.give(
          request.max_hits,
          [&](std::vector<Hit>& all, const StrandCounts& total) {
            ForwardFirst wanted(total, request.max_hits);
            std::erase_if(all, [&](const Hit& hit) { return !wanted.take(hit); });
          },
          sink);
    };
    const auto single = [&](std::size_t pattern) {
      PatternHits hits(pattern, totals[pattern], request.max_hits, 0, sink);
      ForwardFirst wanted(totals[pattern], request.max_hits);
      for (const ExactPart& part : parts_) {
        if (hits.left() == 0) return;
        part.searcher->stream(part.in_its_codes(patterns.some(pattern, pattern + 1), codes),
                              request, [&](const HitChunk& chunk) {
                                hits.add(chunk, part.begin,
                                         [&](const Hit& hit) { return wanted.take(hit); });
                              });
      }
    };
    for_each_run(from_parts, most_hits_, run, single);
  }

  std::size_t best_batch() const override { return parts_.front().searcher->best_batch(); }

 private:
  /// Also how many hits of each pattern the parts give, if each gives `most` at most.
  void count(const Patterns& patterns, Strands strands, std::uint64_t most,
             std::vector<StrandCounts>& counts, std::vector<std::uint64_t>& from_parts) const {
    counts.assign(patterns.size(), {});
    from_parts.assign(patterns.size(), 0);
    std::vector<StrandCounts> some;
    std::vector<std::uint8_t> codes;
    for (const ExactPart& part : parts_) {
      part.searcher->count(part.in_its_codes(patterns, codes), strands, some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        counts[i].forward += some[i].forward;
        counts[i].reverse += some[i].reverse;
        from_parts[i] += std::min(most, some[i].total());
      }
    }
  }

  std::vector<ExactPart> parts_;
  std::uint64_t most_hits_;
};

class JoinedMismatchSearcher final : public MismatchSearcher {
 public:
  JoinedMismatchSearcher(std::vector<Part<MismatchSearcher>> parts, std::uint64_t most_hits)
      : parts_(std::move(parts)), most_hits_(most_hits) {}

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    std::vector<std::uint64_t> from_parts;
    count(patterns, request, counts, from_parts);
  }

  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    MismatchCounts counts;
    std::vector<std::uint64_t> from_parts;
    count(patterns, request, counts, from_parts);
    std::vector<StrandCounts> totals;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      totals.push_back(counts.total(i));
    const auto run = [&](std::size_t first, std::size_t last) {
      RunHits hits(totals, first, last);
      for (const Part<MismatchSearcher>& part : parts_) {
        part.searcher->stream(patterns.some(first, last), request,
                              [&](const HitChunk& chunk) { hits.add(chunk, part.begin); });
      }
      hits.give(
          request.max_hits,
          [&](std::vector<Hit>& all, const StrandCounts&) {
            keep_fewest_mismatches(all, request.max_hits);
          },
          sink);
    };
    const auto single = [&](std::size_t pattern) {
      PatternHits hits(pattern, totals[pattern], request.max_hits, counts.fewest(pattern), sink);
      FewestMismatches fewest(counts, pattern, request.max_hits);
      for (const Part<MismatchSearcher>& part : parts_) {
        part.searcher->stream(patterns.some(pattern, pattern + 1),
                              {request.strands, request.mismatches}, [&](const HitChunk& chunk) {
                                hits.add(chunk, part.begin,
                                         [&](const Hit& hit) { return fewest.take(hit); });
                              });
      }
    };
    for_each_run(from_parts, most_hits_, run, single);
  }

 private:
  void count(const SetPatterns& patterns, const MismatchRequest& request, MismatchCounts& counts,
             std::vector<std::uint64_t>& from_parts) const {
    counts.reset(patterns.size(), request.mismatches);
    from_parts.assign(patterns.size(), 0);
    MismatchCounts some;
    for (const Part<MismatchSearcher>& part : parts_) {
      part.searcher->count(patterns, request, some);
      counts.add(some);
      for (std::size_t i = 0; i < patterns.size(); ++i)
        from_parts[i] += std::min(request.max_hits, some.total(i).total());
    }
  }

  std::vector<Part<MismatchSearcher>> parts_;
  std::uint64_t most_hits_;
};

/// The memory of each of so many searchers, with what joins their hits.
SearchMemory share_of(SearchMemory memory, std::size_t parts) {
  memory.hits_at_once = std::max<std::uint64_t>(1, memory.hits_at_once / 2);
  if (memory.index_copy != unlimited) memory.index_copy /= parts;
  if (memory.site_tables != unlimited) memory.site_tables /= parts;
  return memory;
}

}  // namespace

std::unique_ptr<Searcher> open_searcher(Backend& backend, const Index& index, int threads,
                                        const SearchMemory& memory) {
  if (index.parts().empty()) return backend.open<ExactSearch>({index, threads, memory});
  const SearchMemory share = share_of(memory, index.parts().size());
  std::vector<ExactPart> parts;
  for (std::size_t i = 0; i < index.parts().size(); ++i) {
    const Index& part = index.parts()[i];
    parts.push_back(
        {{backend.open<ExactSearch>({part, threads, share}), index.part_begins()[i]}, {}});
    if (part.alphabet().symbols() != index.alphabet().symbols())
      parts.back().recoding = recoding(index.alphabet(), part.alphabet());
  }
  return std::make_unique<JoinedSearcher>(std::move(parts), share.hits_at_once);
}

std::unique_ptr<Searcher> open_equal_searcher(const Index& index, const EqualLetters& equal,
                                              const SearchMemory& memory, CpuPath path) {
  const auto open = [&](const Index& one, const SearchMemory& share) {
    return std::make_unique<EqualSearcher>(one, equal.classes(index.alphabet(), one.alphabet()),
                                           share, path);
  };
  if (index.parts().empty()) return open(index, memory);
  const SearchMemory share = share_of(memory, index.parts().size());
  std::vector<ExactPart> parts;
  for (std::size_t i = 0; i < index.parts().size(); ++i)
    parts.push_back({{open(index.parts()[i], share), index.part_begins()[i]}, {}});
  return std::make_unique<JoinedSearcher>(std::move(parts), share.hits_at_once);
}

std::unique_ptr<MismatchSearcher> open_mismatch_searcher(Backend& backend, const Index& index,
                                                         int threads, const SearchMemory& memory) {
  const auto open = [&](const Index& one, const SearchMemory& share) {
    return backend.open<MismatchSearch>({{one.text(), &one}, threads, share});
  };
  if (index.parts().empty()) return open(index, memory);
  const SearchMemory share = share_of(memory, index.parts().size());
  std::vector<Part<MismatchSearcher>> parts;
  for (std::size_t i = 0; i < index.parts().size(); ++i)
    parts.push_back({open(index.parts()[i], share), index.part_begins()[i]});
  return std::make_unique<JoinedMismatchSearcher>(std::move(parts), share.hits_at_once);
}

}  // namespace gsx

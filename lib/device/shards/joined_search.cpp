#include "device/shards/joined_search.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/exact/equal_searcher.hpp"
#include "text/recoding.hpp"

namespace gsx {
namespace {

/// A part of the text, with a searcher of it. Its alphabet may lack symbols that other parts have.
template <class Kind>
struct SearchedPart {
  std::unique_ptr<typename Kind::Searcher> searcher;
  std::uint64_t begin;  ///< of its text in that of all
  /// From codes of the whole index; none if they are the same.
  std::optional<std::array<std::uint8_t, 256>> recoding = {};

  /// The patterns in the codes of this part, which `codes` holds if they differ.
  typename Kind::Batch in_its_codes(const typename Kind::Batch& patterns,
                                    std::vector<std::uint8_t>& codes) const {
    if constexpr (std::is_same_v<typename Kind::Batch, Patterns>) {
      if (recoding && patterns.size() != 0) {
        const std::uint64_t end = patterns.ends.back();
        codes.resize(end);
        for (std::uint64_t i = patterns.begin; i < end; ++i)
          codes[i] = (*recoding)[patterns.codes[i]];
        return {codes, patterns.ends, patterns.begin};
      }
    }
    return patterns;
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

/// How the results of parts are put together: those of an exact search.
struct ExactJoin {
  using Kind = ExactSearch;
  using Wanted = ForwardFirst;
  static void reset(std::vector<StrandCounts>& counts, std::size_t patterns, Strands) {
    counts.assign(patterns, {});
  }
  static void add(std::vector<StrandCounts>& counts, const std::vector<StrandCounts>& some) {
    for (std::size_t i = 0; i < some.size(); ++i) {
      counts[i].forward += some[i].forward;
      counts[i].reverse += some[i].reverse;
    }
  }
  static StrandCounts total(const std::vector<StrandCounts>& counts, std::size_t i) {
    return counts[i];
  }
  static Wanted wanted(const std::vector<StrandCounts>& counts, std::size_t i, std::uint64_t most) {
    return {counts[i], most};
  }
  static std::uint32_t fewest(const std::vector<StrandCounts>&, std::size_t) { return 0; }
  static Strands of_count(const LocateRequest& request) { return request.strands; }
  /// What a part is asked for that holds more hits of a pattern than fit at once.
  static LocateRequest of_single(const LocateRequest& request) { return request; }
};

/// How those of a search with mismatches are.
struct MismatchJoin {
  using Kind = MismatchSearch;
  using Wanted = FewestMismatches;
  static void reset(MismatchCounts& counts, std::size_t patterns, const MismatchRequest& request) {
    counts.reset(patterns, request.mismatches);
  }
  static void add(MismatchCounts& counts, const MismatchCounts& some) { counts.add(some); }
  static StrandCounts total(const MismatchCounts& counts, std::size_t i) { return counts.total(i); }
  static Wanted wanted(const MismatchCounts& counts, std::size_t i, std::uint64_t most) {
    return {counts, i, most};
  }
  static std::uint32_t fewest(const MismatchCounts& counts, std::size_t i) {
    return counts.fewest(i);
  }
  static const MismatchRequest& of_count(const MismatchRequest& request) { return request; }
  static MismatchRequest of_single(const MismatchRequest& request) {
    return {request.strands, request.mismatches};
  }
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

  /// Gives them to the sink; wanted(i) lets through those of pattern i of the batch, if they are
  /// too many.
  template <class WantedOf>
  void give(std::uint64_t max_hits, const WantedOf& wanted_of, const HitSink& sink) {
    std::vector<Hit> all;
    std::vector<std::uint64_t> ends;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      std::vector<Hit>& hits = hits_[i];
      if (hits.size() > max_hits) {
        auto wanted = wanted_of(first_ + i);
        std::erase_if(hits, [&](const Hit& hit) { return !wanted.take(hit); });
      }
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

template <class Join>
class JoinedSearcher final : public Join::Kind::Searcher {
 public:
  using Kind = typename Join::Kind;
  using Batch = typename Kind::Batch;
  using Request = typename Kind::Request;
  using Counts = typename Kind::Counts;

  JoinedSearcher(std::vector<SearchedPart<Kind>> parts, std::uint64_t most_hits)
      : parts_(std::move(parts)), most_hits_(most_hits) {}

  void count(const Batch& patterns, typename Kind::CountRequest request,
             Counts& counts) const override {
    std::vector<std::uint64_t> from_parts;
    count(patterns, request, unlimited, counts, from_parts);
  }

  void stream(const Batch& patterns, const Request& request, const HitSink& sink) const override {
    Counts counts;
    std::vector<std::uint64_t> from_parts;
    count(patterns, Join::of_count(request), request.max_hits, counts, from_parts);
    std::vector<StrandCounts> totals;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      totals.push_back(Join::total(counts, i));
    std::vector<std::uint8_t> codes;
    const auto run = [&](std::size_t first, std::size_t last) {
      RunHits hits(totals, first, last);
      for (const SearchedPart<Kind>& part : parts_) {
        part.searcher->stream(part.in_its_codes(patterns.some(first, last), codes), request,
                              [&](const HitChunk& chunk) { hits.add(chunk, part.begin); });
      }
      hits.give(
          request.max_hits,
          [&](std::size_t i) { return Join::wanted(counts, i, request.max_hits); }, sink);
    };
    const auto single = [&](std::size_t pattern) {
      PatternHits hits(pattern, totals[pattern], request.max_hits, Join::fewest(counts, pattern),
                       sink);
      auto wanted = Join::wanted(counts, pattern, request.max_hits);
      for (const SearchedPart<Kind>& part : parts_) {
        if (hits.left() == 0) return;
        part.searcher->stream(part.in_its_codes(patterns.some(pattern, pattern + 1), codes),
                              Join::of_single(request), [&](const HitChunk& chunk) {
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
  void count(const Batch& patterns, typename Kind::CountRequest request, std::uint64_t most,
             Counts& counts, std::vector<std::uint64_t>& from_parts) const {
    Join::reset(counts, patterns.size(), request);
    from_parts.assign(patterns.size(), 0);
    Counts some;
    std::vector<std::uint8_t> codes;
    for (const SearchedPart<Kind>& part : parts_) {
      part.searcher->count(part.in_its_codes(patterns, codes), request, some);
      Join::add(counts, some);
      for (std::size_t i = 0; i < patterns.size(); ++i)
        from_parts[i] += std::min(most, Join::total(some, i).total());
    }
  }

  std::vector<SearchedPart<Kind>> parts_;
  std::uint64_t most_hits_;
};

/// The memory of each of so many searchers, with what joins their hits.
SearchMemory share_of(SearchMemory memory, std::size_t parts) {
  memory.hits_at_once = std::max<std::uint64_t>(1, memory.hits_at_once / 2);
  if (memory.index_copy != unlimited) memory.index_copy /= parts;
  if (memory.site_tables != unlimited) memory.site_tables /= parts;
  return memory;
}

/// A searcher of an index: open(index, memory) opens one of a whole index, or of each part. If
/// asked, its patterns are recoded for parts with another alphabet.
template <class Join, class Open>
std::unique_ptr<typename Join::Kind::Searcher> open_joined(const Index& index,
                                                           const SearchMemory& memory,
                                                           const Open& open, bool recodes = true) {
  if (index.parts().empty()) return open(index, memory);
  const SearchMemory share = share_of(memory, index.parts().size());
  std::vector<SearchedPart<typename Join::Kind>> parts;
  for (std::size_t i = 0; i < index.parts().size(); ++i) {
    const Index& part = index.parts()[i];
    parts.push_back({open(part, share), index.part_begins()[i]});
    if (recodes && part.alphabet().symbols() != index.alphabet().symbols())
      parts.back().recoding = recoding(index.alphabet(), part.alphabet());
  }
  return std::make_unique<JoinedSearcher<Join>>(std::move(parts), share.hits_at_once);
}

}  // namespace

std::unique_ptr<Searcher> open_searcher(Backend& backend, const Index& index, int threads,
                                        const SearchMemory& memory) {
  return open_joined<ExactJoin>(index, memory, [&](const Index& one, const SearchMemory& share) {
    return backend.open<ExactSearch>({one, threads, share});
  });
}

std::unique_ptr<Searcher> open_equal_searcher(const Index& index, const EqualLetters& equal,
                                              const SearchMemory& memory, CpuPath path) {
  // Its patterns stay in the codes of the whole index.
  return open_joined<ExactJoin>(
      index, memory,
      [&](const Index& one, const SearchMemory& share) -> std::unique_ptr<Searcher> {
        return std::make_unique<EqualSearcher>(one, equal.classes(index.alphabet(), one.alphabet()),
                                               share, path);
      },
      false);
}

std::unique_ptr<MismatchSearcher> open_mismatch_searcher(Backend& backend, const Index& index,
                                                         int threads, const SearchMemory& memory) {
  return open_joined<MismatchJoin>(index, memory, [&](const Index& one, const SearchMemory& share) {
    return backend.open<MismatchSearch>({{one.text(), &one}, threads, share});
  });
}

}  // namespace gsx

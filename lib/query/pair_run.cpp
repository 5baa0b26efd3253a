#include "query/pair_run.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "match/pair_unique.hpp"

namespace gsx {
namespace {

/// Queries that a thread searches at a time, if they are short.
constexpr std::size_t most_parts = 4096;
/// Bytes of text that a thread holds before it waits for its turn and writes them.
constexpr std::size_t piece_bytes = std::size_t{4} << 20;

/// Places [begin, end) of a query, on a strand or on both.
struct Part {
  std::size_t query;
  bool reverse;
  std::uint64_t begin;
  std::uint64_t end;
  bool first;  ///< of the strand
  bool last;   ///< of the strand
};

struct Parts {
  std::uint64_t number = 0;
  std::vector<Part> parts;
};

/// Cuts queries into parts.
class PartSource {
 public:
  PartSource(const PackedQueries& queries, std::vector<bool> strands, std::uint64_t part_symbols)
      : queries_(queries), strands_(std::move(strands)), part_symbols_(part_symbols) {}

  /// Gives the next parts; false if there are no more. Any thread may call it.
  bool next(Parts& parts) {
    const std::lock_guard lock(mutex_);
    parts.number = number_;
    parts.parts.clear();
    for (std::uint64_t symbols = 0; symbols < part_symbols_ && parts.parts.size() < most_parts;) {
      if (query_ == queries_.size() || strands_.empty()) break;
      const std::uint64_t begin = queries_.begin(query_), end = queries_.begin(query_ + 1);
      const std::uint64_t from = begin + taken_, to = std::min(end, from + part_symbols_);
      parts.parts.push_back({query_, strands_[strand_], from, to, from == begin, to == end});
      symbols += to - from;
      taken_ = to - begin;
      if (to < end) continue;
      taken_ = 0;
      strand_ = (strand_ + 1) % strands_.size();
      query_ += strand_ == 0 ? 1 : 0;
    }
    number_ += parts.parts.empty() ? 0 : 1;
    return !parts.parts.empty();
  }

 private:
  const PackedQueries& queries_;
  const std::vector<bool> strands_;
  const std::uint64_t part_symbols_;
  std::mutex mutex_;  ///< guards the members below
  std::uint64_t number_ = 0;
  std::size_t query_ = 0;
  std::size_t strand_ = 0;
  std::uint64_t taken_ = 0;  ///< symbols of the strand
};

/// What was found in some parts.
struct PartResult {
  struct Found {
    Part part;
    std::uint64_t pairs;                 ///< if all are written
    std::vector<PairSteps::Step> steps;  ///< if only unique ones are
  };
  std::string text;
  std::vector<Found> found;
};

/// Writes the pairs of some queries.
class GroupRun {
 public:
  GroupRun(const PairTarget& target, const QueryTargets& records, bool complements,
           const PairRules& rules, const PackedQueries& queries, const WritePairs& write,
           PairFigures& figures)
      : target_(target),
        records_(records),
        complements_(complements),
        rules_(rules),
        queries_(queries),
        write_(write),
        figures_(figures),
        report_(rules.format, records.records, records.segments) {}

  void run(int threads, const std::function<void(std::uint64_t)>& report) {
    PartSource source(queries_, strands(), rules_.tuning.part_symbols);
    const std::uint64_t before = figures_.queries;
    run_and_hand_over<PartResult, Parts>([&](Parts& parts) { return source.next(parts); }, threads,
                                         [&] { return Worker(*this, report); });
    figures_.queries = before + queries_.size();
  }

 private:
  bool merges_strands() const { return rules_.request.unique == PairUniqueness::both_strands; }
  bool writes_all() const { return rules_.request.unique == PairUniqueness::none; }
  bool searches(bool reverse) const {
    return reverse ? complements_ && rules_.request.strands != Strands::forward
                   : rules_.request.strands != Strands::reverse;
  }
  /// The strands of the parts of each query. A part of both is one of the forward strand.
  std::vector<bool> strands() const {
    if (merges_strands()) return {false};
    std::vector<bool> strands;
    for (const bool reverse : {false, true})
      if (searches(reverse)) strands.push_back(reverse);
    return strands;
  }
  PairQuery query(std::size_t i) const {
    return {queries_.name(i), queries_.begin(i), queries_.length(i)};
  }
  std::span<const PlainStretch> stretches_in(const Part& part) const {
    const auto& all = queries_.stretches();
    const auto first = std::partition_point(
        all.begin(), all.end(), [&](const PlainStretch& s) { return s.end <= part.begin; });
    const auto last = std::partition_point(
        first, all.end(), [&](const PlainStretch& s) { return s.begin < part.end; });
    return {first, last};
  }

  class Worker {
   public:
    Worker(GroupRun& run, const std::function<void(std::uint64_t)>& report)
        : run_(run),
          progress_(report),
          finder_(run.target_, run.queries_.view(), run.rules_.tuning.pairs_at_once),
          report_(run.rules_.format, run.records_.records, run.records_.segments) {}

    PartResult& prepare(const Parts& parts, const ItemTurn& turn) {
      TextPieces text(piece_bytes, [&](std::string& piece) {
        turn.wait();
        run_.write_(piece);
        piece.clear();
      });
      std::swap(text.text(), result_.text);
      for (const Part& part : parts.parts) {
        if (run_.writes_all()) {
          write(part, text);
        } else {
          gather(part);
        }
      }
      std::swap(text.text(), result_.text);
      return result_;
    }
    void commit(PartResult& result) {
      run_.write_(result.text);
      result.text.clear();
      for (PartResult::Found& found : result.found)
        run_.commit(found);
      progress_(run_.figures_.queries +
                (result.found.empty() ? 0 : result.found.back().part.query));
      result.found.clear();
    }

   private:
    void find(const Part& part, bool reverse, const PairSink& sink) {
      for (const PlainStretch& stretch : run_.stretches_in(part)) {
        finder_.find(stretch, std::max(part.begin, stretch.begin), std::min(part.end, stretch.end),
                     reverse, sink);
      }
    }
    void write(const Part& part, TextPieces& text) {
      const PairQuery query = run_.query(part.query);
      if (part.first) report_.begin(text, query, part.reverse);
      std::uint64_t pairs = 0;
      find(part, part.reverse, [&](std::span<const MatchPair> found) {
        pairs += found.size();
        report_.append(text, query, found);
      });
      result_.found.push_back({part, pairs, {}});
    }
    void gather(const Part& part) {
      steps_.clear();
      const auto add_to = [](PairSteps& steps) {
        return [&steps](std::span<const MatchPair> pairs) {
          for (const MatchPair& pair : pairs)
            steps.add(pair);
        };
      };
      find(part, part.reverse, add_to(steps_));
      if (run_.merges_strands() && run_.complements_) {
        others_.clear();
        find(part, true, add_to(others_));
        steps_.merge(others_.steps());
      }
      result_.found.push_back({part, 0, {steps_.steps().begin(), steps_.steps().end()}});
    }

    GroupRun& run_;
    const std::function<void(std::uint64_t)>& progress_;
    PairFinder finder_;
    PairReport report_;
    PairSteps steps_, others_;
    PartResult result_;
  };

  /// Takes what was found in a part, in order.
  void commit(const PartResult::Found& found) {
    if (writes_all()) {
      count(found.part.query, found.pairs);
      return;
    }
    if (found.part.first) covered_to_ = 0;
    for (const PairSteps::Step& step : found.steps) {
      const bool contained = step.end() <= covered_to_;
      covered_to_ = std::max(covered_to_, step.end());
      if (!contained && !step.shared) unique_.push_back(step.pair);
    }
    const bool in_query = rules_.request.unique != PairUniqueness::target;
    if (in_query && !found.part.last) return;
    if (in_query) keep_unique_in_query(unique_);
    write_unique(found.part);
    unique_.clear();
  }
  void write_unique(const Part& part) {
    TextPieces text(piece_bytes, [&](std::string& piece) {
      write_(piece);
      piece.clear();
    });
    const PairQuery of = query(part.query);
    const bool begins = part.first || rules_.request.unique != PairUniqueness::target;
    for (const bool reverse : {false, true}) {
      if (!searches(reverse) || (!merges_strands() && reverse != part.reverse)) continue;
      if (begins) report_.begin(text, of, reverse);
      const auto border = std::partition_point(unique_.begin(), unique_.end(),
                                               [](const MatchPair& p) { return !p.reverse; });
      const auto pairs =
          reverse ? std::span(border, unique_.end()) : std::span(unique_.begin(), border);
      report_.append(text, of, pairs);
      count(part.query, pairs.size());
    }
    text.flush();
  }
  void count(std::size_t query, std::uint64_t pairs) {
    figures_.pairs += pairs;
    if (pairs == 0 || (counted_any_ && counted_ == query)) return;
    counted_any_ = true;
    counted_ = query;
    ++figures_.with_pairs;
  }

  const PairTarget& target_;
  const QueryTargets& records_;
  bool complements_;
  const PairRules& rules_;
  const PackedQueries& queries_;
  const WritePairs& write_;
  PairFigures& figures_;
  PairReport report_;
  std::uint64_t covered_to_ = 0;   ///< the end of the pairs of the strand so far
  std::vector<MatchPair> unique_;  ///< in the target, and not yet written
  bool counted_any_ = false;
  std::size_t counted_ = 0;  ///< the last query that was counted among those with pairs
};

}  // namespace

PairFigures write_pairs(const PairTarget& target, const QueryTargets& records, bool complements,
                        const PairRules& rules, PackedQueryReader& reader, PackedQueries& queries,
                        int threads, const WritePairs& write,
                        const std::function<void(std::uint64_t)>& report) {
  PairFigures figures;
  while (reader.next(queries)) {
    figures.unmatchable += queries.unmatchable();
    GroupRun(target, records, complements, rules, queries, write, figures).run(threads, report);
  }
  return figures;
}

}  // namespace gsx

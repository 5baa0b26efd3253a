#include "run/pair_run.hpp"

#include <algorithm>
#include <future>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "search/matches/pair_unique.hpp"

namespace gsx {
namespace {

/// Least symbols of a query, for how many are searched at a time.
constexpr std::uint64_t least_symbols = 16;
/// Least places of a part, however many pairs begin there.
constexpr std::uint64_t least_places = 256;

/// Places [begin, end) of a query, on a strand or on both.
struct QueryPart {
  std::size_t query;
  bool reverse;
  std::uint64_t begin;
  std::uint64_t end;
  bool first;  ///< of the strand
  bool last;   ///< of the strand
};

struct PairParts {
  std::uint64_t number = 0;
  std::vector<QueryPart> parts;
};

/// Cuts queries into parts. Where many pairs begin, parts are short: a thread that has found more
/// than it may hold can only wait for its turn, and would find and format the rest alone.
class PairPartSource {
 public:
  PairPartSource(const PackedQueries& queries, std::vector<bool> strands,
                 std::uint64_t part_symbols, std::uint64_t part_pairs)
      : queries_(queries),
        strands_(std::move(strands)),
        part_symbols_(part_symbols),
        part_pairs_(static_cast<double>(part_pairs)),
        most_parts_(std::max<std::uint64_t>(part_symbols / least_symbols, 1)) {}

  /// Gives the next parts; false if there are no more. Any thread may call it.
  bool next(PairParts& parts) {
    const std::lock_guard lock(mutex_);
    parts.number = number_;
    parts.parts.clear();
    const std::uint64_t most = places_at_once();
    for (std::uint64_t symbols = 0; symbols < most && parts.parts.size() < most_parts_;) {
      if (query_ == queries_.size() || strands_.empty()) break;
      const std::uint64_t begin = queries_.begin(query_), end = queries_.begin(query_ + 1);
      const std::uint64_t from = begin + taken_, to = std::min(end, from + most);
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
  /// Notes how many pairs begin in some places; the next parts are cut to match. Any thread may
  /// call it.
  void note(std::uint64_t places, std::uint64_t pairs) {
    const double seen = static_cast<double>(pairs) / static_cast<double>(places);
    const std::lock_guard lock(mutex_);
    pairs_per_place_ = seen > pairs_per_place_ ? seen : (seen + pairs_per_place_) / 2;
  }

 private:
  std::uint64_t places_at_once() const {
    if (pairs_per_place_ * static_cast<double>(part_symbols_) <= part_pairs_) return part_symbols_;
    const auto places = static_cast<std::uint64_t>(part_pairs_ / pairs_per_place_);
    return std::min(part_symbols_, std::max(least_places, places));
  }

  const PackedQueries& queries_;
  const std::vector<bool> strands_;
  const std::uint64_t part_symbols_;
  const double part_pairs_;
  const std::size_t most_parts_;
  std::mutex mutex_;  ///< guards the members below
  std::uint64_t number_ = 0;
  std::size_t query_ = 0;
  std::size_t strand_ = 0;
  std::uint64_t taken_ = 0;  ///< symbols of the strand
  double pairs_per_place_ = 0;
};

/// A strand of a part.
struct PartStrand {
  QueryPart part;
  bool reverse;
  bool last;  ///< of the part

  bool holds(const MatchPair& pair) const {
    return pair.reverse == reverse && pair.query >= part.begin && pair.query < part.end;
  }
};

/// What was found in some parts.
struct PartResult {
  struct Found {
    QueryPart part;
    std::uint64_t pairs;                 ///< if all are written
    std::vector<PairSteps::Step> steps;  ///< if only unique ones are
  };
  std::string text;
  std::vector<Found> found;
};

/// Writes the pairs of some queries.
class GroupRun {
 public:
  GroupRun(PairSearcher& searcher, const QueryTargets& records, bool complements,
           const PairRules& rules, const PackedQueries& queries, const WritePairs& write,
           PairFigures& figures)
      : searcher_(searcher),
        records_(records),
        complements_(complements),
        rules_(rules),
        queries_(queries),
        write_(write),
        figures_(figures),
        report_(rules.format, records.records, records.segments, rules.by_file) {}

  void run(int threads, const std::function<void(std::uint64_t)>& report) {
    const std::uint64_t places = rules_.part_symbols;
    PairPartSource source(queries_, strands(), places == 0 ? searcher_.best_places() : places,
                          rules_.part_pairs);
    searcher_.take(queries_.view());
    const std::uint64_t before = figures_.queries;
    run_and_hand_over<PartResult, PairParts>([&](PairParts& parts) { return source.next(parts); },
                                             threads,
                                             [&] { return Worker(*this, source, report); });
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
  void add_strands(const QueryPart& part, std::vector<PartStrand>& strands) const {
    if (!merges_strands()) {
      strands.push_back({part, part.reverse, true});
      return;
    }
    strands.push_back({part, false, !complements_});
    if (complements_) strands.push_back({part, true, true});
  }
  void add_pieces(const PartStrand& strand, std::vector<PairPiece>& pieces) const {
    const auto& all = queries_.stretches();
    const QueryPart& part = strand.part;
    const auto first = std::partition_point(
        all.begin(), all.end(), [&](const PlainStretch& s) { return s.end <= part.begin; });
    for (auto s = first; s != all.end() && s->begin < part.end; ++s) {
      pieces.push_back(
          {*s, std::max(part.begin, s->begin), std::min(part.end, s->end), strand.reverse});
    }
  }

  class Worker {
   public:
    Worker(GroupRun& run, PairPartSource& source, const std::function<void(std::uint64_t)>& report)
        : run_(run),
          source_(source),
          progress_(report),
          report_(run.rules_.format, run.records_.records, run.records_.segments,
                  run.rules_.by_file) {}

    PartResult& prepare(const PairParts& parts, const ItemTurn& turn) {
      TextPieces text(run_.rules_.piece_bytes, [&](std::string& piece) {
        turn.wait();
        run_.write_(piece);
        piece.clear();
      });
      std::swap(text.text(), result_.text);
      if (run_.writes_all()) {
        write(parts, text);
      } else {
        gather(parts);
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
    /// For each strand of the parts, in order: calls begin(strand), take(strand, pairs) as often as
    /// it takes, and end(strand).
    template <class Begin, class Take, class End>
    void find(const PairParts& parts, const Begin& begin, const Take& take, const End& end) {
      strands_.clear();
      pieces_.clear();
      for (const QueryPart& part : parts.parts)
        run_.add_strands(part, strands_);
      for (const PartStrand& strand : strands_)
        run_.add_pieces(strand, pieces_);
      auto strand = strands_.begin();
      const auto end_strand = [&] {
        end(*strand);
        if (++strand != strands_.end()) begin(*strand);
      };
      begin(*strand);
      run_.searcher_.find(pieces_, [&](std::span<const MatchPair> pairs) {
        while (!pairs.empty()) {
          while (!strand->holds(pairs.front()))
            end_strand();
          const auto rest = std::ranges::find_if_not(
              pairs, [&](const MatchPair& pair) { return strand->holds(pair); });
          const auto count = static_cast<std::size_t>(rest - pairs.begin());
          take(*strand, pairs.first(count));
          pairs = pairs.subspan(count);
        }
      });
      while (strand != strands_.end())
        end_strand();
    }
    void write(const PairParts& parts, TextPieces& text) {
      std::uint64_t count = 0;                            // pairs of the strand
      std::uint64_t pairs_before = 0, places_before = 0;  // of the strands before it
      std::uint64_t next_note = run_.rules_.part_pairs;   // pairs found until then
      find(
          parts,
          [&](const PartStrand& strand) {
            count = 0;
            if (strand.part.first)
              report_.begin(text, run_.query(strand.part.query), strand.reverse);
          },
          [&](const PartStrand& strand, std::span<const MatchPair> pairs) {
            count += pairs.size();
            if (pairs_before + count >= next_note) {
              source_.note(places_before + pairs.back().query - strand.part.begin + 1,
                           pairs_before + count);
              next_note *= 2;
            }
            report_.append(text, run_.query(strand.part.query), pairs);
          },
          [&](const PartStrand& strand) {
            result_.found.push_back({strand.part, count, {}});
            pairs_before += count;
            places_before += strand.part.end - strand.part.begin;
          });
      if (places_before > 0) source_.note(places_before, pairs_before);
    }
    void gather(const PairParts& parts) {
      PairSteps both, steps;
      find(
          parts, [&](const PartStrand&) { steps.clear(); },
          [&](const PartStrand&, std::span<const MatchPair> pairs) {
            for (const MatchPair& pair : pairs)
              steps.add(pair);
          },
          [&](const PartStrand& strand) {
            if (!strand.last) {
              std::swap(both, steps);
              return;
            }
            if (run_.merges_strands() && strand.reverse) {
              both.merge(steps.steps());
              std::swap(both, steps);
            }
            result_.found.push_back({strand.part, 0, {steps.steps().begin(), steps.steps().end()}});
          });
    }

    GroupRun& run_;
    PairPartSource& source_;
    const std::function<void(std::uint64_t)>& progress_;
    PairReport report_;
    std::vector<PartStrand> strands_;
    std::vector<PairPiece> pieces_;
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
  void write_unique(const QueryPart& part) {
    TextPieces text(rules_.piece_bytes, [&](std::string& piece) {
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

  PairSearcher& searcher_;
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

PairFigures write_pairs(PairSearcher& searcher, const QueryTargets& records, bool complements,
                        const PairRules& rules, PackedQueryReader& reader, PackedQueries& queries,
                        int threads, const WritePairs& write,
                        const std::function<void(std::uint64_t)>& report) {
  PairFigures figures;
  PackedQueries ahead = queries;
  for (bool more = reader.next(queries); more;) {
    std::future<bool> next;
    if (rules.reads_ahead) {  // get() reads them if there is no thread to be had
      next = std::async(std::launch::async | std::launch::deferred,
                        [&] { return reader.next(ahead); });
    }
    figures.unmatchable += queries.unmatchable();
    GroupRun(searcher, records, complements, rules, queries, write, figures).run(threads, report);
    more = rules.reads_ahead ? next.get() : reader.next(queries);
    if (rules.reads_ahead) std::swap(queries, ahead);
  }
  return figures;
}

}  // namespace gsx

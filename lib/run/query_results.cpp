#include "run/query_results.hpp"

#include <spdlog/fmt/fmt.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"

namespace gsx {

std::string_view shown_policy(SymbolPolicy policy) {
  return policy == SymbolPolicy::dna ? "DNA" : name_of(policy);
}

namespace {

/// "the query", or "2 of 3 queries".
std::string share_of(std::uint64_t count, std::uint64_t all, const char* one, const char* many) {
  return all == 1 ? std::string("the ") + one
                  : fmt::format("{} of {}", count, counted(all, one, many));
}

}  // namespace

std::string no_part_matches(std::uint64_t count, std::uint64_t all, const FoundWords& of,
                            const Alphabet& alphabet, const std::string& who) {
  return fmt::format("{} {} no {}, so {} nothing", share_of(count, all, of.one, of.many),
                     count == 1 ? "has" : "have", least_part(alphabet, of.part, who),
                     count == 1 ? "it matches" : "they match");
}

void log_times(const StageTimes& times, std::uint64_t queries) {
  std::string line;
  for (std::size_t i = 0; i < stage_names.size(); ++i) {
    const double seconds = times.seconds(static_cast<Stage>(i));
    line += fmt::format("{}{} {:.3f} s", i == 0 ? "" : ", ", stage_names[i], seconds);
    if (queries != 0)
      line += fmt::format(" ({:.0f} ns per query)", seconds * 1e9 / static_cast<double>(queries));
  }
  log().debug("{} queries, thread time: {}", queries, line);
}

JsonMembers QueryResults::figures_of_summary(bool whole_queries) const {
  const QueryFigures& all = figures();
  JsonMembers members{{"queries", all.queries},
                      {"queries_with_hits", all.with_hits},
                      {"queries_that_cannot_match", all.odd.count + all.unasked.count},
                      {"queries_truncated", all.truncated},
                      {"hits", all.hits}};
  if (whole_queries) {
    members.insert(members.end(),
                   {{"hits_fwd", all.hits - all.hits_reverse}, {"hits_rev", all.hits_reverse}});
  }
  members.insert(members.end(),
                 {{"hits_reported", all.reported}, {"records", index_.records().size()}});
  // With these, merge tells what no shard of an index can match.
  if (whole_queries && index_.alphabet().policy() != SymbolPolicy::dna) {
    members.insert(members.end(), {{"alphabet_symbols", tally_.alphabet().symbols()},
                                   {"absent_symbols", all.odd.absent.as_json()}});
  }
  return members;
}

void QueryResults::report(const FoundWords& found) const {
  const QueryFigures& all = figures();
  log().info("{}, {} with {}, {}", counted(all.queries, "query", "queries"), all.with_hits,
             found.many, counted(all.hits, found.one, found.many));
  report_unasked();
  const OddQueries& odd = all.odd;
  const bool all_wrong = odd.wrong == all.queries;
  if (all.like_dna == all.queries && all.with_hits == 0 && !all_wrong) {
    log().warn(
        "no query has a {}, and all look like DNA (A, C, G, T, U and N only), but this is a "
        "protein index",
        found.one);
    return;
  }
  if (odd.count == 0) return;
  if (found.part != 0) return report_odd_parts(found.part);
  const SymbolOfQuery& first = all_wrong ? odd.first_wrong : odd.first;
  const std::string what =
      fmt::format("{} {} symbols that this {} index does not have, so {} (first: '{}' in '{}')",
                  share_of(odd.count, all.queries, "query", "queries"),
                  odd.count == 1 ? "holds" : "hold", shown_policy(index_.alphabet().policy()),
                  odd.count == 1 ? "it matches nothing" : "they match nothing",
                  printable({&first.symbol, 1}), shown_name(first.name));
  if (all_wrong) {
    throw InputError(
        "no query can match: " + what +
        (index_.alphabet().policy() == SymbolPolicy::dna
             ? "; --iupac takes IUPAC codes of nucleotides, and proteins need an index "
               "of proteins"
             : "; search an index of the alphabet of the queries"));
  }
  log().warn("{}", what);
}

void QueryResults::report_odd_parts(std::uint64_t part) const {
  const QueryFigures& all = figures();
  const bool all_wrong = all.odd.wrong == all.queries;
  const SymbolOfQuery& first = all_wrong ? all.odd.first_wrong : all.odd.first;
  const bool is_short = first.symbol == '\0';
  const std::string what = fmt::format(
      "{} (first: {}'{}'{})",
      no_part_matches(all.odd.count, all.queries, {"query", "queries", part}, index_.alphabet(),
                      fmt::format("this {} index", shown_policy(index_.alphabet().policy()))),
      is_short ? "" : fmt::format("'{}' in ", printable({&first.symbol, 1})),
      shown_name(first.name), is_short ? ", which is shorter" : "");
  if (!all_wrong) return log().warn("{}", what);
  throw InputError(
      "no query can match: " + what +
      (is_short ? "; give a smaller -L" : "; search an index of the alphabet of the queries"));
}

void QueryResults::report_left_out() const {
  const Meta& meta = index_.meta();
  const std::uint64_t all = meta.counts.total(), indexed = meta.length - meta.segments;
  if (indexed >= all) return;
  log().info("{} of {} are not A, C, G, T or U{}: no place includes one", all - indexed,
             counted(all, "symbol", "symbols"), meta.soft_mask_split != 0 ? ", or are masked" : "");
}

void QueryResults::report_unasked() const {
  const UnaskedQueries& unasked = figures().unasked;
  if (unasked.count == 0) return;
  const std::string what =
      fmt::format("{} cannot be asked for, so {} (first: '{}', which {})",
                  share_of(unasked.count, figures().queries, "query", "queries"),
                  unasked.count == 1 ? "it has no hits" : "they have no hits",
                  shown_name(unasked.first), unasked.why);
  if (unasked.count == figures().queries) throw InputError("no query can match: " + what);
  log().warn("{}", what);
}

}  // namespace gsx

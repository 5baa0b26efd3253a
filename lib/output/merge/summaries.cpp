#include "output/merge/summaries.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/index_checksum.hpp"

namespace gsx {
namespace {

/// The figures of a summary; the last five add up. Two more are there unless the index is of DNA.
constexpr std::string_view figures_known[] = {"queries",
                                              "queries_with_hits",
                                              "queries_that_cannot_match",
                                              "queries_truncated",
                                              "hits",
                                              "hits_fwd",
                                              "hits_rev",
                                              "hits_reported",
                                              "records"};
constexpr std::string_view name_of_symbols = "alphabet_symbols", name_of_absent = "absent_symbols";

/// What the summaries of shards say of queries that no shard can match.
class Unmatchable {
 public:
  /// Pre: there is a part.
  explicit Unmatchable(const std::vector<PartSummary>& parts) {
    const PartSummary& first = parts.front();
    if (!first.symbols) return;
    for (const PartSummary& part : parts)
      symbols_ += part.symbols.value_or("");
    std::ranges::sort(symbols_);
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
  }
  /// Those of a part that no other part can match either. Each part tells all of them.
  AbsentSymbols absent(const PartSummary& part) const { return part.absent.without(symbols_); }
  std::uint64_t queries(const PartSummary& part) const {
    return part.symbols ? absent(part).queries() : part.figure("queries_that_cannot_match");
  }
  const std::string& symbols() const { return symbols_; }

 private:
  std::string symbols_;  ///< of all parts
};

/// A figure of all parts.
std::uint64_t sum_of(const std::vector<PartSummary>& parts, std::string_view name) {
  std::uint64_t sum = 0;
  for (const PartSummary& part : parts) {
    const std::uint64_t more = part.figure(name);
    if (more > unlimited - sum) part.run().refuse("its numbers are too large");
    sum += more;
  }
  return sum;
}

/// Whether the parts have the hits that their summaries tell, as far as a kind tells.
bool has_hits(PartKind kind, std::uint64_t in_parts, std::uint64_t expected, bool circular) {
  switch (kind) {
    case PartKind::presence:
      return true;
    case PartKind::bedgraph:  // hits may share a line, and a hit may have several
      return (in_parts != 0) == (expected != 0);
    case PartKind::bed:
    case PartKind::sorted_bed:  // a hit across the origin of a circular record has two lines
      return circular ? in_parts >= expected : in_parts == expected;
    default:
      return in_parts == expected;
  }
}

/// Throws InputError if two summaries are of one index. Pre: each names its index.
void require_other_indexes(const std::vector<PartSummary>& parts) {
  std::unordered_map<std::uint64_t, const PartSummary*> of_index;
  for (const PartSummary& part : parts) {
    const auto [first, is_new] = of_index.emplace(part.run().index->checksum, &part);
    if (is_new) continue;
    throw InputError(part.label() + ": it is of the same index as '" + first->second->label() +
                     "': the hits would count twice; name a part for each shard, and the "
                     "manifest by -x if two of its shards are alike");
  }
}

}  // namespace

PartSummary::PartSummary(const std::string& path)
    : PartSummary(path == "-" ? "standard input" : printable(path), read_summary(path)) {}

PartSummary::PartSummary(std::string label, RunSummary run)
    : label_(std::move(label)), run_(std::move(run)) {
  if (command() != "count" && command() != "locate")
    throw InputError(label_ + ": it is no summary of gsx count or gsx locate");
  for (const std::string_view name : figures_known)
    (void)run_.number(name);
  for (const auto& [name, value] : run_.figures) {
    if (std::ranges::find(figures_known, name) == std::end(figures_known) &&
        name != name_of_symbols && name != name_of_absent)
      run_.refuse("merge does not know its member '" + shown_name(name) + "'");
  }
  const JsonValue* const has = find_member(run_.figures, name_of_symbols);
  const JsonValue* const lacks = find_member(run_.figures, name_of_absent);
  if (has != nullptr && has->kind == JsonValue::Kind::text) symbols = bytes_of_json(has->text);
  const std::optional<AbsentSymbols> sets =
      lacks == nullptr ? AbsentSymbols() : AbsentSymbols::of_json(*lacks);
  if (!sets || symbols.has_value() != (has != nullptr) || (has == nullptr) != (lacks == nullptr))
    run_.refuse("alphabet_symbols and absent_symbols do not fit one another");
  absent = *sets;
  if (run_.options.empty()) run_.refuse("it has no options");
}

void require_alike(const std::vector<PartSummary>& parts) {
  if (parts.empty()) return;
  const PartSummary& first = parts.front();
  const Unmatchable unmatchable(parts);
  const AbsentSymbols expected = unmatchable.absent(first);
  for (const PartSummary& part : parts) {
    if (part.absent.too_many()) {
      throw InputError(part.label() + ": its queries hold more than " +
                       std::to_string(AbsentSymbols::most_sets) +
                       " different sets of symbols that this shard lacks, so how many no shard can "
                       "match is not known; merge the results without summaries");
    }
    const char* const other = part.run().version != first.run().version   ? "version"
                              : part.command() != first.command()         ? "command"
                              : part.run().options != first.run().options ? "options"
                              : part.queries() != first.queries()         ? "number of queries"
                              : part.symbols.has_value() != first.symbols.has_value() ? "alphabet"
                              : unmatchable.absent(part) != expected ||
                                      unmatchable.queries(part) != unmatchable.queries(first)
                                  ? "queries that cannot match"
                                  : nullptr;
    if (other != nullptr)
      throw InputError(part.label() + ": the " + other + " is not as in '" + first.label() + "'");
  }
}

void require_figures(const std::vector<PartSummary>& parts, const MergeFigures& figures,
                     PartKind kind) {
  if (parts.empty()) return;
  const PartSummary& first = parts.front();
  std::uint64_t most = 0;
  for (const PartSummary& part : parts)
    most = std::max(most, part.figure("queries_with_hits"));
  const bool tells_queries = !is_by_place(kind);
  if (tells_queries && (figures.queries != first.queries() || figures.with_hits < most))
    throw InputError(first.label() + ": the summaries are not of these results");
  const std::uint64_t expected =
      sum_of(parts, first.command() == "count" ? "hits" : "hits_reported");
  if (!has_hits(kind, figures.in_parts, expected, first.is_circular()))
    throw InputError(fmt::format(
        "{}: the summaries tell {} hits, and the parts {}: a part is cut, or of another run",
        first.label(), expected, figures.in_parts));
}

WholeIndex whole_index(WholeIndex known, const std::vector<PartSummary>& parts) {
  std::vector<std::uint64_t> searched;
  for (const PartSummary& part : parts)
    if (part.run().index) searched.push_back(part.run().index->checksum);
  if (searched.size() != parts.size()) return {known.file, {}};
  if (known.shards.empty()) {
    require_other_indexes(parts);
    return {known.file, std::move(searched)};
  }
  std::vector<std::uint64_t> shards = known.shards;
  std::ranges::sort(shards);
  std::ranges::sort(searched);
  if (searched.empty() || searched == shards) return known;
  throw InputError("the summaries are of other indexes than the shards of '" +
                   printable(known.file) + "', a summary for each: '" + parts.front().label() +
                   "' and the others; name the manifest whose shards were searched");
}

std::string merged_summary(const std::vector<PartSummary>& parts, const MergeFigures& figures,
                           const MergeRules& rules, const WholeIndex& index) {
  const PartSummary& first = parts.front();
  RunSummary whole = first.run();
  const auto put = [](JsonMembers& members, std::string_view name, JsonValue value) {
    if (JsonValue* const member = find_member(members, name)) *member = std::move(value);
  };
  for (const std::string_view name : std::span(figures_known).last(5))
    put(whole.figures, name, sum_of(parts, name));
  if (rules.max_hits != unlimited) put(whole.figures, "hits_reported", figures.reported);
  put(whole.figures, "queries_with_hits", figures.with_hits);
  put(whole.figures, "queries_truncated", figures.truncated);
  const Unmatchable unmatchable(parts);
  put(whole.figures, "queries_that_cannot_match", unmatchable.queries(first));
  put(whole.figures, name_of_symbols, unmatchable.symbols());
  put(whole.figures, name_of_absent, unmatchable.absent(first).as_json());
  put(whole.options, "min_files", rules.files.least);
  put(whole.options, "max_files", rules.files.most == unlimited ? 0 : rules.files.most);
  if (index.shards.empty()) {
    whole.index.reset();
    whole.files.clear();
  } else {
    whole.index = SummaryIndex{index.file, checksum_of_shards(index.shards)};
  }
  return summary_text(whole);
}

}  // namespace gsx

#include "output/page/run_facts.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace gsx {
namespace {

/// A summary, and how it is refused.
class Summary {
 public:
  explicit Summary(const RunSummary& run) : run_(run) {}

  std::uint64_t number(std::string_view name) const { return run_.number(name, bits); }
  std::optional<std::uint64_t> number_if_any(std::string_view name) const {
    return run_.number_if_any(name, bits);
  }
  /// The options in one line.
  std::string options() const {
    std::string line;
    for (const auto& [name, value] : run_.options) {
      const std::string shown = value.items.empty() ? value.text : join(value.items);
      if (!shown.empty()) line += (line.empty() ? "" : "; ") + name + " " + shown;
    }
    return line;
  }
  /// Refuses a part that is greater than its whole: shares would be more than all.
  void require_part(std::uint64_t part, std::uint64_t whole) const { require(part <= whole); }
  void require(bool is_possible) const {
    if (!is_possible) run_.refuse("its numbers contradict each other");
  }

 private:
  static constexpr int bits = 48;

  static std::string join(const std::vector<JsonValue>& items) {
    std::string all;
    for (const JsonValue& item : items)
      all += (all.empty() ? "" : ",") + item.text;
    return all;
  }

  const RunSummary& run_;
};

void read_filter(const Summary& summary, RunFacts& run) {
  run.kind = RunFacts::Kind::filter;
  run.queries = summary.number("reads");
  run.matched = summary.number("reads_matched");
  run.cannot_match = summary.number("reads_that_cannot_match");
  run.written = summary.number("reads_written");
  run.bases = summary.number("bases");
  run.bases_written = summary.number("bases_written");
  summary.require_part(run.written, run.queries);
  summary.require_part(run.bases_written, run.bases);
}

void read_queries(const Summary& summary, RunFacts& run) {
  run.queries = summary.number("queries");
  run.matched = summary.number("queries_with_hits");
  run.cannot_match = summary.number("queries_that_cannot_match");
  run.truncated = summary.number("queries_truncated");
  run.hits = summary.number("hits");
  run.hits_forward = summary.number_if_any("hits_fwd");
  run.hits_reverse = summary.number_if_any("hits_rev");
  if (!run.hits_forward || !run.hits_reverse) {
    run.hits_forward.reset();
    run.hits_reverse.reset();
  } else {
    summary.require(*run.hits_forward + *run.hits_reverse == run.hits);
  }
}

void read_prefix(const Summary& summary, RunFacts& run) {
  run.kind = RunFacts::Kind::prefix;
  run.queries = summary.number("queries");
  run.matched = summary.number("queries_matched");
  run.entries = summary.number("entries");
  run.entries_matched = summary.number("entries_matched");
  summary.require_part(run.entries_matched, run.entries);
}

void read_neighbors(const Summary& summary, RunFacts& run) {
  run.kind = RunFacts::Kind::neighbors;
  run.queries = summary.number("reads");
  run.too_short = summary.number_if_any("reads_too_short").value_or(0);
  run.distinct = summary.number("distinct");
  run.length = summary.number("length");
  run.pairs = summary.number_if_any("pairs");
  run.clusters = summary.number_if_any("clusters");
  summary.require_part(run.too_short, run.queries);
  summary.require_part(run.distinct, run.queries - run.too_short);
  run.has_corrections = !run.pairs && !run.clusters;
  if (!run.has_corrections) return;
  run.exact = summary.number("exact");
  run.corrected = summary.number("corrected");
  run.ambiguous = summary.number("ambiguous");
  run.unmatched = summary.number("unmatched");
  // Each is below 2^48, so the sum fits.
  summary.require(run.exact + run.corrected + run.ambiguous + run.unmatched + run.too_short ==
                  run.queries);
}

/// The name of a file without folder and suffixes. scripts/workflows/multiqc_gsx.py has the same
/// rule.
std::string stem_of(const std::string& path, const std::string& command) {
  if (path == "-") return "standard input";
  std::string stem = path.substr(path.rfind('/') + 1);
  for (const std::string& suffix : {std::string(".gz"), std::string(".bgz"), std::string(".json"),
                                    "." + command, std::string(".summary")}) {
    if (stem.size() > suffix.size() && stem.ends_with(suffix))
      stem.resize(stem.size() - suffix.size());
  }
  return stem;
}

}  // namespace

RunFacts run_facts(const RunSummary& from) {
  const Summary summary(from);
  RunFacts run;
  run.version = from.version;
  run.command = from.command;
  if (run.command == "filter") {
    read_filter(summary, run);
  } else if (run.command == "prefix") {
    read_prefix(summary, run);
  } else if (run.command == "neighbors") {
    read_neighbors(summary, run);
  } else {
    read_queries(summary, run);
  }
  summary.require_part(run.matched, run.queries);
  summary.require_part(run.cannot_match, run.queries);
  if (from.index) {
    run.index_checksum = from.index->checksum;
    run.index_file = from.index->file;
  }
  run.options = summary.options();
  return run;
}

void name_samples(std::vector<RunFacts>& runs, const std::vector<std::string>& paths) {
  std::map<std::pair<std::string, std::string>, int> uses;  // of a command and a name
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].sample = stem_of(paths[i], runs[i].command);
    ++uses[{runs[i].command, runs[i].sample}];
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (uses[{runs[i].command, runs[i].sample}] > 1) runs[i].sample = paths[i];
  }
}

}  // namespace gsx

#include "output/page/run_facts.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "output/json/json.hpp"

namespace gsx {
namespace {

/// Those that write --summary. A page shows the word as it is: no other one is taken.
constexpr std::string_view commands[] = {"count", "filter",    "locate", "mem",
                                         "ms",    "neighbors", "prefix"};

/// A summary, and how it is refused.
class Summary {
 public:
  Summary(const std::string& label, const JsonValue& value) : label_(label), value_(value) {}

  bool has(std::string_view name) const { return find_member(value_.members, name) != nullptr; }
  std::string text(std::string_view name) const {
    const JsonValue& member = required(name);
    if (member.kind != JsonValue::Kind::text) refuse(std::string(name) + " is no text");
    return member.text;
  }
  std::uint64_t number(std::string_view name) const {
    const JsonValue& member = required(name);
    std::uint64_t value = 0;
    const char* const end = member.text.data() + member.text.size();
    const auto read = std::from_chars(member.text.data(), end, value);
    const bool is_whole =
        member.kind == JsonValue::Kind::number && read.ec == std::errc() && read.ptr == end;
    // Totals over 2^16 runs fit 64 bits.
    if (!is_whole || value >> 48 != 0)
      refuse(std::string(name) + " is not a whole number below 2^48");
    return value;
  }
  std::optional<std::uint64_t> number_if_any(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    return number(name);
  }
  /// The checksum of the index, and its name; nothing if there is no member "index".
  void read_index(RunFacts& run) const {
    const JsonValue* const index = find_member(value_.members, "index");
    if (index == nullptr) return;
    const JsonValue* const file = find_member(index->members, "file");
    const JsonValue* const sum = find_member(index->members, "checksum");
    if (file == nullptr || sum == nullptr || sum->kind != JsonValue::Kind::text)
      refuse("its index has no file or no checksum");
    if (file->kind == JsonValue::Kind::text) run.index_file = file->text;
    const char* const end = sum->text.data() + sum->text.size();
    const auto read = std::from_chars(sum->text.data(), end, run.index_checksum.emplace(), 16);
    if (read.ec != std::errc() || read.ptr != end) refuse("its checksum is no number");
  }
  /// The members of "options" in one line; none if there are none.
  std::string options() const {
    const JsonValue* const options = find_member(value_.members, "options");
    std::string line;
    if (options == nullptr) return line;
    for (const auto& [name, value] : options->members) {
      if (value.kind == JsonValue::Kind::array || value.kind == JsonValue::Kind::object) {
        if (value.items.empty() && value.members.empty()) continue;
        line += (line.empty() ? "" : "; ") + name + " " + join(value);
      } else if (!value.text.empty()) {
        line += (line.empty() ? "" : "; ") + name + " " + value.text;
      }
    }
    return line;
  }
  /// Refuses a part that is greater than its whole: shares would be more than all.
  void require_part(std::uint64_t part, std::uint64_t whole) const {
    if (part > whole) refuse("its numbers contradict each other");
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(label_ + " is not what --summary of gsx writes: " + why);
  }

 private:
  const JsonValue& required(std::string_view name) const {
    const JsonValue* const member = find_member(value_.members, name);
    if (member == nullptr) refuse("it has no member " + std::string(name));
    return *member;
  }
  static std::string join(const JsonValue& list) {
    std::string all;
    for (const JsonValue& item : list.items)
      all += (all.empty() ? "" : ",") + item.text;
    return all;
  }

  const std::string& label_;
  const JsonValue& value_;
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
  } else if (*run.hits_forward > run.hits || run.hits - *run.hits_forward != *run.hits_reverse) {
    summary.refuse("its numbers contradict each other");
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
  if (run.exact + run.corrected + run.ambiguous + run.unmatched + run.too_short != run.queries)
    summary.refuse("its numbers contradict each other");
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

RunFacts run_facts(const std::string& label, std::string_view content) {
  JsonValue value;
  try {
    value = parse_json(content);
  } catch (const JsonFault& fault) {
    throw InputError(label + " is not what --summary of gsx writes: at byte " +
                     std::to_string(fault.at + 1) + ", " + fault.what);
  }
  const Summary summary(label, value);
  if (value.kind != JsonValue::Kind::object) summary.refuse("it is no JSON object");
  RunFacts run;
  run.version = summary.text("version");
  run.command = summary.text("command");
  if (std::ranges::find(commands, run.command) == std::end(commands))
    summary.refuse("command is not count, filter, locate, mem, ms, neighbors or prefix");
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
  summary.read_index(run);
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

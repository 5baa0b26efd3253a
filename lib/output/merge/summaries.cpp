#include "output/merge/summaries.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/index_checksum.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Takes the members of a summary off its text, in their order.
class Members {
 public:
  Members(const PartFile& part, std::string_view text) : part_(part), text_(text) {}

  void skip(std::string_view expected) {
    if (!text_.starts_with(expected)) fail();
    text_.remove_prefix(expected.size());
  }
  std::string take_until(std::string_view end) {
    const std::size_t at = text_.find(end);
    if (at == text_.npos) fail();
    std::string taken(text_.substr(0, at));
    text_.remove_prefix(at);
    return taken;
  }
  std::uint64_t number(std::string_view name) {
    skip(fmt::format(",\"{}\":", name));
    return number_in(part_, take_until(","));
  }
  /// Takes the members that only indexes of proteins and text have.
  void take_symbols(std::optional<std::string>& symbols, AbsentSymbols& absent) {
    constexpr std::string_view first = ",\"alphabet_symbols\":";
    if (!text_.starts_with(first)) return;
    skip(first);
    if (!take_json_bytes(text_, symbols.emplace())) fail();
    skip(",\"absent_symbols\":");
    if (!absent.take_json(text_)) fail();
  }
  /// Takes the member "index", which summaries of gsx 0.1 lack, and those that name files.
  void take_input(std::optional<std::uint64_t>& index, std::string& files) {
    constexpr std::string_view first = ",\"index\":{\"file\":", sum = ",\"checksum\":\"";
    if (!text_.starts_with(first)) return;
    skip(first);
    if (text_.starts_with("null")) {
      skip("null");
    } else {
      take_string();
    }
    skip(sum);
    const std::string digits = take_until("\"");
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), index.emplace(), 16);
    if (error != std::errc() || end != digits.data() + digits.size()) fail();
    skip("\"}");
    for (const std::string_view name : {",\"references\":[", ",\"query_files\":["}) {
      if (!text_.starts_with(name)) continue;
      const std::string_view before = text_;
      skip(name);
      while (!text_.starts_with(']')) {
        take_string();
        if (text_.starts_with(',')) skip(",");
      }
      skip("]");
      files += before.substr(0, before.size() - text_.size());
    }
  }
  std::string_view rest() const { return text_; }

 private:
  [[noreturn]] void fail() const { part_.fail("it is no summary of gsx count or gsx locate"); }
  /// Takes a JSON string, and leaves its content unread.
  void take_string() {
    skip("\"");
    std::size_t end = 0;
    while (end < text_.size() && text_[end] != '"')
      end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) fail();
    text_.remove_prefix(end + 1);
  }

  const PartFile& part_;
  std::string_view text_;
};

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
    return part.symbols ? absent(part).queries() : part.cannot_match;
  }
  const std::string& symbols() const { return symbols_; }

 private:
  std::string symbols_;  ///< of all parts
};

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
    const auto [first, is_new] = of_index.emplace(*part.index, &part);
    if (is_new) continue;
    throw InputError(part.label() + ": it is of the same index as '" + first->second->label() +
                     "': the hits would count twice; name a part for each shard, and the "
                     "manifest by -x if two of its shards are alike");
  }
}

}  // namespace

PartSummary::PartSummary(const std::string& path) {
  PartFile file(path);
  label_ = file.label();
  if (!file.next()) file.fail("it is empty");
  Members members(file, file.line());
  members.skip("{\"version\":\"");
  version = members.take_until("\"");
  members.skip("\",\"command\":\"");
  command_ = members.take_until("\"");
  if (command_ != "count" && command_ != "locate")
    file.fail("it is no summary of gsx count or gsx locate");
  members.skip("\"");
  queries = members.number("queries");
  with_hits = members.number("queries_with_hits");
  cannot_match = members.number("queries_that_cannot_match");
  truncated = members.number("queries_truncated");
  hits = members.number("hits");
  forward = members.number("hits_fwd");
  reverse = members.number("hits_rev");
  reported = members.number("hits_reported");
  records = members.number("records");
  members.take_symbols(symbols, absent);
  members.take_input(index, input);
  members.skip(",\"options\":{");
  options_ = members.rest();
  if (!options_.ends_with("}}")) file.fail("it is no summary of gsx count or gsx locate");
  options_.resize(options_.size() - 2);
  if (file.next()) file.fail("there is more than one summary");
}

std::string_view PartSummary::option(std::string_view name) const {
  const std::string_view all = options_;
  const std::string key = fmt::format("\"{}\":", name);
  const std::size_t at = all.find(key);
  if (at == all.npos) return {};
  const std::string_view value = all.substr(at + key.size());
  if (value.starts_with('[')) return value.substr(0, value.find(']') + 1);
  return value.substr(0, value.find(','));
}

std::uint64_t PartSummary::number_option(std::string_view name) const {
  const std::string_view text = option(name);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
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
    const char* const other = part.version != first.version       ? "version"
                              : part.command() != first.command() ? "command"
                              : part.options() != first.options() ? "options"
                              : part.queries != first.queries     ? "number of queries"
                              : part.symbols.has_value() != first.symbols.has_value() ? "alphabet"
                              : unmatchable.absent(part) != expected ||
                                      (!part.symbols && part.cannot_match != first.cannot_match)
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
  std::uint64_t hits = 0, reported = 0, most = 0;
  for (const PartSummary& part : parts) {
    hits += part.hits;
    reported += part.reported;
    most = std::max(most, part.with_hits);
  }
  const bool tells_queries = !is_by_place(kind);
  if (tells_queries && (figures.queries != first.queries || figures.with_hits < most))
    throw InputError(first.label() + ": the summaries are not of these results");
  const std::uint64_t expected = first.command() == "count" ? hits : reported;
  if (!has_hits(kind, figures.in_parts, expected, first.option("circular") != "[]"))
    throw InputError(fmt::format(
        "{}: the summaries tell {} hits, and the parts {}: a part is cut, or of another run",
        first.label(), expected, figures.in_parts));
}

WholeIndex whole_index(WholeIndex known, const std::vector<PartSummary>& parts) {
  std::vector<std::uint64_t> searched;
  for (const PartSummary& part : parts)
    if (part.index) searched.push_back(*part.index);
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
  std::uint64_t hits = 0, forward = 0, reverse = 0, reported = 0, records = 0;
  for (const PartSummary& part : parts) {
    hits += part.hits;
    forward += part.forward;
    reverse += part.reverse;
    reported += part.reported;
    records += part.records;
  }
  if (rules.max_hits != ~std::uint64_t{0}) reported = figures.reported;
  std::string options(first.options());
  const auto put = [&](std::string_view member, std::uint64_t number) {
    const std::size_t at = options.find(member);
    if (at != options.npos) options.replace(at + member.size() - 1, 1, std::to_string(number));
  };
  put("\"min_files\":0", rules.files.least);
  if (rules.files.most != unlimited) put("\"max_files\":0", rules.files.most);
  const Unmatchable unmatchable(parts);
  std::string symbols;
  if (first.symbols) {
    append_symbol_members(symbols, unmatchable.symbols(), unmatchable.absent(first));
  }
  std::string input;
  if (!index.shards.empty()) {
    input = ",\"index\":{\"file\":";
    if (index.file.empty()) {
      input += "null";
    } else {
      append_json_string(input, index.file);
    }
    input +=
        fmt::format(",\"checksum\":\"{:016x}\"}}{}", checksum_of_shards(index.shards), first.input);
  }
  return fmt::format(
      "{{\"version\":\"{}\",\"command\":\"{}\",\"queries\":{},\"queries_with_hits\":{},"
      "\"queries_that_cannot_match\":{},\"queries_truncated\":{},\"hits\":{},\"hits_fwd\":{},"
      "\"hits_rev\":{},\"hits_reported\":{},\"records\":{}{}{},\"options\":{{{}}}}}\n",
      first.version, first.command(), first.queries, figures.with_hits, unmatchable.queries(first),
      figures.truncated, hits, forward, reverse, reported, records, symbols, input, options);
}

}  // namespace gsx

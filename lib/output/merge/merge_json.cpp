// JSON lines of locate.
#include <algorithm>

#include "base/messages.hpp"
#include "output/lines/text_format.hpp"
#include "output/merge/kinds.hpp"

namespace gsx {
namespace {

constexpr std::string_view to_hits = ",\"hits\":[", tail = "]}";
constexpr std::string_view id_begin = "{\"query_id\":\"", to_length = "\",\"length\":";

/// What the line of a query begins with, in one part.
struct JsonStart {
  std::string query;  ///< its name and its length, as they are written

  std::string_view name() const { return between(id_begin.size(), query.rfind(to_length)); }
  std::string_view length() const {
    return between(query.rfind(to_length) + to_length.size(), query.size());
  }
  std::uint64_t total = 0;
  std::uint64_t reported = 0;
  bool truncated = false;

 private:
  std::string_view between(std::size_t begin, std::size_t end) const {
    return std::string_view(query).substr(begin, end - begin);
  }
};

[[noreturn]] void fail_on_start(const PartFile& part, const JsonStart& found,
                                const JsonStart& expected) {
  if (found.name() != expected.name()) fail_on_query(part, found.name(), expected.name());
  part.fail("the query '" + shown_name(found.name()) + "' has the length " +
            shown_name(found.length()) + ", and not " + shown_name(expected.length()));
}

JsonStart start_of(const PartFile& part) {
  constexpr std::string_view to_total = ",\"n_total\":", to_reported = ",\"n_reported\":",
                             to_truncated = ",\"truncated\":";
  const std::string_view line = part.line();
  // A quote in a name has a backslash before it, so none of these is in the name.
  const std::size_t total = line.rfind(to_total), reported = line.rfind(to_reported),
                    truncated = line.rfind(to_truncated);
  const bool whole =
      line.starts_with(id_begin) && total < reported && reported < truncated &&
      truncated != line.npos &&
      line.substr(id_begin.size(), total - id_begin.size()).find(to_length) != line.npos;
  if (!whole) part.fail("it is no JSON line of gsx locate");
  const auto between = [&](std::size_t begin, std::string_view name, std::size_t end) {
    return line.substr(begin + name.size(), end - begin - name.size());
  };
  const std::string_view word = between(truncated, to_truncated, line.size() - to_hits.size());
  if (word != "true" && word != "false") part.fail("'truncated' is neither true nor false");
  return {std::string(line.substr(0, total)), number_in(part, between(total, to_total, reported)),
          number_in(part, between(reported, to_reported, truncated)), word == "true"};
}

/// The objects of the hits, which are separated by commas.
std::vector<std::string_view> objects_of(const PartFile& part, std::string_view hits) {
  std::vector<std::string_view> objects;
  while (!hits.empty()) {
    std::size_t end = 0;
    bool in_name = false;
    for (; end < hits.size() && (in_name || hits[end] != '}'); ++end) {
      if (in_name && hits[end] == '\\') {
        ++end;
      } else if (hits[end] == '"') {
        in_name = !in_name;
      }
    }
    if (end >= hits.size() || hits[0] != '{') part.fail("it is no JSON line of gsx locate");
    objects.push_back(hits.substr(0, end + 1));
    hits.remove_prefix(end + 1);
    if (hits.starts_with(',')) hits.remove_prefix(1);
  }
  return objects;
}

SpareHit hit_of(const PartFile& part, std::string_view object) {
  constexpr std::string_view to_strand = ",\"strand\":\"", to_mismatches = "\",\"mismatches\":";
  const std::size_t strand = object.rfind(to_strand), mismatches = object.rfind(to_mismatches);
  if (strand == object.npos || mismatches != strand + to_strand.size() + 1)
    part.fail("it is no JSON line of gsx locate");
  const std::size_t begin = mismatches + to_mismatches.size();
  return {object[strand + to_strand.size()] == '-',
          number_in(part, object.substr(begin, object.size() - 1 - begin))};
}

class JsonMerge {
 public:
  JsonMerge(PartFiles& parts, const MergeRules& rules, Output& out)
      : parts_(parts), rules_(rules), out_(out), starts_(parts.size()) {}

  MergeFigures run() {
    while (next_query()) {
    }
    return figures_;
  }

 private:
  bool next_query() {
    PartFile& first = parts_.front();
    const bool more = first.take_through(to_hits);
    std::uint64_t total = 0, kept = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      PartFile& part = parts_[p];
      if (p != 0 && part.take_through(to_hits) != more) {
        const PartFile& shorter = more ? part : first;
        shorter.fail("it has fewer queries than '" + (more ? first : part).label() + "'");
      }
      if (!more) continue;
      const JsonStart& start = starts_[p] = start_of(part);
      if (start.query != starts_[0].query) fail_on_start(part, start, starts_[0]);
      require_max_hits(part, start.total, start.reported, start.truncated, rules_);
      add_to(total, start.total, part);
      add_to(kept, start.reported, part);
    }
    check_query(more);
    if (!more) return false;
    ++figures_.queries;
    figures_.with_hits += total != 0 ? 1 : 0;
    const std::uint64_t reported = std::min(total, rules_.max_hits);
    figures_.truncated += reported < total ? 1 : 0;
    figures_.reported += reported;
    figures_.in_parts += kept;
    std::string line = starts_[0].query + ",\"n_total\":";
    append_number(line, total);
    append_member(line, "n_reported", reported);
    line += std::string(",\"truncated\":") + (reported < total ? "true" : "false");
    line += to_hits;
    out_.write(line);
    kept > reported ? write_some(reported) : write_all();
    out_.write("]}\n");
    return true;
  }

  void check_query(bool more) {
    if (!rules_.next) return;
    MergedQuery query;
    if (rules_.next(query) != more)
      parts_.front().fail(more
                              ? "there are more queries than in the query files"
                              : "the queries from '" + shown_name(query.name) + "' on are missing");
    if (!more) return;
    std::string expected = "{\"query_id\":";
    append_json_string(expected, query.name);
    append_member(expected, "length", query.length);
    if (starts_[0].query != expected)
      fail_on_start(parts_.front(), starts_[0], {expected, 0, 0, false});
  }

  void write_all() {
    bool any = false;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::uint64_t bytes = 0;
      parts_[p].copy_rest(tail, [&](std::string_view some) {
        if (some.empty()) return;
        if (bytes == 0 && any) out_.write(",");
        bytes += some.size();
        out_.write(some);
      });
      if ((bytes != 0) != (starts_[p].reported != 0)) parts_[p].fail("hits are missing");
      any = any || bytes != 0;
    }
  }

  /// Writes as many hits as --max-hits keeps of all.
  void write_some(std::uint64_t most) {
    std::vector<std::string> objects;
    std::vector<SpareHit> hits;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::string all;
      parts_[p].copy_rest(tail, [&](std::string_view some) { all += some; });
      const auto own = objects_of(parts_[p], all);
      if (own.size() != starts_[p].reported) parts_[p].fail("the number of hits is not n_reported");
      for (const std::string_view object : own) {
        hits.push_back(hit_of(parts_[p], object));
        objects.emplace_back(object);
      }
    }
    KeptHits wanted = kept_of(hits, most, rules_);
    bool any = false;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (!wanted.take(hits[i].class_in(rules_))) continue;
      if (any) out_.write(",");
      out_.write(objects[i]);
      any = true;
    }
  }

  PartFiles& parts_;
  const MergeRules& rules_;
  Output& out_;
  std::vector<JsonStart> starts_;
  MergeFigures figures_;
};

}  // namespace

MergeFigures merge_json(PartFiles& parts, const MergeRules& rules, Output& out) {
  return JsonMerge(parts, rules, out).run();
}

}  // namespace gsx

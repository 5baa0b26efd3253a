// Lines that only queries with hits have: of locate, and of counts by record or file.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "output/lines/text_format.hpp"
#include "output/merge/kinds.hpp"

namespace gsx {
namespace {

constexpr std::string_view paf_total = "nh:i:";

/// The lines of one part, group by group: those of one query.
class GroupedPart {
 public:
  GroupedPart(PartKind kind, PartFile& part) : kind_(kind), part_(part) {
    if (has_header(kind)) {
      split_columns(part.line(), columns_);
      header_ = columns_.size();
      const bool hits = kind == PartKind::tsv;
      if (hits ? header_ != 9 && header_ != 10 : header_ != 5)
        part.fail("the header has " + std::to_string(header_) + " columns, and that of gsx " +
                  (hits ? "locate 9 or 10" : "count 5"));
    }
    read();
  }

  bool has_line() const { return !ended_; }
  const PartFile& file() const { return part_; }
  std::string_view line() const { return part_.line(); }
  const std::vector<std::string_view>& columns() const { return columns_; }
  std::string_view name() const { return columns_[kind_ == PartKind::bed ? 3 : 0]; }

  /// Whether the next line is of that query, as far as it tells. The symbols of a place are those
  /// of the query.
  bool is_of(const MergedQuery& query) const {
    if (ended_ || name() != query.column) return false;
    if (kind_ == PartKind::tsv) return number(3) - number(2) == query.length;
    return kind_ != PartKind::paf || number(1) == query.length;
  }

  /// All hits of the query, as the line has them, and those that the part has. What a format does
  /// not tell is 0.
  std::uint64_t total() const {
    if (kind_ == PartKind::tsv) return number(6);
    if (kind_ != PartKind::paf) return 0;
    return number_in(part_, columns_[total_column()].substr(paf_total.size()));
  }
  std::uint64_t reported() const { return kind_ == PartKind::tsv ? number(7) : 0; }
  bool truncated() const { return kind_ == PartKind::tsv && columns_[8] == "yes"; }
  std::size_t total_column() const { return 13; }
  /// That of the record, or of the file.
  std::size_t name_column() const {
    return kind_ == PartKind::bed ? 0 : kind_ == PartKind::paf ? 5 : 1;
  }
  std::uint64_t number(std::size_t column) const { return number_in(part_, columns_[column]); }

  /// Takes the next line.
  void read() {
    ended_ = !part_.next();
    if (ended_) return;
    split_columns(part_.line(), columns_);
    require_columns();
    part_.require_name(columns_[name_column()]);
    if (kind_ == PartKind::tsv && columns_[8] != "yes" && columns_[8] != "no")
      part_.fail("the column 'truncated' is neither yes nor no");
    if (kind_ == PartKind::paf && !columns_[total_column()].starts_with(paf_total))
      part_.fail("the tag nh is missing: it is not of gsx locate");
  }

  /// The query that the last group was taken for.
  std::optional<MergedQuery> last;

 private:
  void require_columns() const {
    const std::size_t found = columns_.size();
    if (header_ != 0 && found != header_) fail_on_columns(part_, found, header_);
    const bool bed = kind_ == PartKind::bed, paf = kind_ == PartKind::paf;
    if ((bed && found != 6) || (paf && found != 15 && found != 16))
      part_.fail("the line has " + std::to_string(found) + " columns, and " +
                 (bed ? "BED of gsx locate 6" : "PAF of gsx locate 15 or 16"));
  }

  PartKind kind_;
  PartFile& part_;
  std::vector<std::string_view> columns_;
  std::size_t header_ = 0;  ///< columns of the header line, if the kind has one
  bool ended_ = false;
};

class GroupMerge {
 public:
  GroupMerge(PartKind kind, PartFiles& files, const MergeRules& rules, Output& out)
      : kind_(kind), rules_(rules), out_(out) {
    parts_.reserve(files.size());
    for (PartFile& file : files)
      parts_.emplace_back(kind, file);
  }

  MergeFigures run() {
    MergedQuery query;
    while (rules_.next(query)) {
      ++figures_.queries;
      choose(query);
      if (!chosen_.empty()) write(query);
    }
    for (const GroupedPart& part : parts_) {
      if (!part.has_line()) continue;
      part.file().fail(
          "the query '" + shown_name(part.name()) +
          "' is not among the queries here, or comes earlier: give the queries of the "
          "parts, in the same order and with the same options; parts of --sort position "
          "are merged with --sort position");
    }
    return figures_;
  }

 private:
  /// The parts that have hits of the query. Lines that could as well be of a later query of the
  /// same name are refused: they were taken for the first one.
  void choose(const MergedQuery& query) {
    chosen_.clear();
    for (GroupedPart& part : parts_) {
      if (part.is_of(query)) {
        chosen_.push_back(&part);
      } else if (part.last && part.last->column == query.column &&
                 (!tells_length() || part.last->length == query.length)) {
        fail_on_twins(part.file(), query);
      }
    }
  }
  [[noreturn]] void fail_on_twins(const PartFile& part, const MergedQuery& query) const {
    const std::string cure = kind_ == PartKind::files     ? "make the parts with --matrix"
                             : kind_ == PartKind::records ? "give the queries names of their own"
                                                          : "make the parts with --jsonl";
    part.fail("two queries are named '" + shown_name(query.name) +
              "', and the lines before this one do not tell whose they are: " + cure +
              ", or use --tag-files if the queries are mates");
  }
  /// Whether a later query has the same name. Passes over queries.
  bool has_later_twin(const MergedQuery& query) const {
    MergedQuery later;
    while (rules_.next(later))
      if (later.column == query.column) return true;
    return false;
  }
  bool tells_length() const { return kind_ == PartKind::tsv || kind_ == PartKind::paf; }

  void write(const MergedQuery& query) {
    ++figures_.with_hits;
    for (GroupedPart* part : chosen_)
      part->last = query;
    switch (kind_) {
      case PartKind::tsv:
        return write_hits(query);
      case PartKind::paf:
        return write_paf(query);
      case PartKind::files:
        return write_files(query);
      default:
        return write_as_they_are(query);
    }
  }

  void write_line(std::string_view line) {
    out_.write(line);
    out_.write("\n");
  }

  void write_as_they_are(const MergedQuery& query) {
    for (GroupedPart* part : chosen_) {
      for (; part->is_of(query); part->read()) {
        ++figures_.reported;
        figures_.in_parts += kind_ == PartKind::records ? part->number(2) : 1;
        write_line(part->line());
      }
    }
  }

  void write_hits(const MergedQuery& query) {
    std::uint64_t total = 0, kept = 0;
    for (const GroupedPart* part : chosen_) {
      if (part->reported() == 0) part->file().fail("a hit is not among those reported");
      require_max_hits(part->file(), part->total(), part->reported(), part->truncated(), rules_);
      add_to(total, part->total(), part->file());
      add_to(kept, part->reported(), part->file());
    }
    const std::uint64_t reported = std::min(total, rules_.max_hits);
    figures_.reported += reported;
    figures_.in_parts += kept;
    figures_.truncated += reported < total ? 1 : 0;
    tail_.clear();
    append_column(tail_, total);
    append_column(tail_, reported);
    tail_ += reported < total ? "\tyes" : "\tno";
    lines_.clear();
    hits_.clear();
    for (GroupedPart* part : chosen_)
      take_hits(query, *part, kept > reported);
    if (kept <= reported) return;
    KeptHits wanted = kept_of(hits_, reported, rules_);
    for (std::size_t i = 0; i < hits_.size(); ++i)
      if (wanted.take(hits_[i].class_in(rules_))) out_.write(lines_[i]);
  }

  /// Takes the hits that a part has of the query; writes them, or holds them.
  void take_hits(const MergedQuery& query, GroupedPart& part, bool hold) {
    const std::uint64_t total = part.total(), reported = part.reported();
    for (std::uint64_t i = 0; i < reported; ++i, part.read()) {
      if (!part.is_of(query) || part.total() != total || part.reported() != reported)
        part.file().fail("hits of the query '" + shown_name(query.name) + "' are missing before");
      const auto& columns = part.columns();
      const std::string_view line = part.line();
      const auto end =
          static_cast<std::size_t>(columns[5].data() + columns[5].size() - line.data());
      made_.assign(line.substr(0, end));
      made_ += tail_;
      if (columns.size() == 10) made_.append("\t").append(columns[9]);
      made_ += '\n';
      if (!hold) {
        out_.write(made_);
        continue;
      }
      lines_.push_back(made_);
      hits_.push_back({columns[4] == "-", part.number(5)});
    }
  }

  void write_paf(const MergedQuery& query) {
    std::uint64_t total = 0;
    for (const GroupedPart* part : chosen_)
      add_to(total, part->total(), part->file());
    figures_.reported += total;
    figures_.in_parts += total;
    for (GroupedPart* part : chosen_) {
      const std::uint64_t own = part->total();
      std::uint64_t hits = 0, symbols = 0;
      for (; hits < own && part->is_of(query) && part->total() == own; part->read()) {
        // A hit across the origin of a circular record has several lines, each of a part of it.
        if (part->number(2) >= part->number(3)) part->file().fail("it ends before it begins");
        symbols += part->number(3) - part->number(2);
        if (symbols > query.length) part->file().fail("it is not of the hit of the line before");
        if (symbols == query.length) {
          ++hits;
          symbols = 0;
        }
        write_paf_line(*part, total);
      }
      if (hits == own) continue;
      fail_on_missing(part->file(), query, own, hits);
    }
  }
  [[noreturn]] void fail_on_missing(const PartFile& part, const MergedQuery& query,
                                    std::uint64_t total, std::uint64_t found) const {
    const std::string what = "the query '" + shown_name(query.name) + "' has " +
                             std::to_string(total) + " hits, and lines of " +
                             std::to_string(found) + ": ";
    if (rules_.has_all_hits) part.fail(what + "hits are missing before");
    throw UsageError(part.label() + ": " + what +
                     "parts that were made with --max-hits are merged from TSV or JSON lines; if "
                     "they were made without, hits are missing");
  }

  void write_paf_line(const GroupedPart& part, std::uint64_t total) {
    const std::string_view line = part.line(), cell = part.columns()[part.total_column()];
    const auto begin = static_cast<std::size_t>(cell.data() - line.data());
    made_.assign(line.substr(0, begin));
    made_ += paf_total;
    append_number(made_, total);
    made_ += line.substr(begin + cell.size());
    write_line(made_);
  }

  /// A file may be spread over several shards, which follow one another. Throws InputError if a
  /// file comes again elsewhere: then the lines are those of two queries of one name, or the parts
  /// are not in order.
  void write_files(const MergedQuery& query) {
    struct FileCount {
      std::string file;
      std::uint64_t counts[3];
    };
    std::vector<FileCount> counts;
    std::unordered_set<std::string> files;
    for (GroupedPart* part : chosen_) {
      for (bool first = true; part->is_of(query); part->read(), first = false) {
        const std::string file(part->columns()[1]);
        const bool goes_on = first && !counts.empty() && counts.back().file == file;
        if (!goes_on) {
          counts.push_back({file, {}});
          const bool is_new = files.insert(file).second;
          if (!is_new && has_later_twin(query)) fail_on_twins(part->file(), query);
          if (!is_new) fail_on_order(part->file(), file);
        }
        figures_.in_parts += part->number(2);
        for (std::size_t c = 0; c < 3; ++c)
          add_to(counts.back().counts[c], part->number(c + 2), part->file());
      }
    }
    if (!rules_.files.has(counts.size())) return;
    for (const FileCount& one : counts) {
      made_.assign(query.column);
      made_.append("\t").append(one.file);
      for (const std::uint64_t count : one.counts)
        append_column(made_, count);
      write_line(made_);
    }
  }

  PartKind kind_;
  const MergeRules& rules_;
  Output& out_;
  std::vector<GroupedPart> parts_;
  std::vector<GroupedPart*> chosen_;  ///< parts with hits of the query
  MergeFigures figures_;
  std::string tail_;
  std::string made_;
  std::vector<std::string> lines_;  ///< those of a query, where some are left out
  std::vector<SpareHit> hits_;
};

}  // namespace

MergeFigures merge_groups(PartKind kind, PartFiles& parts, const MergeRules& rules, bool header,
                          Output& out) {
  for (const PartFile& part : parts) {
    if (has_header(kind) && part.line() != parts.front().line())
      part.fail("the columns are not those of '" + parts.front().label() + "'");
  }
  if (header && has_header(kind)) {
    out.write(parts.front().line());
    out.write("\n");
  }
  return GroupMerge(kind, parts, rules, out).run();
}

}  // namespace gsx

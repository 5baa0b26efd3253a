// Tables of counts with a line per query.
#include <algorithm>
#include <unordered_set>

#include "base/messages.hpp"
#include "output/lines/text_format.hpp"
#include "output/merge/kinds.hpp"

namespace gsx {
namespace {

/// Where the columns of each part go in the merged table.
class TableColumns {
 public:
  TableColumns(PartKind kind, PartFiles& parts) : keys_(kind == PartKind::counts ? 2 : 1) {
    std::vector<std::string_view> names;
    for (PartFile& part : parts) {
      split_columns(part.line(), names);
      if (kind == PartKind::counts) {
        if (names.size() <= keys_) part.fail("the header has too few columns");
        if (&part == &parts.front()) take(names);
        if (part.line() != parts.front().line())
          part.fail("the columns are not those of '" + parts.front().label() + "'");
        begins_.push_back(keys_);
      } else {
        add_files(part, names);
      }
    }
  }

  std::size_t keys() const { return keys_; }
  std::size_t size() const { return names_.size(); }
  /// The column of the merged table that the first number of a part goes to.
  std::size_t begin(std::size_t part) const { return begins_[part]; }
  std::size_t end(std::size_t part) const { return ends_.empty() ? size() : ends_[part]; }
  std::string header() const {
    std::string line;
    for (const std::string& name : names_)
      line += (line.empty() ? "" : "\t") + name;
    return line + '\n';
  }

 private:
  void take(const std::vector<std::string_view>& names) {
    names_.assign(names.begin(), names.end());
  }

  /// A file may be spread over several shards, which follow one another.
  void add_files(PartFile& part, const std::vector<std::string_view>& names) {
    for (std::size_t i = 1; i < names.size(); ++i)
      part.require_name(names[i]);
    if (names_.empty()) names_.emplace_back(names[0]);
    const bool goes_on = names_.size() > 1 && names.size() > 1 && names_.back() == names[1];
    begins_.push_back(names_.size() - (goes_on ? 1 : 0));
    for (std::size_t i = goes_on ? 2 : 1; i < names.size(); ++i) {
      names_.emplace_back(names[i]);
      if (!files_.insert(names_.back()).second) fail_on_order(part, names[i]);
    }
    ends_.push_back(names_.size());
  }

  std::size_t keys_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> files_;  ///< those of names_
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> ends_;
};

class RowMerge {
 public:
  RowMerge(PartKind kind, PartFiles& parts, const MergeRules& rules, Output& out)
      : kind_(kind), parts_(parts), rules_(rules), columns_(kind, parts), out_(out) {}

  MergeFigures run(bool header) {
    if (header) out_.write(columns_.header());
    while (next_row()) {
    }
    return figures_;
  }

 private:
  bool next_row() {
    PartFile& first = parts_.front();
    const bool more = first.next();
    numbers_.assign(columns_.size(), 0);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      PartFile& part = parts_[p];
      if (p != 0 && part.next() != more) {
        const PartFile& shorter = more ? part : first;
        shorter.fail("it has fewer queries than '" + (more ? first : part).label() + "'");
      }
      if (more) add(p);
    }
    MergedQuery query;
    const bool queried = rules_.next && rules_.next(query);
    if (rules_.next && queried != more)
      first.fail(more ? "there are more queries than in the query files"
                      : "the queries from '" + shown_name(query.name) + "' on are missing");
    if (!more) return false;
    if (queried && query.column != key_.substr(0, key_.find('\t')))
      fail_on_query(first, key_.substr(0, key_.find('\t')), query.column);
    write();
    return true;
  }

  void add(std::size_t p) {
    const PartFile& part = parts_[p];
    split_columns(part.line(), cells_);
    const std::size_t begin = columns_.begin(p), end = columns_.end(p);
    if (cells_.size() != columns_.keys() + end - begin)
      fail_on_columns(part, cells_.size(), columns_.keys() + end - begin);
    const std::string_view last = cells_[columns_.keys() - 1];
    const std::string_view key(
        cells_[0].data(), static_cast<std::size_t>(last.data() + last.size() - cells_[0].data()));
    if (p == 0) key_ = key;
    if (key != key_) fail_on_query(part, key, key_);
    for (std::size_t c = begin; c < end; ++c) {
      const std::uint64_t value = number_in(part, cells_[columns_.keys() + c - begin]);
      if (kind_ != PartKind::presence) {
        add_to(numbers_[c], value, part);
        continue;
      }
      if (value > 1) part.fail("it has counts, and not only 0 and 1: it is of --matrix");
      numbers_[c] = std::max(numbers_[c], value);
    }
  }

  void write() {
    ++figures_.queries;
    count_hits();
    const auto held = static_cast<std::uint64_t>(
        std::count_if(numbers_.begin() + static_cast<std::ptrdiff_t>(columns_.keys()),
                      numbers_.end(), [](std::uint64_t number) { return number != 0; }));
    if (held != 0) ++figures_.with_hits;
    if (kind_ != PartKind::counts && !rules_.files.has(held)) return;
    std::string line = key_;
    for (std::size_t c = columns_.keys(); c < columns_.size(); ++c)
      append_column(line, numbers_[c]);
    line += '\n';
    out_.write(line);
  }

  /// The first number of counts is that of all hits; files share the hits.
  void count_hits() {
    const std::size_t end = kind_ == PartKind::counts ? columns_.keys() + 1 : columns_.size();
    for (std::size_t c = columns_.keys(); c < end; ++c)
      figures_.in_parts += numbers_[c];
  }

  PartKind kind_;
  PartFiles& parts_;
  const MergeRules& rules_;
  TableColumns columns_;
  Output& out_;
  std::string key_;  ///< the columns before the numbers
  std::vector<std::uint64_t> numbers_;
  std::vector<std::string_view> cells_;
  MergeFigures figures_;
};

}  // namespace

MergeFigures merge_rows(PartKind kind, PartFiles& parts, const MergeRules& rules, bool header,
                        Output& out) {
  return RowMerge(kind, parts, rules, out).run(header);
}

}  // namespace gsx

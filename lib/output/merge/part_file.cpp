#include "output/merge/part_file.hpp"

#include <algorithm>
#include <charconv>

#include "base/messages.hpp"
#include "output/lines/text_format.hpp"
#include "records/sequence_file.hpp"

namespace gsx {

void ShardNames::add(std::string_view name) {
  std::string column, in_bed;
  append_name(column, name);
  append_bed_target(in_bed, name);
  if (in_bed != column) ++left_[std::move(in_bed)];
  ++left_[std::move(column)];
}

bool ShardNames::has(std::string_view column) {
  if (!last_.empty() && column == last_) return true;
  if (!left_.contains(column)) return false;
  last_ = column;
  return true;
}

bool ShardNames::take(std::string_view column) {
  std::uint64_t& left = left_.find(column)->second;
  if (left == 0) return false;
  --left;
  return true;
}

std::string_view PartFile::peek() {
  try {
    return source_.bytes->peek();
  } catch (const SourceError& error) {
    fail(error.what());
  }
}

bool PartFile::next() {
  line_.clear();
  for (bool any = false;; any = true) {
    const std::string_view ahead = peek();
    if (ahead.empty()) {
      if (any) fail_cut();
      return false;
    }
    if (!any) ++number_;
    const std::size_t end = ahead.find('\n');
    line_ += ahead.substr(0, end);
    if (line_.size() > longest_line) fail("the line is too long");
    source_.bytes->skip(std::min(end, ahead.size() - 1) + 1);
    if (end != std::string_view::npos) return true;
  }
}

bool PartFile::take_through(std::string_view token) {
  line_.clear();
  if (peek().empty()) return false;
  ++number_;
  for (;;) {
    const std::string_view ahead = peek();
    if (ahead.empty()) fail_cut();
    const std::size_t before = line_.size();
    line_ += ahead.substr(0, ahead.find('\n'));
    const std::size_t from = before - std::min(before, token.size() - 1);
    const std::size_t at = std::string_view(line_).find(token, from);
    if (at != std::string_view::npos) {
      line_.resize(at + token.size());
      source_.bytes->skip(line_.size() - before);
      return true;
    }
    if (line_.size() - before < ahead.size()) fail("it is no line of these results");
    if (line_.size() > longest_line) fail("the line is too long");
    source_.bytes->skip(ahead.size());
  }
}

void PartFile::copy_rest(std::string_view tail,
                         const std::function<void(std::string_view)>& write) {
  std::string held;  // the last bytes, which may be those of `tail`
  for (;;) {
    const std::string_view ahead = peek();
    if (ahead.empty()) fail_cut();
    const std::size_t end = ahead.find('\n');
    held += ahead.substr(0, end);
    source_.bytes->skip(std::min(end, ahead.size() - 1) + 1);
    if (end != std::string_view::npos) break;
    const std::size_t sure = held.size() - std::min(held.size(), tail.size());
    write(std::string_view(held).substr(0, sure));
    held.erase(0, sure);
  }
  if (!held.ends_with(tail)) fail("it is no line of these results");
  write(std::string_view(held).substr(0, held.size() - tail.size()));
}

void PartFile::require_next_record(std::string_view column) {
  require_name(column);
  if (!names_ || names_->take(column)) return;
  fail("lines of '" + shown_name(column) +
       "' come again, and the shard has no more records of this name: the part is not in the order "
       "of places");
}

void PartFile::fail(const std::string& what) const {
  throw input_error(label(), 0, {}, number_, what);
}

void PartFile::fail_cut() const {
  fail("the file ends within a line: it is not whole; make it again");
}

void PartFile::fail_on_name(std::string_view column) const {
  fail("the " + std::string(names_->what()) + " '" + shown_name(column) +
       "' is not in the shard '" + names_->shard() +
       "': name a part for each shard, in the order of the manifest");
}

void add_to(std::uint64_t& sum, std::uint64_t more, const PartFile& part) {
  if (more > ~std::uint64_t{0} - sum) part.fail("the numbers are too large");
  sum += more;
}

void split_columns(std::string_view line, std::vector<std::string_view>& columns) {
  columns.clear();
  for (;;) {
    const std::size_t tab = line.find('\t');
    columns.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return;
    line.remove_prefix(tab + 1);
  }
}

std::uint64_t number_in(const PartFile& part, std::string_view column) {
  std::uint64_t value = 0;
  const char* const last = column.data() + column.size();
  const auto [end, error] = std::from_chars(column.data(), last, value);
  const bool plain = column.size() == 1 || !column.starts_with('0');
  if (error != std::errc() || end != last || !plain)
    part.fail("'" + shown_name(column) + "' is not a number");
  return value;
}

}  // namespace gsx

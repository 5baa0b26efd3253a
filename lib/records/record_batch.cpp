#include "records/record_batch.hpp"

#include <algorithm>
#include <utility>

namespace gsx {
namespace {

void remove_last(std::string& all, std::vector<std::uint64_t>& ends) {
  ends.pop_back();
  all.resize(ends.empty() ? 0 : ends.back());
}

}  // namespace

void RecordBatch::clear() {
  symbols.clear();
  names.clear();
  comments.clear();
  qualities.clear();
  symbol_ends.clear();
  name_ends.clear();
  comment_ends.clear();
  number = 0;
  file = 0;
  first_record = 0;
  continues = left_open = false;
  first_in_source = 1;
  lines.clear();
  bytes.clear();
  bases.clear();
  dropped = 0;
}

void RecordBatch::begin_record(std::string_view name, std::string_view comment) {
  names.append(name);
  comments.append(comment);
  name_ends.push_back(names.size());
  comment_ends.push_back(comments.size());
  symbol_ends.push_back(dropped + symbols.size());
}

void RecordBatch::end_names(std::string_view ending) {
  std::string ended;
  ended.reserve(names.size() + size() * ending.size());
  for (std::size_t i = 0; i < size(); ++i)
    ended.append(name(i)).append(ending);
  for (std::size_t i = 0; i < size(); ++i)
    name_ends[i] += (i + 1) * ending.size();
  names = std::move(ended);
}

void RecordBatch::append(std::string_view more) {
  symbols.append(more);
  end_symbols();
}

void RecordBatch::continue_record() {
  continues = true;
  begin_record("", "");
}

void RecordBatch::move_from(std::size_t first, RecordBatch& other) {
  other.clear();
  other.number = number;
  other.file = file;
  other.format = format;
  other.first_record = first_record + first;
  other.source = source;
  other.first_in_source = first_in_source + first;
  for (std::size_t i = first; i < size(); ++i) {
    other.begin_record(name(i), comment(i));
    other.append(sequence(i));
  }
  const auto end_of = [first](const std::vector<std::uint64_t>& ends) {
    return first == 0 ? 0 : ends[first - 1];
  };
  other.lines = lines;
  other.lines.drop_before(end_of(symbol_ends));
  symbols.resize(end_of(symbol_ends));
  names.resize(end_of(name_ends));
  comments.resize(end_of(comment_ends));
  for (std::vector<std::uint64_t>* ends : {&symbol_ends, &name_ends, &comment_ends})
    ends->resize(first);
}

void RecordBatch::drop_last() {
  RecordBatch last;
  move_last_to(last);
}

void RecordBatch::pack_bases(CpuPath path) {
  bases.take(symbols, dropped, path);
  if (size() < 2) return;
  // Whole groups: what shares one with the last record may have to be packed again.
  const std::uint64_t group = PackedBases::group;
  const std::uint64_t gone = std::min(symbol_ends[size() - 2] / group * group, bases.packed());
  symbols.erase(0, gone - dropped);
  dropped = gone;
}

void RecordBatch::move_last_to(RecordBatch& other) {
  other.clear();
  if (size() == 0) return bytes.move_from(0, other.bytes);  // a part of a header
  if (size() == 1) {
    std::swap(*this, other);
    return;
  }
  const std::size_t last = size() - 1;
  bytes.move_from(last, other.bytes);
  const std::size_t before = symbol_ends[last - 1];  // symbols, and so qualities, of the others
  if (!qualities.empty()) {
    other.qualities = qualities.substr(before);
    qualities.resize(before);
  }
  other.begin_record(name(last), comment(last));
  other.append(sequence(last));
  symbol_ends.pop_back();
  symbols.resize(before - dropped);
  bases.shorten(before);
  remove_last(names, name_ends);
  remove_last(comments, comment_ends);
}

}  // namespace gsx

#include "records/four_lines.hpp"

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "records/byte_runs.hpp"

namespace gsx {
namespace {

/// The lines of a record, without marks and line ends.
struct FourLines {
  std::string_view header;
  std::size_t name_length = 0;  ///< of the name that the header begins with
  std::string_view symbols;
  std::string_view qualities;
};

/// Kinds of lines: what may be in them. go_on() gives the bytes before the first that may not, up
/// to one step.
template <class Runs>
struct HeaderLine {
  static std::size_t go_on(const char* at) { return Runs::header(at); }
  static bool all(const char* at, std::size_t length) {
    for (; length > Runs::width; at += Runs::width, length -= Runs::width)
      if (go_on(at) != Runs::width) return false;
    return go_on(at - (Runs::width - length)) == Runs::width;
  }
};
template <class Runs>
struct SymbolLine {
  static std::size_t go_on(const char* at) { return Runs::symbols(at); }
  static bool all(const char* at, std::size_t length) { return Runs::all_symbols(at, length); }
};
template <class Runs>
struct QualityLine {
  static std::size_t go_on(const char* at) { return Runs::qualities(at); }
  static bool all(const char* at, std::size_t length) { return Runs::all_qualities(at, length); }
};

/// Reads lines one after the other. Near the end of the block, where fewer bytes are left than one
/// step reads, it finds none.
template <class Runs>
class LineCursor {
 public:
  explicit LineCursor(std::string_view block)
      : at_(block.data()), end_(block.data() + block.size()) {}

  const char* at() const { return at_; }

  /// Takes the byte `mark`; false if another is here.
  bool take_mark(char mark) {
    if (at_ == end_ || *at_ != mark) return false;
    ++at_;
    return true;
  }

  /// Takes a line of a kind, which is as long as `line` was or not; false if there is none.
  template <class Kind>
  bool take(std::string_view& line) {
    return take_length<Kind>(line.size(), line) || search<Kind>(line);
  }

  /// Takes a line of so many bytes. Where the next line begins follows from the length: the CPU
  /// need not wait for the comparisons.
  template <class Kind>
  bool take_length(std::size_t length, std::string_view& line) {
    const auto left = static_cast<std::size_t>(end_ - at_);
    if (left < length + 2 || left < Runs::width) return false;
    const std::size_t cr = at_[length] == '\r' ? 1 : 0;
    if (at_[length + cr] != '\n') return false;
    const bool all = length >= Runs::width ? Kind::all(at_, length) : Kind::go_on(at_) >= length;
    if (!all) return false;
    line = {at_, length};
    at_ += length + cr + 1;
    return true;
  }

 private:
  template <class Kind>
  bool search(std::string_view& line) {
    for (const char* to = at_; static_cast<std::size_t>(end_ - to) >= Runs::width;
         to += Runs::width) {
      const std::size_t length = Kind::go_on(to);
      if (length == Runs::width) continue;
      to += length;
      line = {at_, static_cast<std::size_t>(to - at_)};
      if (*to == '\r' && end_ - to > 1) ++to;
      at_ = to + 1;
      return *to == '\n';
    }
    return false;
  }

  const char* at_;
  const char* end_;
};

/// Length of the name that the header begins with.
template <class Runs>
std::size_t name_length(std::string_view header) {
  for (std::size_t at = 0; at < header.size(); at += Runs::width) {
    const std::size_t length = Runs::name(header.data() + at);
    if (length != Runs::width) return at + length;
  }
  return header.size();
}

/// Whether the texts are equal, without a call: most '+' lines repeat a short header.
inline bool are_equal(std::string_view a, std::string_view b) {
  constexpr std::size_t width = sizeof(std::uint64_t);
  if (a.size() != b.size()) return false;
  if (a.size() < width) return a == b;
  const auto differ = [&](std::size_t at) {
    std::uint64_t x, y;
    std::memcpy(&x, a.data() + at, width);
    std::memcpy(&y, b.data() + at, width);
    return x ^ y;
  };
  std::uint64_t differences = differ(a.size() - width);
  for (std::size_t at = 0; at + width <= a.size(); at += width)
    differences |= differ(at);
  return differences == 0;
}

/// Reads a record at the cursor; false if there is none of four clean lines. `record` holds the one
/// before, whose lines are often as long.
template <class Runs>
bool read_record(LineCursor<Runs>& cursor, FourLines& record) {
  if (!cursor.take_mark('@')) return false;
  if (!cursor.template take<HeaderLine<Runs>>(record.header)) return false;
  if (!cursor.template take<SymbolLine<Runs>>(record.symbols) || record.symbols.empty())
    return false;
  if (record.symbols.front() == '+' || record.symbols.front() == '@') return false;
  std::string_view after_plus;
  if (!cursor.take_mark('+') || !cursor.template take<HeaderLine<Runs>>(after_plus)) return false;
  record.name_length = name_length<Runs>(record.header);
  if (record.name_length == 0 && !record.header.empty()) return false;
  const bool repeats = after_plus.empty() || are_equal(after_plus, record.header) ||
                       after_plus == record.header.substr(0, record.name_length);
  if (!repeats) return false;
  return cursor.template take_length<QualityLine<Runs>>(record.symbols.size(), record.qualities);
}

/// Records that are appended together: as many as fit in the fastest cache.
constexpr std::size_t most_together = 32;
constexpr std::size_t most_symbols_together = 8192;

/// Appends get(record), which comes before the qualities, for every record to `all`, which lacks
/// the first `missing` bytes. Copies whole steps: what a step writes too much, the next one writes
/// over, and what it reads too much is in the lines that follow.
template <class Runs, class Get>
void append_texts(std::string& all, std::vector<std::uint64_t>& ends,
                  std::span<const FourLines> records, const Get& get, std::uint64_t missing = 0) {
  std::size_t more = 0;
  for (const FourLines& record : records)
    more += get(record).size();
  const std::size_t before = all.size();
  if (more != 0) all.resize(before + more + Runs::width);
  ends.resize(ends.size() + records.size());
  std::uint64_t* end_of = ends.data() + (ends.size() - records.size());
  std::size_t end = before;
  char* const to = all.data();
  for (const FourLines& record : records) {
    const std::string_view text = get(record);
    for (std::size_t at = 0; at < text.size(); at += Runs::width)
      Runs::copy(text.data() + at, to + end + at);
    end += text.size();
    *end_of++ = missing + end;
  }
  if (more != 0) all.resize(end);
}

/// Appends records, the first of which begins with line number `line`.
template <class Runs>
void append_records(std::span<const FourLines> records, std::uint64_t line, RecordBatch& batch) {
  const auto name = [](const FourLines& record) {
    return record.header.substr(0, record.name_length);
  };
  const auto comment = [](const FourLines& record) {
    return comment_in(record.header.substr(record.name_length));
  };
  const auto symbols = [](const FourLines& record) { return record.symbols; };
  std::uint64_t symbol = batch.symbol_count();
  for (const FourLines& record : records) {
    batch.lines.begin_line(symbol, line + 1);
    batch.bytes.begin_record(record.header.data() - 1);
    symbol += record.symbols.size();
    line += 4;
  }
  append_texts<Runs>(batch.names, batch.name_ends, records, name);
  append_texts<Runs>(batch.comments, batch.comment_ends, records, comment);
  append_texts<Runs>(batch.symbols, batch.symbol_ends, records, symbols, batch.dropped);
  if (!batch.keeps_qualities) return;
  for (const FourLines& record : records)  // a whole step could read past the end of the block
    batch.qualities.append(record.qualities);
}

template <class Runs>
std::uint64_t take_records(std::string_view& block, std::uint64_t line, RecordBatch& batch) {
  LineCursor<Runs> cursor(block);
  const char* taken = block.data();
  std::uint64_t records = 0;
  FourLines together[most_together];
  FourLines record;
  for (bool more = true; more;) {
    std::size_t count = 0;
    std::size_t symbols = 0;
    while (count != most_together && symbols < most_symbols_together) {
      more = read_record(cursor, record);
      if (!more) break;
      together[count++] = record;
      symbols += record.symbols.size();
      taken = cursor.at();
    }
    append_records<Runs>(std::span(together, count), line + 4 * records, batch);
    records += count;
  }
  block.remove_prefix(static_cast<std::size_t>(taken - block.data()));
  return records;
}

#ifdef __x86_64__
GSX_TARGET_AVX2 std::uint64_t take_records_avx2(std::string_view& block, std::uint64_t line,
                                                RecordBatch& batch) {
  return take_records<Avx2Runs>(block, line, batch);
}
#endif

}  // namespace

std::uint64_t take_four_line_records(std::string_view& block, std::uint64_t line,
                                     RecordBatch& batch, CpuPath path) {
#ifdef __x86_64__
  if (path == CpuPath::avx2) return take_records_avx2(block, line, batch);
#endif
  static_cast<void>(path);
  return take_records<BaselineRuns>(block, line, batch);
}

}  // namespace gsx

#include "query/pattern_list.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "seq/known_files.hpp"
#include "seq/sequence_file.hpp"
#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

constexpr std::string_view blanks = " \t";
/// As much of a file as tells its format.
constexpr std::size_t start_bytes = 512;

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool is_symbol(char c) {
  return all_symbols({&c, 1});
}

}  // namespace

PatternListReader::PatternListReader(std::vector<std::string> paths, std::uint64_t batch_bytes,
                                     std::uint64_t line_bytes, const BatchSize* size)
    : paths_(std::move(paths)), batch_bytes_(batch_bytes), size_(size), line_bytes_(line_bytes) {}

bool PatternListReader::next(RecordBatch& batch) {
  batch.clear();
  if (size_ != nullptr) batch_bytes_ = size_->bytes();
  for (std::uint64_t bytes = 0; batch.size() == 0 || bytes < batch_bytes_;) {
    if (!source_ && !open_next()) break;
    try {
      if (read_lines(batch, bytes)) {
        if (batch.size() != 0 && source_->pauses()) break;  // the writer may wait for results
        continue;
      }
    } catch (const SourceError& error) {
      fail(error.what());
    }
    if (patterns_ == 0) empty_files_.push_back(label_);
    bytes_of_ended_ += source_->position();
    source_.reset();
  }
  return batch.size() != 0;
}

bool PatternListReader::open_next() {
  if (opened_ == paths_.size()) return false;
  const std::string& path = path_ = paths_[opened_++];
  label_ = path == "-" ? "standard input" : printable(path);
  line_ = 0;
  patterns_ = 0;
  start_.clear();
  try {
    source_ = std::make_unique<ByteSource>(path, 0, std::function<void()>(),
                                           Decoding{.allow_no_eof = true});
  } catch (const OpenFilesError& error) {
    throw ResourceError(label_ + ": cannot open it: " + error.what());
  } catch (const SourceError& error) {
    throw input_error(label_, 0, {}, 0, "cannot read it: " + std::string(error.what()));
  }
  return true;
}

/// Keeps part of a line whose end has not been read yet. It may have none: in what is no text.
void PatternListReader::keep_part(std::string_view part) {
  partial_ += part;
  if (!partial_.starts_with('#') && part.find('\0') != part.npos) {
    ++line_;
    fail_on_byte('\0');
  }
  if (partial_.size() <= line_bytes_) return;
  const std::string_view line = partial_;
  throw LongQueryError(line.substr(0, line.find('\t')), line_bytes_);
}

/// Takes the lines that have been read; false at the end of the file.
bool PatternListReader::read_lines(RecordBatch& batch, std::uint64_t& bytes) {
  const std::string_view text = source_->peek();
  bytes_read_.store(bytes_of_ended_ + source_->position(), std::memory_order_relaxed);
  if (line_ == 0 && start_.empty()) {
    start_ = text.substr(0, start_bytes);
    // Lines of these may be patterns; the first bytes of other formats may begin one.
    if (kind_of_start(start_) != FileKind::plain) refuse_other_format();
  }
  if (text.empty()) {
    if (!partial_.empty()) add_line(std::exchange(partial_, {}), batch);
    return false;
  }
  std::size_t at = 0;
  while (batch.size() == 0 || bytes + at < batch_bytes_) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {
      keep_part(text.substr(at));
      at = text.size();
      break;
    }
    if (partial_.empty()) {
      add_line(text.substr(at, end - at), batch);
    } else {
      keep_part(text.substr(at, end - at));
      add_line(std::exchange(partial_, {}), batch);
    }
    at = end + 1;
  }
  source_->skip(at);
  bytes += at;
  return true;
}

void PatternListReader::add_line(std::string_view line, RecordBatch& batch) {
  ++line_;
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"}) {
    if (line_ == 1 && line.starts_with(mark)) {
      fail("it begins with a byte-order mark: save it as plain text");
    }
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with('#') || without_blanks(line).empty()) return;
  if (patterns_ == 0 && (line[0] == '>' || line[0] == '@')) {
    fail_on_pattern(
        std::string("it begins with '") + line[0] + "' as " + (line[0] == '>' ? "FASTA" : "FASTQ") +
        " does; give FASTA or FASTQ without -f, and name such a pattern: NAME<tab>SEQUENCE");
  }
  const std::size_t tab = line.find('\t');
  const bool named = tab != std::string_view::npos && !without_blanks(line.substr(0, tab)).empty();
  const std::string_view sequence = checked_sequence(named ? line.substr(tab + 1) : line);
  batch.begin_record(named ? line.substr(0, tab) : sequence, "");
  batch.append(sequence);
  ++patterns_;
}

/// What the file is, if it is in a format that is known.
std::string PatternListReader::format_of_start() const {
  const char* const packing = source_ ? source_->packing() : nullptr;
  const auto reads = [](const char* name) { return name + std::string("; give it without -f"); };
  switch (kind_of_start(start_)) {
    case FileKind::two_bit:
      return reads("2bit");
    case FileKind::sam:
      return reads("SAM");
    case FileKind::bam:
      return reads("BAM");
    case FileKind::cram:
      if (packing == nullptr) return reads("CRAM");
      [[fallthrough]];
    default:
      return with_file_named(known_format(start_, packing), path_);
  }
}

std::string_view PatternListReader::checked_sequence(std::string_view field) const {
  const std::string_view sequence = without_blanks(field);
  if (sequence.empty()) fail_on_pattern("there is no sequence after the tab");
  if (all_symbols(sequence)) return sequence;
  const char wrong = *std::find_if_not(sequence.begin(), sequence.end(), is_symbol);
  if (blanks.find(wrong) != std::string_view::npos) {
    fail_on_pattern(
        "there is a blank inside the sequence; a line is SEQUENCE or NAME<tab>SEQUENCE");
  }
  if (wrong == '>') fail_on_pattern("'>' is not a sequence symbol; give FASTA without -f");
  fail_on_byte(wrong);
}

void PatternListReader::fail_on_byte(char byte) const {
  char hex[8];
  std::snprintf(hex, sizeof hex, "0x%02X", static_cast<unsigned char>(byte));
  fail_on_pattern(std::string("the byte ") + hex +
                  " is not a sequence symbol; -f takes plain text");
}

/// Throws InputError if the file is in another format that is known.
void PatternListReader::refuse_other_format() const {
  if (const std::string format = format_of_start(); !format.empty())
    throw input_error(label_, 0, {}, 0, "it is no list of patterns, but " + format);
}

/// What is wrong in the first line of another format tells less than its name.
void PatternListReader::fail_on_pattern(const std::string& what) const {
  if (line_ == 1) refuse_other_format();
  fail(what);
}

void PatternListReader::fail(const std::string& what) const {
  throw input_error(label_, 0, {}, line_, what);
}

}  // namespace gsx

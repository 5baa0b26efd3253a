#include "offtarget/guide_reader.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "seq/sequence_file.hpp"
#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

bool GuideReader::next(RecordBatch& batch, std::size_t most) {
  while (batch.size() < most) {
    if (!source_ && !open_next()) break;
    try {
      if (next_guide(batch)) {
        any_ = true;
        continue;
      }
    } catch (const SourceError& error) {
      fail(error.what());
    }
    if (!any_) empty_files_.push_back(label_);
    source_.reset();
  }
  return batch.size() != 0;
}

bool GuideReader::open_next() {
  if (opened_ == paths_.size()) return false;
  const std::string& path = paths_[opened_++];
  label_ = path == "-" ? "standard input" : printable(path);
  line_number_ = 0;
  any_ = false;
  try {
    source_ = std::make_unique<ByteSource>(path, 1);
    fasta_ = first_byte() == '>';
  } catch (const SourceError& error) {
    throw input_error(label_, 0, {}, 0, "cannot read it: " + std::string(error.what()));
  }
  return true;
}

/// The next byte of the file; 0 at its end.
char GuideReader::first_byte() {
  const std::string_view ahead = source_->peek();
  return ahead.empty() ? '\0' : ahead.front();
}

/// Takes the next line, without its end; false at the end of the file.
bool GuideReader::next_line() {
  line_.clear();
  ++line_number_;
  for (bool any = false;; any = true) {
    const std::string_view ahead = source_->peek();
    if (ahead.empty()) return any;
    const std::size_t end = ahead.find('\n');
    line_ += ahead.substr(0, end);
    if (line_.size() > longest_line) fail("the line is too long to be a guide");
    source_->skip(std::min(end, ahead.size() - 1) + 1);
    if (end == std::string_view::npos) continue;
    if (line_.ends_with('\r')) line_.pop_back();
    return true;
  }
}

/// Adds the next guide of the open file to the batch; false if there is none.
bool GuideReader::next_guide(RecordBatch& batch) {
  if (fasta_) return next_fasta_record(batch);
  while (next_line()) {
    for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"}) {
      if (line_number_ == 1 && line_.starts_with(mark))
        fail("it begins with a byte-order mark: save it as plain text");
    }
    if (line_.starts_with('#') || without_blanks(line_).empty()) continue;
    if (line_.starts_with('@')) fail("it begins with '@' as FASTQ does; give lines or FASTA");
    add_line(batch);
    return true;
  }
  return false;
}

void GuideReader::add_line(RecordBatch& batch) {
  const std::string_view line = line_;
  const std::size_t tab = line.find('\t');
  const bool named = tab != std::string_view::npos && !without_blanks(line.substr(0, tab)).empty();
  const std::string_view sequence = checked(named ? line.substr(tab + 1) : line);
  batch.begin_record(named ? line.substr(0, tab) : sequence, "");
  batch.append(sequence);
}

bool GuideReader::next_fasta_record(RecordBatch& batch) {
  if (!next_line()) return false;
  std::string_view header = std::string_view(line_).substr(1);
  header = header.substr(0, header.find_first_of(blanks));
  batch.begin_record(header, "");
  while (first_byte() != '\0' && first_byte() != '>') {
    next_line();
    if (!without_blanks(line_).empty()) batch.append(checked(line_));
    if (batch.length(batch.size() - 1) > longest_line) fail("the record is too long for a guide");
  }
  return true;
}

std::string_view GuideReader::checked(std::string_view field) const {
  const std::string_view sequence = without_blanks(field);
  if (sequence.empty()) fail("there is no sequence after the tab");
  if (sequence.find_first_of(blanks) != std::string_view::npos)
    fail("there is a blank inside the guide; a line is SEQUENCE or NAME<tab>SEQUENCE");
  if (!all_symbols(sequence) || sequence.find('>') != std::string_view::npos)
    fail("'" + shown_name(sequence) + "' is not a guide; a line is SEQUENCE or NAME<tab>SEQUENCE");
  return sequence;
}

void GuideReader::fail(const std::string& what) const {
  throw input_error(label_, 0, {}, line_number_, what);
}

}  // namespace gsx

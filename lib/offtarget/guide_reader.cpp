#include "offtarget/guide_reader.hpp"

#include "base/messages.hpp"
#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

constexpr std::string_view blanks = " \t";

}  // namespace

bool GuideReader::next(RecordBatch& batch, std::size_t most, std::uint64_t most_symbols) {
  while (batch.size() < most && batch.symbols.size() < most_symbols) {
    if (!lines_ && !open_next()) break;
    if (next_guide(batch)) {
      any_ = true;
      continue;
    }
    if (!any_) empty_files_.push_back(lines_->label());
    lines_.reset();
  }
  return batch.size() != 0;
}

bool GuideReader::open_next() {
  if (opened_ == paths_.size()) return false;
  lines_.emplace(paths_[opened_++]);
  fasta_ = lines_->is_before('>');
  any_ = false;
  return true;
}

/// Adds the next guide of the open file to the batch; false if there is none.
bool GuideReader::next_guide(RecordBatch& batch) {
  if (fasta_) return next_fasta_record(batch);
  while (lines_->next()) {
    const std::string_view line = lines_->line();
    if (line.starts_with('#') || without_blanks(line).empty()) continue;
    if (line.starts_with('@'))
      lines_->fail("it begins with '@' as FASTQ does; give lines or FASTA");
    add_line(batch);
    return true;
  }
  return false;
}

void GuideReader::add_line(RecordBatch& batch) {
  const std::string_view line = lines_->line();
  const std::size_t tab = line.find('\t');
  const bool named = tab != std::string_view::npos && !without_blanks(line.substr(0, tab)).empty();
  const std::string_view sequence = checked(named ? line.substr(tab + 1) : line);
  batch.begin_record(named ? line.substr(0, tab) : sequence, "");
  batch.append(sequence);
}

bool GuideReader::next_fasta_record(RecordBatch& batch) {
  if (!lines_->next()) return false;
  std::string_view header = without_blanks(lines_->line().substr(1));
  header = header.substr(0, header.find_first_of(blanks));
  batch.begin_record(header, "");
  while (!lines_->at_end() && !lines_->is_before('>')) {
    lines_->next();
    if (!without_blanks(lines_->line()).empty()) batch.append(checked(lines_->line()));
    if (batch.length(batch.size() - 1) > LineReader::longest_line)
      lines_->fail("the record is too long for a guide");
  }
  return true;
}

std::string_view GuideReader::checked(std::string_view field) const {
  const std::string_view sequence = without_blanks(field);
  if (sequence.empty()) lines_->fail("there is no sequence after the tab");
  if (sequence.find_first_of(blanks) != std::string_view::npos)
    lines_->fail("there is a blank inside the guide; a line is SEQUENCE or NAME<tab>SEQUENCE");
  if (!all_symbols(sequence) || sequence.find('>') != std::string_view::npos)
    lines_->fail("'" + shown_name(sequence) +
                 "' is not a guide; a line is SEQUENCE or NAME<tab>SEQUENCE");
  return sequence;
}

}  // namespace gsx

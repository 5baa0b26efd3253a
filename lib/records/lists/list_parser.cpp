#include "records/lists/list_parser.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/line_text.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

/// Whether all are letters or the sign of a stop; or, with `any_symbols`, any text.
bool are_symbols(std::string_view sequence, bool any_symbols) {
  if (any_symbols) return all_symbols(sequence);
  return !scan_detail::any_byte(sequence, [](auto b) {
    const auto upper = b & 0xdf;
    return ((upper < 'A') | (upper > 'Z')) & (b != '*');
  });
}

/// Whether a sequence could be one of -p, and has nothing that tells of columns, quotes or FASTA.
bool is_any_pattern(std::string_view sequence) {
  return !sequence.empty() && all_symbols(sequence) &&
         sequence.find_first_of(" \t,;\">") == std::string_view::npos;
}

const char* shape_of(ListForm form) {
  switch (form) {
    case ListForm::counted:
      return "; a line is SEQUENCE or SEQUENCE<tab>COUNT";
    case ListForm::pairs:
      return "; a line is NAME<tab>FORWARD<tab>REVERSE, or two lines are NAME_F<tab>FORWARD and "
             "NAME_R<tab>REVERSE";
    default:
      return "; a line is SEQUENCE or NAME<tab>SEQUENCE";
  }
}

std::string the_column(std::size_t column) {
  return "column " + std::to_string(column + 1);
}

std::string no_count(std::size_t column) {
  return "there is no count in " + the_column(column) +
         ", where other lines have one; write 1 for a sequence that comes once";
}

}  // namespace

bool ListLine::take(std::string_view line) {
  if (is_comment(line)) return false;
  if (!columns_->wrong.empty()) throw ParseError(columns_->wrong);
  if (line == columns_->header) return false;
  if (is_sequence_alone(line)) {
    name = sequence = line;
    reverse = count = {};
    return true;
  }
  if (!any_symbols_ && is_separator_line(line)) return false;
  if (!is_header(line)) {
    throw ParseError(line.find('\r') < line.find('\0')
                         ? "a carriage return inside a line; convert the line ends to LF or CRLF"
                         : "a NUL byte (0x00): the file is damaged or not text");
  }
  if (any_symbols_ ? without_blanks(line).empty() : is_empty_row(line)) return false;
  name = sequence = reverse = count = {};
  const bool quoted = !any_symbols_ && line.find('"') != line.npos;
  if (quoted && has_open_quote(line)) throw ParseError(open_quote);
  if (form_ != ListForm::pairs && (any_symbols_ || columns_->is_plain())) {
    take_plain(line);
  } else {
    take_fields(line);
  }
  return true;
}

/// Whether a line, as most are, needs no more than this look.
bool ListLine::is_sequence_alone(std::string_view line) const {
  return form_ != ListForm::pairs && columns_->declared && columns_->is_plain() && !line.empty() &&
         are_symbols(line, any_symbols_) &&
         (any_symbols_ || clean_cell(line).size() == line.size());
}

/// The declared order, separated by tabs.
void ListLine::take_plain(std::string_view line) {
  sequence = line;
  const std::size_t tab = line.find('\t');
  std::size_t column = 0;
  if (tab != std::string_view::npos && !without_blanks(line.substr(0, tab)).empty()) {
    const std::string_view rest = line.substr(tab + 1);
    const std::string_view second = rest.substr(0, rest.find('\t'));
    sequence = form_ == ListForm::counted ? line.substr(0, tab) : second;
    column = form_ == ListForm::counted ? 0 : 1;
    (form_ == ListForm::counted ? count : name) =
        without_blanks(form_ == ListForm::counted ? second : line.substr(0, tab));
  } else if (tab != std::string_view::npos) {
    sequence = line.substr(tab + 1);
    sequence = sequence.substr(0, sequence.find('\t'));
    column = 1;
  }
  sequence = without_blanks(sequence);
  if (!any_symbols_) sequence = clean_cell(sequence);
  // As with -p, a line of one cell may hold symbols that no text has: it matches nowhere.
  if (tab != std::string_view::npos || !is_any_pattern(sequence)) check(sequence, column);
  if (form_ == ListForm::counted && count.empty() && tab != std::string_view::npos) {
    const bool more =
        !without_blanks(line.substr(std::min(line.rfind('\t') + 1, line.size()))).empty();
    const bool behind = !without_blanks(line.substr(0, tab)).empty();
    if ((columns_->counted && behind) || (more && line.rfind('\t') != tab))
      throw ParseError(no_count(1));
  }
  if (name.empty()) name = sequence;
}

void ListLine::take_fields(std::string_view line) {
  const ListColumns& columns = *columns_;
  fields_.split(line, columns.separator);
  const auto field = [this](std::size_t column) {
    return column == ListColumns::none ? std::string_view() : fields_[column];
  };
  std::size_t at = columns.sequence;
  if (columns.declared && form_ == ListForm::named && fields_.size() == 1) at = 0;
  name = columns.declared && fields_.size() == 1 ? std::string_view() : field(columns.name);
  if (form_ == ListForm::pairs && fields_.size() < 3 && columns.declared) {
    const std::size_t size = fields_.size();
    throw ParseError("there " + std::string(size == 1 ? "is " : "are ") + std::to_string(size) +
                     (size == 1 ? " column" : " columns") + shape_of(form_));
  }
  count = field(columns.count);
  sequence = field(at);
  reverse = field(columns.reverse);
  check(sequence, at);
  if (form_ == ListForm::pairs) check(reverse, columns.reverse);
  if (name.empty() && form_ != ListForm::pairs) name = sequence;
  const bool indented = columns.declared && fields_[0].empty();
  const bool alone = columns.declared && columns.separator == '\t' && fields_.size() == 1;
  if (count.empty() && columns.count != ListColumns::none && !alone && !indented &&
      (columns.counted || !columns.declared))
    throw ParseError(no_count(columns.count));
  if (columns.suffixed) sequence = without_suffix(sequence);
}

void ListLine::check(std::string_view checked, std::size_t column) const {
  const ListColumns& columns = *columns_;
  const std::string_view letters = columns.suffixed ? without_suffix(checked) : checked;
  if (!letters.empty() && are_symbols(letters, any_symbols_)) return;
  const std::string shape = columns.declared ? shape_of(form_) : "";
  const std::string which = form_ != ListForm::pairs    ? "sequence"
                            : column == columns.reverse ? "reverse primer"
                                                        : "forward primer";
  if (checked.empty())
    throw ParseError(the_column(column) + " is empty, where the " + which + " should be" + shape);
  const char wrong = *std::ranges::find_if_not(letters, [this](char c) {
    return are_symbols({&c, 1}, any_symbols_);
  });
  if (wrong == ' ' || wrong == '\t')
    throw ParseError("there is a blank inside the " + which + shape);
  if (wrong == ',' || wrong == ';' || wrong == '"') {
    throw ParseError(std::string("'") + wrong + "' inside the " + which + shape +
                     "; or every line has its columns separated by commas");
  }
  if (wrong == '>') {
    throw ParseError("'>' is not a sequence symbol" + shape +
                     ", and FASTA begins with '>' in its first line");
  }
  const auto byte = static_cast<unsigned char>(wrong);
  if (byte > 0x20 && byte != 0x7f) {
    throw ParseError("'" + shown_name(checked) + "' in " + the_column(column) + " is no sequence" +
                     shape);
  }
  char hex[8];
  std::snprintf(hex, sizeof hex, "0x%02X", byte);
  throw ParseError("the byte " + std::string(hex) +
                   " is not a sequence symbol; a list is plain text");
}

void ListParser::parse(std::string_view block, RecordBatch& batch) {
  while (!block.empty()) {
    if (at_line_start_ && !after_cr_) {
      const Piece piece = peek_line(block);
      if (piece.ends_line) {
        add_line(piece.text, batch);
        take(piece, block);
        continue;
      }
      partial_.clear();
    }
    const Piece piece = peek_line(block);
    keep_part(piece.text);
    if (piece.ends_line) add_line(partial_, batch);
    take(piece, block);
  }
}

/// Keeps part of a line whose end has not been read yet. It may have none: in what is no text.
void ListParser::keep_part(std::string_view part) {
  partial_ += part;
  if (!is_comment(partial_) && part.find('\0') != std::string_view::npos)
    throw ParseError("a NUL byte (0x00): the file is damaged or not text");
  check_length(partial_);
  if (partial_.size() <= most_header_) return;
  const std::string_view line = partial_;
  throw LongQueryError(line.substr(0, line.find('\t')), most_header_);
}

void ListParser::check_length(std::string_view line) const {
  if (line.size() > most_line_)
    throw ParseError("the line has more than " + std::to_string(most_line_) + " bytes");
}

void ListParser::finish(RecordBatch& batch) {
  if (!at_line_start_) add_line(partial_, batch);
}

void ListParser::add_line(std::string_view line, RecordBatch& batch) {
  check_length(line);
  if (!taken_.take(line)) return;
  batch.begin_record(form_ == ListForm::counted ? std::string_view() : taken_.name,
                     form_ == ListForm::pairs ? taken_.reverse : taken_.count);
  batch.lines.begin_lines(batch.symbol_count(), line_, taken_.sequence.size(), 1);
  batch.append(taken_.sequence);
}

}  // namespace gsx

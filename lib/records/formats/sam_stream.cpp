#include "records/formats/sam_stream.hpp"

#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

namespace gsx {
namespace {

constexpr std::size_t ahead_bytes = std::size_t{64} << 10;

/// The parsed line beside its text.
constexpr std::uint64_t bytes_per_byte = 2;

constexpr int target_column = 2, mate_target_column = 6;

/// Puts '*' in place of a target: the header that would know it is not parsed, and htslib would
/// warn of each line. What stands before it moves towards it.
void forget_target(kstring_t& line, int column) {
  char* const end = line.s + line.l;
  char* from = line.s;
  for (int before = 0; before < column; ++before) {
    from = std::find(from, end, '\t');
    if (from == end) return;
    ++from;
  }
  char* const to = std::find(from, end, '\t');
  if (from == to) return;
  to[-1] = '*';
  const std::size_t moved = static_cast<std::size_t>(to - from) - 1;
  std::memmove(line.s + moved, line.s, static_cast<std::size_t>(from - line.s));
  line.s += moved;
  line.l -= moved;
}

bool is_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/// Whether it is a line of the header, whatever is in it. Other lines that begin with '@' are not
/// passed over: they may be reads whose names somebody has not changed.
bool is_header(std::string_view line) {
  return line.size() >= 3 && line[0] == '@' && is_letter(line[1]) && is_letter(line[2]) &&
         (line.size() == 3 || line[3] == '\t');
}

/// The columns of a line. What has parsed it may have put NUL bytes in place of tabs.
std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end =
        std::min(line.find_first_of(std::string_view("\t", 2), at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return columns;
}

}  // namespace

void SamStream::Free::operator()(bam1_t* read) const {
  bam_destroy1(read);
}
void SamStream::Free::operator()(kstring_t* text) const {
  ks_free(text);
  delete text;
}
void SamStream::Free::operator()(sam_hdr_t* header) const {
  sam_hdr_destroy(header);
}

SamStream::SamStream(std::unique_ptr<ByteStream> text, std::uint64_t most_memory)
    : AlignmentStream("SAM"),
      text_(std::move(text)),
      most_memory_(most_memory),
      read_(bam_init1()),
      columns_(new kstring_t KS_INITIALIZE),
      header_(sam_hdr_init()),
      ahead_(std::make_unique_for_overwrite<char[]>(ahead_bytes)) {
  if (!read_ || !header_) throw std::bad_alloc();
  // With no target at all, htslib refuses lines that name one.
  if (sam_hdr_add_line(header_.get(), "SQ", "SN", "none", "LN", "1", nullptr) != 0)
    throw std::bad_alloc();
}

SamStream::~SamStream() = default;

bool SamStream::next_line(Line& line) {
  for (bool found = false; !found;) {
    if (!read_text()) return false;
    const bool header = is_header({columns_->s, columns_->l});
    if (header && lines_before() != 0) {
      fail_on_line(
          "is a header, which stands behind reads: another file may have been put behind the "
          "first; 'samtools merge' joins files");
    }
    found = columns_->l != 0 && !header;
  }
  if (std::memchr(columns_->s, '\0', columns_->l) != nullptr)
    fail_on_line("has a NUL byte in it: the file is damaged; fetch it again");
  kstring_t columns = *columns_;
  forget_target(columns, mate_target_column);
  forget_target(columns, target_column);
  const std::string_view text(columns.s, columns.l);
  errno = 0;
  if (sam_parse1(&columns, header_.get(), read_.get()) < 0) {
    if (errno == ENOMEM) throw std::bad_alloc();
    fail_on_columns(text);
  }
  line = {bam_get_qname(read_.get()), read_->core.flag,
          static_cast<std::size_t>(read_->core.l_qseq), bam_get_seq(read_.get()),
          bam_get_qual(read_.get())};
  return true;
}

/// Reads the text of the next line, without its end; false at the end of the text.
bool SamStream::read_text() {
  columns_->l = 0;
  has_end_ = false;
  for (bool any = false; !has_end_; any = true) {
    if (at_ == end_) {
      at_ = 0;
      end_ = text_->read(ahead_.get(), ahead_bytes);
      if (end_ == 0 && !any) return false;
      if (end_ == 0) break;
    }
    const char* const from = ahead_.get() + at_;
    const void* const found = std::memchr(from, '\n', end_ - at_);
    has_end_ = found != nullptr;
    const std::size_t count =
        has_end_ ? static_cast<std::size_t>(static_cast<const char*>(found) - from) : end_ - at_;
    keep(from, count);
    at_ += count + (has_end_ ? 1 : 0);
  }
  if (columns_->l != 0 && columns_->s[columns_->l - 1] == '\r') columns_->s[--columns_->l] = '\0';
  return true;
}

void SamStream::keep(const char* from, std::size_t count) {
  const std::uint64_t bytes = (columns_->l + std::uint64_t{count}) * bytes_per_byte;
  if (bytes > most_memory_) fail_on_memory(bytes, most_memory_);
  if (kputsn(from, count, columns_.get()) < 0) throw std::bad_alloc();
}

void SamStream::fail_on_columns(std::string_view text) const {
  constexpr std::size_t least = 11, sequence = 9, qualities = 10;
  const std::vector<std::string_view> columns = columns_of(text);
  std::string what = "is truncated or damaged";
  if (columns.size() < least) {
    what += ": it has " + std::to_string(columns.size()) +
            (columns.size() == 1 ? " column" : " columns") +
            " where SAM has at least 11, with tabs between them";
  } else if (columns[sequence].size() != columns[qualities].size() && columns[qualities] != "*") {
    what += ": SEQ has " + std::to_string(columns[sequence].size()) + " letters, and QUAL has " +
            std::to_string(columns[qualities].size());
  } else {
    what += ": one of its columns is not what SAM allows, or CIGAR and SEQ differ in length";
  }
  fail_on_line(what + (has_end_ ? "" : "; no line end follows it") + "; fetch the file again");
}

}  // namespace gsx

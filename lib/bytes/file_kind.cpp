#include "bytes/file_kind.hpp"

#include <htslib/hfile.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "bytes/compression/bgzf_blocks.hpp"
#include "bytes/source_error.hpp"

namespace gsx {
namespace {

/// A BGZF block header. No complete gzip stream is shorter.
constexpr std::size_t probe_bytes = 18;

/// The next bytes, up to `count`.
std::string peek(hFILE& file, std::size_t count) {
  std::string bytes(count, '\0');
  const ssize_t peeked = hpeek(&file, bytes.data(), count);
  if (peeked < 0) fail_with_errno(errno);
  bytes.resize(static_cast<std::size_t>(peeked));
  return bytes;
}

/// Whether there is a whole line, maybe after blank ones.
bool has_line(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of("\r\n");
  return first != bytes.npos && bytes.find('\n', first) != bytes.npos;
}

/// Whether these are a line of text, maybe after blank ones. No other kind of file begins so within
/// probe_bytes, unless kind_of_start() tells it from these bytes.
bool holds_line(std::string_view bytes) {
  return has_line(bytes) && std::ranges::all_of(bytes, [](char c) {
           return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
         });
}

/// The next bytes, as many as tell what the file is: the writer of a pipe may have sent one line,
/// and wait for the answer.
std::string peek_start(hFILE& file) {
  std::string bytes = peek(file, 1);
  for (std::size_t count = 2; count <= probe_bytes && !holds_line(bytes); ++count) {
    std::string more = peek(file, count);
    if (more.size() < count) return more;
    bytes = std::move(more);
  }
  return bytes;
}

/// What gzip data begins with, as far as these bytes of it tell.
std::string inflated_start(std::string_view packed) {
  std::string text(long_probe_bytes, '\0');
  z_stream state{};
  constexpr int gzip_window = 31;
  if (inflateInit2(&state, gzip_window) != Z_OK) return {};
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  state.avail_in = static_cast<uInt>(packed.size());
  state.next_out = reinterpret_cast<Bytef*>(text.data());
  state.avail_out = static_cast<uInt>(text.size());
  inflate(&state, Z_SYNC_FLUSH);
  text.resize(text.size() - state.avail_out);
  inflateEnd(&state);
  return text;
}

bool is_number(std::string_view field) {
  if (field.starts_with('-')) field.remove_prefix(1);
  return !field.empty() && field.size() <= 10 &&
         std::ranges::all_of(field, [](char c) { return c >= '0' && c <= '9'; });
}

char first_mark(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : bytes[first];
}

bool may_be_fasta_or_fastq(std::string_view bytes) {
  const char mark = first_mark(bytes);
  return mark == '\0' || mark == '>' || mark == '@';
}

}  // namespace

bool begins_as_sam(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  for (const char* header : {"@HD\t", "@SQ\t", "@RG\t", "@PG\t", "@CO\t"}) {
    if (!text.starts_with(header)) continue;
    // A read of FASTQ may have such a name; its comment does not look like a tag.
    const std::string_view rest = text.substr(4);
    return text[1] == 'C' || (rest.size() > 2 && rest[2] == ':');
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  // A name may begin with '>', but not with '@'.
  if (line.empty() || line.front() == '@' || line.find('\0') != std::string_view::npos)
    return false;
  std::size_t at = 0;
  for (int column = 0; column < 9; ++column) {
    const std::size_t tab = line.find('\t', at);
    if (tab == std::string_view::npos || tab == at) return false;
    const std::string_view field = line.substr(at, tab - at);
    const bool number = column == 1 || column == 3 || column == 4 || column == 7 || column == 8;
    if (number && !is_number(field)) return false;
    at = tab + 1;
  }
  return true;
}

const char* packing_name(FileKind kind) {
  switch (kind) {
    case FileKind::gzip:
    case FileKind::bgzf:
      return "gzip";
    case FileKind::bzip2:
      return "bzip2";
    case FileKind::xz:
      return "xz";
    case FileKind::zstd:
      return "zstd";
    default:
      return nullptr;
  }
}

FileKind kind_of_start(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b"sv)) {
    const auto* header = reinterpret_cast<const unsigned char*>(bytes.data());
    return BgzfBlocks::is_header(header, bytes.size()) ? FileKind::bgzf : FileKind::gzip;
  }
  if (bytes.starts_with("BZh"sv) && bytes.size() > 3 && bytes[3] >= '1' && bytes[3] <= '9') {
    return FileKind::bzip2;
  }
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return FileKind::xz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return FileKind::zstd;
  // A frame that is to be skipped, as parallel compressors write first.
  if (bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 && bytes.substr(1, 3) == "\x2a\x4d\x18"sv) {
    return FileKind::zstd;
  }
  for (const std::string_view mark : {"\x43\x27\x41\x1a"sv, "\x1a\x41\x27\x43"sv}) {
    if (bytes.starts_with(mark)) return FileKind::two_bit;
  }
  if (bytes.starts_with("CRAM"sv) && bytes.size() > 4 && bytes[4] >= 1 && bytes[4] <= 4) {
    return FileKind::cram;
  }
  if (bytes.starts_with("BAM\1"sv)) return FileKind::bam;
  return begins_as_sam(bytes) ? FileKind::sam : FileKind::plain;
}

FileKind kind_of(hFILE& file) {
  const std::string bytes = peek_start(file);
  const FileKind kind = kind_of_start(bytes);
  if (kind == FileKind::gzip && bytes.size() < probe_bytes) {
    throw SourceError("the compressed data ends early: the file is truncated; fetch it again");
  }
  // The rest of a line may show that its columns are not those of SAM.
  return kind == FileKind::sam && first_mark(bytes) != '@' ? FileKind::plain : kind;
}

FileKind kind_of_text(hFILE& file, bool is_pipe) {
  std::string bytes = peek_start(file);
  if (first_mark(bytes) == '@' || (is_pipe && may_be_fasta_or_fastq(bytes))) return FileKind::plain;
  if (!is_pipe) bytes = peek(file, long_probe_bytes);
  // Of a pipe, no more than its first line: the writer of a list may wait for the answer to that.
  while (is_pipe && bytes.size() < long_probe_bytes && !has_line(bytes)) {
    std::string more = peek(file, bytes.size() + 1);
    if (more.size() == bytes.size()) break;
    bytes = std::move(more);
  }
  return begins_as_sam(bytes) ? FileKind::sam : FileKind::plain;
}

FileKind kind_inside_gzip(hFILE& file) {
  return kind_of_start(inflated_start(peek(file, long_probe_bytes)));
}

}  // namespace gsx

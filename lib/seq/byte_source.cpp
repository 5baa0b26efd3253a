#include "seq/byte_source.hpp"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <htslib/thread_pool.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace gsx {
namespace {

constexpr std::size_t peek_bytes = std::size_t{16} << 10;
/// Blocks of 64 KiB for each inflating thread that may be waiting for it or have gone through it:
/// enough for all to work on while the reader's threads do something else.
constexpr int queue_blocks = 8;
/// A BGZF block header; no whole gzip stream is shorter.
constexpr std::size_t gzip_probe_bytes = 18;

[[noreturn]] void fail_with_errno(int number) {
  throw SourceError(number == 0 ? "read error" : std::strerror(number));
}

[[noreturn]] void fail_truncated() {
  throw SourceError("the compressed data ends early: the file is truncated; fetch it again");
}

/// A descriptor of ours for `path`. Standard input is duplicated, since closing descriptor 0 would
/// hand its number to the next file opened.
int open_descriptor(const std::string& path) {
  const int descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                     : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_with_errno(errno);
  struct stat info {};
  if (fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode)) {
    close(descriptor);
    throw SourceError("is a directory; name the files in it");
  }
  return descriptor;
}

/// Errors are thrown, so htslib's own lines on stderr would only repeat them.
void silence_htslib() {
  static std::once_flag once;
  std::call_once(once, [] { hts_set_log_level(HTS_LOG_OFF); });
}

}  // namespace

void ByteSource::Close::operator()(hFILE* file) const {
  hclose_abruptly(file);
}

void ByteSource::Close::operator()(BGZF* file) const {
  [[maybe_unused]] const int status = bgzf_close(file);  // nothing was written: nothing to lose
}

void ByteSource::Close::operator()(hts_tpool* pool) const {
  hts_tpool_destroy(pool);
}

ByteSource::ByteSource(const std::string& path, int threads) : descriptor_(open_descriptor(path)) {
  silence_htslib();
  const auto begin = static_cast<std::int64_t>(lseek(descriptor_, 0, SEEK_CUR));
  plain_.reset(hdopen(descriptor_, "r"));
  if (!plain_) {
    const int number = errno;
    close(descriptor_);
    fail_with_errno(number);
  }
  unsigned char probe[gzip_probe_bytes];
  const ssize_t peeked = hpeek(plain_.get(), probe, sizeof probe);
  if (peeked < 0) fail_with_errno(errno);
  if (peeked >= 2 && probe[0] == 0x1f && probe[1] == 0x8b) {
    // htslib would take so short a stream for an uncompressed one.
    if (peeked < static_cast<ssize_t>(sizeof probe)) fail_truncated();
    open_compressed(threads);
  } else {
    note_plain_file(begin);
  }
}

ByteSource::~ByteSource() {
  // Somebody else may have the file open too, as our standard input: leave it as if read in order.
  if (plain_size_ == 0) return;
  static_cast<void>(lseek(descriptor_, static_cast<off_t>(plain_begin_ + plain_size_), SEEK_SET));
}

void ByteSource::open_compressed(int threads) {
  errno = 0;
  compressed_.reset(bgzf_hopen(plain_.get(), "r"));
  if (!compressed_) fail_with_errno(errno);
  static_cast<void>(plain_.release());
  // Without its threads the same file is still read, only more slowly: a failure is no error.
  if (threads > 1 && !compressed_->is_gzip) {
    pool_.reset(hts_tpool_init(threads));
    if (pool_) {
      static_cast<void>(bgzf_thread_pool(compressed_.get(), pool_.get(), threads * queue_blocks));
    }
  }
}

void ByteSource::note_plain_file(std::int64_t begin) {
  struct stat info {};
  if (begin < 0 || fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) return;
  if (info.st_size <= begin) return;
  plain_begin_ = static_cast<std::uint64_t>(begin);
  plain_size_ = static_cast<std::uint64_t>(info.st_size - begin);
}

void ByteSource::read_at(std::uint64_t offset, char* to, std::size_t count) const {
  while (count != 0) {
    const ssize_t done = pread(descriptor_, to, count, static_cast<off_t>(plain_begin_ + offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_with_errno(errno);
    if (done == 0) throw SourceError("the file has become shorter while it was read");
    to += done;
    offset += static_cast<std::uint64_t>(done);
    count -= static_cast<std::size_t>(done);
  }
}

std::string_view ByteSource::peek() {
  if (!ahead_.empty()) return ahead_;
  if (compressed_) return ahead_ = next_inflated();
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(peek_bytes);
  return ahead_ = {buffer_.get(), read_plain(buffer_.get(), peek_bytes)};
}

std::size_t ByteSource::read(char* to, std::size_t count) {
  if (ahead_.empty() && !compressed_) return read_plain(to, count);
  const std::size_t taken = peek().copy(to, count);
  skip(taken);
  return taken;
}

std::size_t ByteSource::read_plain(char* to, std::size_t count) {
  const ssize_t done = hread(plain_.get(), to, count);
  if (done < 0) fail_with_errno(errno);
  position_ += static_cast<std::uint64_t>(done);
  return static_cast<std::size_t>(done);
}

std::string_view ByteSource::next_inflated() {
  BGZF& file = *compressed_;
  const int status = bgzf_read_block(&file);
  // Where plain gzip members follow BGZF blocks, htslib ends its threads, marks that as an I/O
  // error, and reads on without them: the one mark that is not an error. After a real one the
  // threads may have dropped blocks while the call still succeeds, so every other mark counts.
  const bool only_left_bgzf = status == 0 && file.is_gzip && file.errcode == BGZF_ERR_IO;
  if (only_left_bgzf) file.errcode = 0;
  if (status != 0 || file.errcode != 0) {
    const int number = file.mt == nullptr ? herrno(file.fp) : 0;
    if (number != 0) fail_with_errno(number);
    throw SourceError("the compressed data is truncated or damaged; fetch the file again");
  }
  if (file.block_length == 0) {
    if (file.no_eof_block) {
      throw SourceError(
          "the BGZF end-of-file marker is missing: the file is truncated; fetch it again, or "
          "recompress it if it is whole");
    }
  }
  // Until the end, the file's own offset belongs to htslib's reading thread where there is one.
  const std::int64_t now = file.mt != nullptr && file.block_length != 0
                               ? file.block_address + file.block_clength
                               : htell(file.fp);
  position_ = std::max(position_, static_cast<std::uint64_t>(now));
  return {static_cast<const char*>(file.uncompressed_block),
          static_cast<std::size_t>(file.block_length)};
}

}  // namespace gsx

#include "records/formats/byte_source.hpp"

#include <fcntl.h>
#include <htslib/hfile.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/messages.hpp"
#include "bytes/compression/bgzf_stream.hpp"
#include "bytes/compression/gzip_stream.hpp"
#include "bytes/compression/packed_stream.hpp"
#include "bytes/compression/started_stream.hpp"
#include "bytes/compression/unpacker.hpp"
#include "bytes/plain_stream.hpp"
#include "records/formats/bam_stream.hpp"
#include "records/formats/cram_stream.hpp"
#include "records/formats/sam_stream.hpp"
#include "records/formats/two_bit_stream.hpp"
#include "records/reading_warning.hpp"

namespace gsx {

static_assert(Decoding::usual_unpack_bytes == usual_unpack_bytes);

namespace {

constexpr std::size_t peek_bytes = std::size_t{16} << 10;
/// Bytes of decoded data that a peek reads: inflating little at a time is slow.
constexpr std::size_t peek_inflated = std::size_t{64} << 10;
/// Enough to tell the kind of a file.
constexpr std::size_t probe_bytes = 18;

/// How long nothing comes from a pipe before its writer is said to pause.
constexpr int pause_milliseconds = 100;

/// What to do at the end of BGZF that lacks the empty block which ends it.
std::function<void()> on_no_eof(const std::string& path, const Decoding& decoding) {
  const std::string what = "the BGZF end-of-file marker is missing: ";
  if (!decoding.allow_no_eof) {
    return [message = what + "the file may be truncated between two blocks; " +
                      decoding.no_eof_advice] { throw SourceError(message); };
  }
  return
      [decoding, message = (path == "-" ? "standard input" : printable(path)) + ": " + what +
                           "every block is whole and was read, but if the file was cut between "
                           "two blocks, records are lost"] { warn_of_reading(decoding, message); };
}

/// Opens a descriptor of our own for `path`. Standard input is duplicated: if descriptor 0 were
/// closed, the next file opened would get its number.
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

std::optional<Packing> packing_of(FileKind kind) {
  if (kind == FileKind::bzip2) return Packing::bzip2;
  if (kind == FileKind::xz) return Packing::xz;
  if (kind == FileKind::zstd) return Packing::zstd;
  return std::nullopt;
}

}  // namespace

void ByteSource::Close::operator()(hFILE* file) const {
  hclose_abruptly(file);
}

ByteSource::ByteSource(const std::string& path, std::size_t ahead, std::function<void()> on_more,
                       const Decoding& decoding)
    : descriptor_(open_descriptor(path)) {
  const auto begin = static_cast<std::int64_t>(lseek(descriptor_, 0, SEEK_CUR));
  plain_.reset(hdopen(descriptor_, "r"));
  if (!plain_) {
    const int number = errno;
    close(descriptor_);
    fail_with_errno(number);
  }
  struct stat info {};
  regular_ = fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode);
  const FileKind inside = begin_unpacking(path, ahead, std::move(on_more), decoding);
  if (decoding.as_sequences) begin_making(inside, begin, info, decoding);
  if (bgzf_ || stream_) return;
  plain_stream_ = !regular_;
  note_plain_file(begin, info);
}

/// Decompresses from now on what is compressed; returns what that holds, if it can be told.
FileKind ByteSource::begin_unpacking(const std::string& path, std::size_t ahead,
                                     std::function<void()> on_more, const Decoding& decoding) {
  const FileKind kind = kind_of(*plain_);
  packing_ = packing_name(kind);
  if (kind == FileKind::bgzf || kind == FileKind::gzip) {
    const FileKind inside = kind_inside_gzip(*plain_);
    ahead = std::max<std::size_t>(ahead, 1);
    if (kind == FileKind::gzip) stream_ = std::make_unique<GzipStream>(*plain_);
    if (kind == FileKind::bgzf)
      bgzf_ = std::make_unique<BgzfBlocks>(*plain_, ahead, std::move(on_more),
                                           on_no_eof(path, decoding));
    return inside;
  }
  if (const std::optional<Packing> packing = packing_of(kind)) {
    auto started = std::make_unique<StartedStream>(
        std::make_unique<PackedStream>(*plain_, *packing, decoding.unpack_bytes), long_probe_bytes);
    const FileKind inside = kind_of_start(started->start());
    stream_ = std::move(started);
    return inside;
  }
  return kind == FileKind::plain && decoding.as_sequences ? kind_of_text(*plain_, !regular_) : kind;
}

/// Makes text from now on of what is no text, or SAM.
void ByteSource::begin_making(FileKind kind, std::int64_t begin, const struct stat& info,
                              const Decoding& decoding) {
  if (kind == FileKind::cram && packing_ == nullptr) {
    stream_ = std::make_unique<CramStream>(plain_.release(), decoding);
    made_ = true;
  }
  if (kind != FileKind::sam && kind != FileKind::bam && kind != FileKind::two_bit) return;
  made_ = true;
  TwoBitStream::File facts;
  std::unique_ptr<ByteStream> from = std::move(stream_);
  if (bgzf_) from = std::make_unique<BgzfStream>(*bgzf_, *plain_);
  if (!from) {
    from = std::make_unique<PlainStream>(*plain_);
    if (regular_ && begin == 0) facts = {static_cast<std::uint64_t>(info.st_size), plain_.get()};
  }
  if (kind == FileKind::two_bit) {
    stream_ = std::make_unique<TwoBitStream>(std::move(from), facts, decoding.unpack_bytes);
  } else if (kind == FileKind::bam) {
    stream_ = std::make_unique<BamStream>(std::move(from), decoding.record_bytes);
  } else {
    stream_ = std::make_unique<SamStream>(std::move(from), decoding.record_bytes);
  }
}

ByteSource::~ByteSource() {
  // Another process may share the file as its standard input: leave the offset as if read in order.
  if (plain_size_ == 0) return;
  static_cast<void>(lseek(descriptor_, static_cast<off_t>(plain_begin_ + plain_size_), SEEK_SET));
}

FileKind ByteSource::kind_of_file(const std::string& path) {
  struct stat info {};
  if (path == "-" || stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return FileKind::plain;
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return FileKind::plain;
  char probe[probe_bytes];
  std::size_t count = 0;
  int error = 0;
  while (count < probe_bytes && error == 0) {
    const ssize_t more =
        pread(descriptor, probe + count, probe_bytes - count, static_cast<off_t>(count));
    if (more == 0) break;
    if (more > 0) count += static_cast<std::size_t>(more);
    if (more < 0 && errno != EINTR) error = errno;
  }
  close(descriptor);
  if (error != 0) fail_with_errno(error);
  return kind_of_start({probe, count});
}

void ByteSource::note_plain_file(std::int64_t begin, const struct stat& info) {
  if (begin < 0 || !regular_ || info.st_size <= begin) return;
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
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (bgzf_ && !stream_) {
    ahead_ = bgzf_->next();
    position_ = bgzf_->position();
    if (!ahead_.empty() || !bgzf_->gzip_follows()) return ahead_;
    stream_ = std::make_unique<GzipStream>(*plain_);
  }
  const std::size_t most = stream_ ? peek_inflated : peek_bytes;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(most);
  return ahead_ = {buffer_.get(), read_into(buffer_.get(), most)};
}

std::string_view ByteSource::peek_start(std::size_t most,
                                        const std::function<bool(std::string_view)>& is_enough,
                                        bool& whole) {
  std::string start;
  whole = false;
  try {
    while (start.size() < most) {
      const std::string_view more = peek();
      whole = more.empty();
      if (whole) break;
      start += more;
      skip(more.size());
      if (is_enough(start) && pauses()) break;
    }
  } catch (const SourceError&) {
    if (start.empty()) throw;
    failure_ = std::current_exception();
  }
  start_ = std::move(start);
  return ahead_ = start_;
}

std::size_t ByteSource::read(char* to, std::size_t count) {
  const bool direct = stream_ ? count >= peek_inflated : !bgzf_;
  if (ahead_.empty() && !failure_ && direct) return read_into(to, count);
  const std::size_t taken = peek().copy(to, count);
  skip(taken);
  return taken;
}

std::size_t ByteSource::read_into(char* to, std::size_t count) {
  if (stream_) {
    const std::size_t done = stream_->read(to, count);
    position_ = (bgzf_ && !made_ ? bgzf_->position() : 0) + stream_->position();
    return done;
  }
  if (plain_stream_) return read_stream(to, count);
  const ssize_t done = hread(plain_.get(), to, count);
  if (done < 0) fail_with_errno(errno);
  position_ += static_cast<std::uint64_t>(done);
  return static_cast<std::size_t>(done);
}

/// Bytes that plain_ has read and not given out.
std::size_t ByteSource::buffered() const {
  return static_cast<std::size_t>(plain_->end - plain_->begin);
}

/// Takes what is there, where hread() would wait until there are `count` bytes.
std::size_t ByteSource::read_stream(char* to, std::size_t count) {
  ssize_t done = 0;
  if (const std::size_t before = buffered(); before != 0) {
    done = hread(plain_.get(), to, std::min(count, before));
  } else {
    do {
      done = ::read(descriptor_, to, count);
    } while (done < 0 && errno == EINTR);
  }
  if (done < 0) fail_with_errno(errno);
  position_ += static_cast<std::uint64_t>(done);
  return static_cast<std::size_t>(done);
}

bool ByteSource::pauses() const {
  if (!plain_stream_ || !ahead_.empty() || buffered() != 0) return false;
  pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, pause_milliseconds) == 0;
}

}  // namespace gsx

#include "records/formats/bam_stream.hpp"

#include <htslib/sam.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string_view>

#include "bytes/source_error.hpp"

namespace gsx {
namespace {

constexpr std::string_view magic("BAM\1", 4);
/// Bytes that are read at a time: a size that is wrong takes no memory before the file ends.
constexpr std::size_t least_piece = std::size_t{64} << 10;

std::uint32_t number32(const unsigned char* bytes) {
  return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[3]} << 24;
}

unsigned number16(const unsigned char* bytes) {
  return bytes[0] | unsigned{bytes[1]} << 8;
}

}  // namespace

/// The numbers that each line begins with.
struct BamStream::Core {
  static constexpr std::size_t bytes = 32;

  explicit Core(const unsigned char* from)
      : target(static_cast<std::int32_t>(number32(from))),
        name_bytes(from[8]),
        cigar_count(number16(from + 12)),
        flag(number16(from + 14)),
        length(number32(from + 16)),
        mate_target(static_cast<std::int32_t>(number32(from + 20))) {}

  std::uint64_t codes_at() const { return name_bytes + std::uint64_t{4} * cigar_count; }
  std::uint64_t values_at() const { return codes_at() + (std::uint64_t{length} + 1) / 2; }
  std::uint64_t needed() const { return values_at() + length; }

  std::int32_t target;
  std::uint32_t name_bytes;  ///< with the NUL byte that ends it
  unsigned cigar_count, flag;
  std::uint32_t length;
  std::int32_t mate_target;
};

void BamStream::Free::operator()(unsigned char* memory) const {
  std::free(memory);
}

BamStream::BamStream(std::unique_ptr<ByteStream> bytes, std::uint64_t most_memory)
    : AlignmentStream("BAM"), bytes_(std::move(bytes)), most_memory_(most_memory) {}

void BamStream::read_header() {
  char begin[magic.size()];
  if (bytes_->read(begin, sizeof begin) != sizeof begin) fail_on_header();
  pass_over(number());
  const std::uint32_t targets = number();
  for (std::uint32_t i = 0; i < targets; ++i) {
    pass_over(number());
    static_cast<void>(number());  // its length
  }
  targets_ = targets;
}

void BamStream::pass_over(std::uint64_t count) {
  char passed_over[4096];
  for (; count != 0; count -= std::min<std::uint64_t>(sizeof passed_over, count)) {
    const std::size_t piece = std::min<std::uint64_t>(sizeof passed_over, count);
    if (bytes_->read(passed_over, piece) != piece) fail_on_header();
  }
}

std::uint32_t BamStream::number() {
  unsigned char bytes[4];
  if (bytes_->read(reinterpret_cast<char*>(bytes), sizeof bytes) != sizeof bytes) fail_on_header();
  return number32(bytes);
}

bool BamStream::next_line(Line& line) {
  if (targets_ < 0) read_header();
  unsigned char begin[4 + Core::bytes];
  const std::size_t count = bytes_->read(reinterpret_cast<char*>(begin), sizeof begin);
  if (count == 0) return false;
  const std::string_view text(reinterpret_cast<const char*>(begin), count);
  if (text.starts_with(magic) && (text.substr(8).starts_with('@') || count < 16)) {
    fail_on_line(
        "is the header of another BAM file, which has been put behind the first; 'samtools cat' "
        "joins files");
  }
  const std::uint32_t size = number32(begin);
  if (count != sizeof begin || size < Core::bytes) fail_damaged_line();
  const Core core(begin + 4);
  const auto is_target = [&](std::int32_t target) { return target >= -1 && target < targets_; };
  if (core.name_bytes == 0 || core.needed() > size - Core::bytes || !is_target(core.target) ||
      !is_target(core.mate_target))
    fail_damaged_line();
  if (size > most_memory_) fail_on_memory(size, most_memory_);
  read_rest(size - Core::bytes);
  const char* const name = reinterpret_cast<const char*>(rest_.get());
  if (name[core.name_bytes - 1] != '\0' || !has_right_cigar(core)) fail_damaged_line();
  line = {name, core.flag, core.length, rest_.get() + core.codes_at(),
          rest_.get() + core.values_at()};
  return true;
}

void BamStream::read_rest(std::size_t size) {
  for (std::size_t done = 0; done != size;) {
    const std::size_t end = std::min(size, std::max(least_piece, 2 * done));
    if (end > room_) {
      // It moves pages, where a vector would copy them.
      void* const grown = std::realloc(rest_.get(), end);
      if (grown == nullptr) throw std::bad_alloc();
      static_cast<void>(rest_.release());
      rest_.reset(static_cast<unsigned char*>(grown));
      room_ = end;
    }
    char* const to = reinterpret_cast<char*>(rest_.get()) + done;
    if (bytes_->read(to, end - done) != end - done) fail_damaged_line();
    done = end;
  }
}

/// Whether the operations take as many symbols as there are. Of a line that is not mapped, they
/// mean nothing.
bool BamStream::has_right_cigar(const Core& core) const {
  if (core.cigar_count == 0 || core.length == 0 || (core.flag & BAM_FUNMAP) != 0) return true;
  std::uint64_t symbols = 0;
  for (unsigned i = 0; i < core.cigar_count; ++i) {
    const std::uint32_t one = number32(rest_.get() + core.name_bytes + std::size_t{4} * i);
    constexpr unsigned takes_symbols = 1;
    if ((bam_cigar_type(bam_cigar_op(one)) & takes_symbols) != 0) symbols += bam_cigar_oplen(one);
  }
  return symbols == core.length;
}

void BamStream::fail_damaged_line() const {
  fail_on_line("is truncated or damaged; fetch the file again");
}

void BamStream::fail_on_header() const {
  throw SourceError("the header of the BAM data is truncated or damaged; fetch the file again");
}

}  // namespace gsx

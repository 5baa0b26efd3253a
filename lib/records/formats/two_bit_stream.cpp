#include "records/formats/two_bit_stream.hpp"

#include <htslib/hfile.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "bytes/source_error.hpp"

namespace gsx {
namespace {

/// The first number of a file in the other byte order.
constexpr std::uint32_t other_magic = 0x4327411A;
constexpr std::size_t line_bases = 50;
/// Bytes of bases that are read at a time.
constexpr std::size_t piece_bytes = std::size_t{16} << 10;
/// Intervals that are read at a time: a count that is wrong takes no memory before the file ends.
constexpr std::size_t piece_intervals = std::size_t{1} << 13;

/// The four bases of each byte, the first one in the highest bits.
constexpr auto four_bases = [] {
  std::array<std::array<char, 4>, 256> bases{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned i = 0; i < 4; ++i)
      bases[byte][i] = "TCAG"[byte >> (6 - 2 * i) & 3];
  return bases;
}();

[[noreturn]] void fail(const std::string& what) {
  throw SourceError("the 2bit data is damaged (" + what + "); fetch the file again");
}

[[noreturn]] void fail_truncated() {
  throw SourceError("the 2bit data ends early: the file is truncated; fetch it again");
}

}  // namespace

TwoBitStream::TwoBitStream(std::unique_ptr<ByteStream> from, const File& facts,
                           std::uint64_t most_memory)
    : from_(std::move(from)), facts_(facts), most_memory_(most_memory) {}

bool TwoBitStream::make(std::string& text) {
  if (!begun_) read_index();
  if (!inside_) {
    if (sequence_ == entries_.size()) {
      require_end();
      return false;
    }
    begin_sequence(text);
    return true;
  }
  if (done_ != length_) {
    add_bases(text);
    return true;
  }
  if (length_ % line_bases != 0) text += '\n';
  inside_ = false;
  ++sequence_;
  return true;
}

void TwoBitStream::read_index() {
  begun_ = true;
  swapped_ = number() == other_magic;
  const std::uint32_t version = number();
  if (version > 1) {
    throw SourceError("it is 2bit of version " + std::to_string(version) +
                      ", which is not known; run: twoBitToFa FILE stdout | gsx ... -");
  }
  const std::uint32_t count = number();
  static_cast<void>(number());  // reserved
  const std::uint64_t entry_bytes = version == 0 ? 5 : 9;
  require_bytes(count * entry_bytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    unsigned char length = 0;
    read_bytes(&length, 1);
    std::string name(length, '\0');
    read_bytes(name.data(), length);
    if (std::ranges::any_of(name, [](char c) { return c >= 0 && c < ' ' && c != '\t'; })) {
      fail("a control byte in the name of sequence " + std::to_string(i + 1));
    }
    std::uint64_t offset = number();
    if (version == 1) {
      const std::uint64_t second = number();
      offset = swapped_ ? offset << 32 | second : second << 32 | offset;
    }
    hold(sizeof(Entry) + name.size());
    entries_.push_back({std::move(name), offset});
  }
}

void TwoBitStream::begin_sequence(std::string& text) {
  const Entry& entry = entries_[sequence_];
  go_to(entry.offset);
  length_ = number();
  done_ = 0;
  held_ -= (unknown_.all.size() + masked_.all.size()) * sizeof(Interval);
  unknown_ = {};
  masked_ = {};
  read_intervals(unknown_);
  read_intervals(masked_);
  static_cast<void>(number());  // reserved
  require_bytes((length_ + 3) / 4);
  text += '>' + entry.name + '\n';
  inside_ = true;
}

void TwoBitStream::read_intervals(Intervals& intervals) {
  const std::uint64_t count = number();
  if (count > length_) fail("more intervals than bases in '" + entries_[sequence_].name + "'");
  require_bytes(count * 8);
  std::vector<std::uint32_t> numbers;
  const auto read_piece = [&](std::uint64_t from) {
    numbers.resize(std::min<std::uint64_t>(piece_intervals, count - from));
    read_bytes(numbers.data(), numbers.size() * sizeof(std::uint32_t));
    if (!swapped_) return;
    for (std::uint32_t& one : numbers)
      one = __builtin_bswap32(one);
  };
  for (std::uint64_t from = 0; from < count; from += piece_intervals) {
    read_piece(from);
    hold(numbers.size() * sizeof(Interval));
    for (const std::uint32_t begin : numbers)
      intervals.all.push_back({begin, 0});
  }
  std::uint64_t before = 0;
  for (std::uint64_t from = 0; from < count; from += piece_intervals) {
    read_piece(from);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Interval& one = intervals.all[from + i];
      const std::uint64_t end = std::uint64_t{one.begin} + numbers[i];
      if (one.begin < before || end > length_) {
        fail("intervals out of order, or beyond the end of '" + entries_[sequence_].name + "'");
      }
      one.end = static_cast<std::uint32_t>(end);
      before = end;
    }
  }
}

void TwoBitStream::add_bases(std::string& text) {
  unsigned char packed[piece_bytes];
  char bases[4 * piece_bytes];
  const std::uint64_t count = std::min<std::uint64_t>(sizeof bases, length_ - done_);
  const std::size_t bytes = (count + 3) / 4;
  read_bytes(packed, bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    std::memcpy(bases + 4 * i, four_bases[packed[i]].data(), 4);
  change(unknown_, bases, count, [](char) { return 'N'; });
  change(masked_, bases, count, [](char c) { return static_cast<char>(c | 0x20); });
  add_lines({bases, count}, text);
  done_ += count;
}

/// Changes those of the next `count` bases that are in an interval.
template <class Change>
void TwoBitStream::change(Intervals& intervals, char* bases, std::uint64_t count,
                          const Change& change) const {
  const std::uint64_t end = done_ + count;
  for (; intervals.next != intervals.all.size(); ++intervals.next) {
    const Interval& one = intervals.all[intervals.next];
    if (one.begin >= end) return;
    char* const from = bases + (std::max<std::uint64_t>(one.begin, done_) - done_);
    char* const to = bases + (std::max(std::min<std::uint64_t>(one.end, end), done_) - done_);
    if (from < to) std::transform(from, to, from, change);
    if (one.end > end) return;
  }
}

void TwoBitStream::add_lines(std::string_view bases, std::string& text) const {
  std::size_t column = done_ % line_bases;
  while (!bases.empty()) {
    const std::string_view part = bases.substr(0, line_bases - column);
    text += part;
    bases.remove_prefix(part.size());
    column += part.size();
    if (column != line_bases) return;
    text += '\n';
    column = 0;
  }
}

void TwoBitStream::go_to(std::uint64_t offset) {
  if (facts_.bytes != 0 && offset > facts_.bytes) fail_truncated();
  if (offset < at_) {
    if (facts_.seekable == nullptr) {
      throw SourceError(
          "the sequences of this 2bit file are not in order, so that it cannot come from a pipe, "
          "or out of a compression; name the file itself");
    }
    if (hseek(facts_.seekable, static_cast<off_t>(offset), SEEK_SET) < 0) fail_with_errno(errno);
    at_ = offset;
  }
  char passed_over[4096];
  while (at_ != offset)
    read_bytes(passed_over, std::min<std::uint64_t>(sizeof passed_over, offset - at_));
}

void TwoBitStream::read_bytes(void* to, std::size_t count) {
  const std::size_t done = from_->read(static_cast<char*>(to), count);
  at_ += done;
  end_ = std::max(end_, at_);
  if (done != count) fail_truncated();
}

std::uint32_t TwoBitStream::number() {
  std::uint32_t one = 0;
  read_bytes(&one, sizeof one);
  static_assert(std::endian::native == std::endian::little);
  return swapped_ ? __builtin_bswap32(one) : one;
}

/// Refuses what follows the last sequence. Pre: all sequences have been read.
void TwoBitStream::require_end() {
  char byte = 0;
  const bool more = facts_.bytes != 0 ? end_ < facts_.bytes : from_->read(&byte, 1) != 0;
  if (!more) return;
  throw SourceError(
      "bytes follow the last sequence of the 2bit data: another file may have been put behind it; "
      "give each its own name, or fetch the file again");
}

/// Refuses what the file is too short for, where its size is known.
void TwoBitStream::require_bytes(std::uint64_t count) const {
  if (facts_.bytes != 0 && count > facts_.bytes - std::min(facts_.bytes, at_)) fail_truncated();
}

void TwoBitStream::hold(std::uint64_t bytes) {
  held_ += bytes;
  if (held_ <= most_memory_) return;
  throw MemoryError("the names and intervals of this 2bit file take more than the " +
                    std::to_string(most_memory_ >> 20) +
                    " MiB of memory allowed; run: twoBitToFa FILE stdout | gsx ... -");
}

}  // namespace gsx

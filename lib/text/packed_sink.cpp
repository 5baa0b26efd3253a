#include "text/packed_sink.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace gsx {
namespace {

/// Copies `bytes` to `to` and returns the pages of `from` to the system on the way, so that both
/// together take little more than one of them. The content of `from` is lost.
void move_bytes(void* to, void* from, std::size_t bytes) {
  constexpr std::size_t step = std::size_t{2} << 20;  // a huge page
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* target = static_cast<std::uint8_t*>(to);
  auto* source = static_cast<std::uint8_t*>(from);
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t count = std::min(step, bytes - done);
    std::memcpy(target + done, source + done, count);
    // Pages at the ends may hold other data.
    const auto address = reinterpret_cast<std::uintptr_t>(source + done);
    const auto begin = (address + page - 1) / page * page;
    const auto end = (address + count) / page * page;
    if (begin < end) madvise(source + done + (begin - address), end - begin, MADV_DONTNEED);
    done += count;
  }
}

std::uint64_t big_endian(std::uint64_t word) {
  static_assert(std::endian::native == std::endian::little);
  return __builtin_bswap64(word);
}

/// Codes of 8 bases in 16 bits, the first base in the highest. Bits 1 and 2 of a letter, in either
/// case, read A 0, C 1, G 3, T and U 2; x ^ x >> 1 turns that into the code.
std::uint64_t codes_of_8(const char* symbols) {
  std::uint64_t word;
  std::memcpy(&word, symbols, sizeof word);
  word = big_endian(word) >> 1 & 0x0303030303030303;
  word ^= word >> 1 & 0x0101010101010101;
  // Join pairs, then all four pairs in one multiplication: unwanted products fall outside the top
  // 16 bits.
  word = (word | word >> 6) & 0x000F000F000F000F;
  constexpr std::uint64_t gather = std::uint64_t{1} << 12 | std::uint64_t{1} << 24 |
                                   std::uint64_t{1} << 36 | std::uint64_t{1} << 48;
  return word * gather >> 48;
}

std::uint64_t code_of(char symbol) {
  const std::uint64_t bits = static_cast<unsigned char>(symbol) >> 1 & 3u;
  return bits ^ bits >> 1;
}

}  // namespace

void PackedSink::reserve(std::uint64_t values) {
  const std::uint64_t bytes = PackedView::bytes_for(values, bits_);
  if (bytes <= bytes_.size()) return;
  const std::unique_lock lock(moving_);
  Buffer<std::uint8_t> larger(bytes, what_);
  move_bytes(larger.data(), bytes_.data(), (size_ * bits_ + 7) / 8);
  bytes_ = std::move(larger);
}

void PackedSink::extend(std::uint64_t values) {
  const std::uint64_t end = size_ + values;
  if (PackedView::bytes_for(end, bits_) > bytes_.size()) reserve(std::max(end, 2 * size_));
  size_ = end;
}

PackedSink::Access PackedSink::access() {
  std::shared_lock lock(moving_);
  std::uint8_t* bytes = bytes_.data();
  return {std::move(lock), bytes};
}

void PackedSink::set_shared(std::uint64_t byte, std::uint8_t bits) {
  const std::lock_guard lock(sharing_);
  shared_.push_back({byte, bits});
}

PackedArray PackedSink::take() {
  if (bytes_.size() == 0) reserve(0);
  for (const SharedBits& part : shared_)
    bytes_[part.byte] = 0;
  for (const SharedBits& part : shared_)
    bytes_[part.byte] |= part.bits;
  shared_.clear();
  return {std::move(bytes_), std::exchange(size_, 0), bits_};
}

void BaseWriter::write_word(std::uint64_t word) {
  const std::uint64_t stored = big_endian(word);
  std::memcpy(access_.bytes + byte_, &stored, sizeof stored);
  if (shared_) sink_.set_shared(byte_, static_cast<std::uint8_t>(word >> 56));
  shared_ = false;
  byte_ += sizeof stored;
}

void BaseWriter::push(std::uint64_t codes, std::uint32_t bits) {
  const std::uint32_t room = 64 - filled_;
  if (bits < room) {
    pending_ = pending_ << bits | codes;
    filled_ += bits;
    return;
  }
  filled_ = bits - room;
  write_word((room == 64 ? 0 : pending_ << room) | codes >> filled_);
  pending_ = codes;
}

void BaseWriter::separator() {
  push(0, 2);
}

void BaseWriter::append(const char* symbols, std::uint64_t count) {
  for (; count >= 32; count -= 32, symbols += 32) {
    push(codes_of_8(symbols) << 48 | codes_of_8(symbols + 8) << 32 |
             codes_of_8(symbols + 16) << 16 | codes_of_8(symbols + 24),
         64);
  }
  for (; count >= 8; count -= 8, symbols += 8)
    push(codes_of_8(symbols), 16);
  for (; count != 0; --count, ++symbols)
    push(code_of(*symbols), 2);
}

void BaseWriter::finish() {
  const std::uint64_t word = filled_ == 0 ? 0 : pending_ << (64 - filled_);
  for (std::uint32_t bit = 0; bit < filled_; bit += 8, ++byte_, shared_ = false) {
    const auto bits = static_cast<std::uint8_t>(word << bit >> 56);
    if (shared_ || bit + 8 > filled_) {
      sink_.set_shared(byte_, bits);
    } else {
      access_.bytes[byte_] = bits;
    }
  }
}

}  // namespace gsx

// Growing packed symbols, for texts whose length is not known before the input ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/packed.hpp"

namespace gsx {

/// Appends codes of `bits` bits to a stream that grows; a PackedArray is made of it at the end.
class PackedSink {
 public:
  explicit PackedSink(std::uint32_t bits) : bits_(bits) {}

  void push(std::uint64_t code) {
    pending_ = (pending_ << bits_) | code;
    filled_ += bits_;
    ++size_;
    while (filled_ >= 8) {
      filled_ -= 8;
      bytes_.push_back(static_cast<char>(pending_ >> filled_));
    }
  }
  /// Appends the codes of `symbols`, all of which must have one in `codes`.
  void append(std::string_view symbols, const std::uint8_t* codes) {
    std::size_t i = 0;
    for (; i < symbols.size() && filled_ != 0; ++i)
      push(code_of(symbols[i], codes));
    // Byte-aligned from here: eight symbols make exactly `bits` bytes.
    const std::size_t groups = (symbols.size() - i) / 8;
    const std::size_t start = bytes_.size();
    bytes_.resize(start + groups * bits_);
    auto* out = reinterpret_cast<std::uint8_t*>(bytes_.data()) + start;
    for (std::size_t group = 0; group < groups; ++group, i += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < 8; ++k)
        word = (word << bits_) | code_of(symbols[i + k], codes);
      for (std::uint32_t byte = bits_; byte-- > 0; word >>= 8) {
        out[byte] = static_cast<std::uint8_t>(word);
      }
      out += bits_;
    }
    size_ += groups * 8;
    for (; i < symbols.size(); ++i)
      push(code_of(symbols[i], codes));
  }
  std::uint64_t size() const { return size_; }

  /// The values so far as an array; the sink is empty afterwards.
  PackedArray take(const char* what) {
    if (filled_ > 0) bytes_.push_back(static_cast<char>(pending_ << (8 - filled_)));
    PackedArray array(size_, bits_, what);
    std::memcpy(array.data(), bytes_.data(), bytes_.size());
    *this = PackedSink(bits_);
    return array;
  }

 private:
  static std::uint64_t code_of(char symbol, const std::uint8_t* codes) {
    return codes[static_cast<unsigned char>(symbol)];
  }

  std::uint32_t bits_;
  std::uint32_t filled_ = 0;
  std::uint64_t pending_ = 0;
  std::uint64_t size_ = 0;
  std::string bytes_;
};

}  // namespace gsx

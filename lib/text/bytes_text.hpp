// Bytes as a text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/packed.hpp"
#include "base/parallel.hpp"
#include "text/byte_alphabet.hpp"
#include "text/text.hpp"

namespace gsx {

/// Bytes as a text of one segment, with the smallest alphabet that holds them.
class BytesText {
 public:
  BytesText(std::span<const std::uint8_t> bytes, int threads)
      : alphabet_(occurring(bytes, threads)),
        segments_({0, bytes.size() + 1}),
        symbols_(code_all(bytes, threads)) {}

  TextView view() const { return {symbols_.view(), segments_.view(), alphabet_.size}; }
  std::uint8_t byte(std::uint8_t code) const { return alphabet_.byte_of[code]; }

 private:
  static std::uint64_t pieces_for(int threads) { return static_cast<std::uint64_t>(threads) * 4; }

  static std::array<bool, 256> occurring(std::span<const std::uint8_t> bytes, int threads) {
    const std::uint64_t pieces = pieces_for(threads);
    std::vector<std::array<bool, 256>> occurs(pieces);
    parallel_for(threads, pieces, [&](std::uint64_t piece, int) {
      const Slice slice = slice_of(bytes.size(), pieces, piece);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        occurs[piece][bytes[i]] = true;
    });
    std::array<bool, 256> any{};
    for (std::size_t byte = 0; byte < any.size(); ++byte)
      any[byte] = std::ranges::any_of(occurs, [byte](const auto& some) { return some[byte]; });
    return any;
  }

  /// Pieces are of a multiple of 8 symbols, so that they end between bytes.
  PackedArray code_all(std::span<const std::uint8_t> bytes, int threads) const {
    const std::uint64_t pieces = pieces_for(threads);
    PackedArray symbols(bytes.size() + 1, alphabet_.bits(), "text");
    parallel_for(threads, pieces, [&](std::uint64_t piece, int) {
      const Slice slice = slice_of(bytes.size() + 1, pieces, piece, 8);
      PackedWriter writer = symbols.writer(slice.begin);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        writer.push(i < bytes.size() ? alphabet_.code_of[bytes[i]] : 0);
      writer.finish();
    });
    return symbols;
  }

  ByteAlphabet alphabet_;
  Segments segments_;
  PackedArray symbols_;
};

}  // namespace gsx

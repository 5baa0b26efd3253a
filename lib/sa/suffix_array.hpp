// The suffix array: all positions of a text in the order of the suffixes that start there.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "base/buffer.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Owner of a suffix array of n entries, separators' suffixes (rows [0, m)) included. Entries are
/// 32 bits wide while n < 2^32, else 64; the width is a fact of run time.
class SuffixArray {
 public:
  explicit SuffixArray(Buffer<std::uint32_t> rows) : rows_(std::move(rows)) {}
  explicit SuffixArray(Buffer<std::uint64_t> rows) : rows_(std::move(rows)) {}

  std::uint64_t size() const {
    return std::visit([](const auto& rows) -> std::uint64_t { return rows.size(); }, rows_) -
           dropped_;
  }
  std::uint64_t operator[](std::uint64_t row) const {
    return std::visit(
        [row = row + dropped_](const auto& rows) -> std::uint64_t { return rows[row]; }, rows_);
  }
  /// Calls visitor(rows), rows a const pointer to 32-bit or 64-bit entries.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(
        [&](const auto& rows) -> decltype(auto) { return visitor(rows.data() + dropped_); }, rows_);
  }
  /// Leaves out the first rows, such as the separators'. Pre: rows <= size().
  void drop_first(std::uint64_t rows) { dropped_ += rows; }

 private:
  std::variant<Buffer<std::uint32_t>, Buffer<std::uint64_t>> rows_;
  std::uint64_t dropped_ = 0;
};

/// How wide positions are. `automatic` is narrow while the length allows; the others exist so that
/// tests can run both paths on small texts.
enum class PositionWidth : std::uint8_t { automatic, narrow, wide };

/// Whether a text of this length takes 64-bit positions.
inline bool is_wide(std::uint64_t length, PositionWidth width) {
  return width == PositionWidth::automatic ? length > 0xFFFFFFFFull : width == PositionWidth::wide;
}

}  // namespace gsx

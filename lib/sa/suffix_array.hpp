// The suffix array: all positions of a text in the order of the suffixes that start there.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "base/buffer.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Owns a suffix array of n entries: row r holds the position of the r-th smallest suffix. Rows
/// [0, m) hold the m separators. Entries have 32 bits while n < 2^32 and 64 bits otherwise; the
/// width is chosen at run time.
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
  /// Calls visitor(entries) with a const pointer to 32-bit or 64-bit entries.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(
        [&](const auto& rows) -> decltype(auto) { return visitor(rows.data() + dropped_); }, rows_);
  }
  /// Leaves out the first rows, for example those of the separators. Pre: rows <= size().
  void drop_first(std::uint64_t rows) { dropped_ += rows; }

 private:
  std::variant<Buffer<std::uint32_t>, Buffer<std::uint64_t>> rows_;
  std::uint64_t dropped_ = 0;
};

/// How wide positions are. `automatic` is narrow while the length allows that; the others let tests
/// run both paths on small texts.
enum class PositionWidth : std::uint8_t { automatic, narrow, wide };

/// Whether a text of this length needs 64-bit positions.
inline bool is_wide(std::uint64_t length, PositionWidth width) {
  return width == PositionWidth::automatic ? length > 0xFFFFFFFFull : width == PositionWidth::wide;
}

}  // namespace gsx

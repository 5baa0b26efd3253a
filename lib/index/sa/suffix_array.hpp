// The suffix array: all positions of a text in the order of the suffixes that start there. And its
// inverse.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Owns n positions or row numbers, in 32 bits or in 64; the width is chosen at run time.
class PositionArray {
 public:
  explicit PositionArray(Buffer<std::uint32_t> entries) : entries_(std::move(entries)) {}
  explicit PositionArray(Buffer<std::uint64_t> entries) : entries_(std::move(entries)) {}
  /// Leave an empty array behind.
  PositionArray(PositionArray&& other) noexcept
      : entries_(std::move(other.entries_)), dropped_(std::exchange(other.dropped_, 0)) {}
  PositionArray& operator=(PositionArray&& other) noexcept {
    if (this == &other) return *this;
    entries_ = std::move(other.entries_);
    dropped_ = std::exchange(other.dropped_, 0);
    return *this;
  }

  std::uint64_t size() const {
    return std::visit([](const auto& all) -> std::uint64_t { return all.size(); }, entries_) -
           dropped_;
  }
  std::uint64_t operator[](std::uint64_t i) const {
    return std::visit([i = i + dropped_](const auto& all) -> std::uint64_t { return all[i]; },
                      entries_);
  }
  /// Calls visitor(entries) with a const pointer to 32-bit or 64-bit entries.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(
        [&](const auto& all) -> decltype(auto) { return visitor(all.data() + dropped_); },
        entries_);
  }
  /// The entries, where they are of type Pos. Throws RuntimeError where they are not.
  template <class Pos>
  std::span<const Pos> entries() const {
    const auto* const all = std::get_if<Buffer<Pos>>(&entries_);
    if (all == nullptr) throw RuntimeError("an array has wrong entries: this is a bug in gsx");
    return all->span().subspan(dropped_);
  }
  /// Leaves out the first entries, for example the rows of the separators. Pre: count <= size().
  void drop_first(std::uint64_t count) { dropped_ += count; }

 private:
  std::variant<Buffer<std::uint32_t>, Buffer<std::uint64_t>> entries_;
  std::uint64_t dropped_ = 0;
};

/// A suffix array of n entries: row r holds the position of the r-th smallest suffix. Of a
/// text with m segments, rows [0, m) hold its separators; of bytes, no separator is among the rows.
/// Entries have 32 bits while the text, separators included, has fewer than 2^32 symbols, and 64
/// bits otherwise.
class SuffixArray : public PositionArray {
 public:
  using PositionArray::PositionArray;
};

/// The inverse of a suffix array: entry p is the row of the suffix that starts at position p.
class InverseSuffixArray : public PositionArray {
 public:
  using PositionArray::PositionArray;
};

/// How wide positions are. `automatic` is narrow if the length allows that; the others let tests
/// run both paths on small texts.
enum class PositionWidth : std::uint8_t { automatic, narrow, wide };

/// Whether a text of this length needs 64-bit positions.
inline bool is_wide(std::uint64_t length, PositionWidth width) {
  return width == PositionWidth::automatic ? length > 0xFFFFFFFFull : width == PositionWidth::wide;
}

}  // namespace gsx

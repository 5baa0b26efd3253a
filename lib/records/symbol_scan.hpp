// Tests of many bytes at once: may a piece of a line be taken unchanged?
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gsx {

/// 16 bytes, which the compiler keeps in one vector register where the machine has them.
using ByteLanes = std::uint8_t __attribute__((vector_size(16)));

namespace scan_detail {

/// Applies `is_odd(at, lanes)` to every 16 bytes of the text, which begin at `at`; the last 16
/// overlap those before. Returns whether any lane was not zero. Pre: text.size() >= 16.
template <class Predicate>
bool any_lanes(std::string_view text, Predicate is_odd) {
  constexpr std::size_t width = sizeof(ByteLanes);
  const auto test = [&](std::size_t at) {
    ByteLanes lanes;
    std::memcpy(&lanes, text.data() + at, width);
    return is_odd(at, lanes);
  };
  auto odd = test(text.size() - width);
  std::size_t at = 0;
  for (; at + 4 * width <= text.size(); at += 4 * width)
    odd |= (test(at) | test(at + width)) | (test(at + 2 * width) | test(at + 3 * width));
  for (; at + width <= text.size(); at += width)
    odd |= test(at);
  std::uint64_t halves[2];
  std::memcpy(halves, &odd, width);
  return (halves[0] | halves[1]) != 0;
}

/// Whether `is_odd` holds for any byte. It takes a ByteLanes and returns the lanes where it holds;
/// for short texts, it takes a single byte.
template <class Predicate>
bool any_byte(std::string_view text, Predicate is_odd) {
  if (text.size() >= sizeof(ByteLanes)) {
    return any_lanes(text, [&](std::size_t, ByteLanes lanes) { return is_odd(lanes); });
  }
  bool odd = false;
  for (const char c : text)
    odd |= is_odd(static_cast<std::uint8_t>(c)) != 0;
  return odd;
}

inline constexpr auto no_symbol = [](auto b) { return (b <= 0x20) | (b == 0x7f) | (b == '>'); };
inline constexpr auto no_quality = [](auto b) { return (b <= 0x20) | (b == 0x7f); };

}  // namespace scan_detail

/// Whether every byte may be a sequence symbol: printable, not a blank, not '>'. Cost: one pass, 16
/// bytes per step.
inline bool all_symbols(std::string_view text) {
  return !scan_detail::any_byte(text, scan_detail::no_symbol);
}

/// Copies `text` to `to` and returns all_symbols(text). Pre: text.size() >= 16.
inline bool copy_symbols(std::string_view text, char* to) {
  return !scan_detail::any_lanes(text, [&](std::size_t at, ByteLanes lanes) {
    std::memcpy(to + at, &lanes, sizeof lanes);
    return scan_detail::no_symbol(lanes);
  });
}

/// Whether every byte may be a quality value: printable and not a blank.
inline bool all_qualities(std::string_view text) {
  return !scan_detail::any_byte(text, scan_detail::no_quality);
}

/// Whether the text has neither NUL nor carriage return: no header or '+' line has either. Other
/// control bytes do occur: tabs, and ^A between the titles of merged database entries.
inline bool is_header(std::string_view text) {
  return !scan_detail::any_byte(text, [](auto b) { return (b == 0) | (b == '\r'); });
}

/// Whether any byte is a control character, which could break a line or steer a terminal.
inline bool has_control(std::string_view text) {
  return scan_detail::any_byte(text, [](auto b) { return (b < 0x20) | (b == 0x7f); });
}

}  // namespace gsx

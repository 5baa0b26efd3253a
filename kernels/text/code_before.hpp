// The code before a suffix of a text.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Stands for the code of a separator.
inline constexpr std::uint16_t separator_code = 0x100;

/// Whether the slot before p is a separator's, or there is none.
GSX_HD bool starts_segment(const TextView& text, std::uint64_t p) {
  return text.segments.count == 1 ? p == 0 : text.segments.starts_at(p);
}

/// The code before p, or separator_code. Its lowest 8 bits are 0 for a separator, too.
GSX_HD std::uint16_t code_before(const TextView& text, std::uint64_t p) {
  const auto code = p == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(text.symbols[p - 1]);
  return code == 0 && starts_segment(text, p) ? separator_code : code;
}

}  // namespace gsx::cuda

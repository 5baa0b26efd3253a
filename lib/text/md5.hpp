// MD5 digests.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/export.hpp"

namespace gsx {

using Md5 = std::array<std::uint8_t, 16>;

/// 32 lower-case hexadecimal digits.
GSX_API std::string to_hex(const Md5& md5);

}  // namespace gsx

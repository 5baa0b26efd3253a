// Decodes UTF-8 from untrusted bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace gsx {

/// Length in bytes of the valid UTF-8 character at the start of `text`; 0 if there is none. Pre:
/// text is not empty.
std::size_t utf8_length(std::string_view text);

/// Whether a multi-byte character, which utf8_length() has accepted, is a control character (U+0080
/// to U+009F), a line or paragraph separator, or changes the direction of text.
bool is_utf8_control(std::string_view sequence);

}  // namespace gsx

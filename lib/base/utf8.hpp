// UTF-8 as untrusted bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace gsx {

/// Bytes of the valid UTF-8 sequence at the start of `text`, or 0. Pre: text is not empty.
std::size_t utf8_length(std::string_view text);

/// Whether the character of several bytes that `sequence` is, one that utf8_length accepts, is a
/// control character (U+0080 to U+009F), a line or paragraph separator, or one that turns the
/// direction of text.
bool is_utf8_control(std::string_view sequence);

}  // namespace gsx

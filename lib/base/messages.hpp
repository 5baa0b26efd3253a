// What error messages are made of: names from outside that are safe to show, and failed system
// calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gsx {

/// Throws the error of a failed system call on `path`: ResourceError if the disk, a quota or the
/// memory is exhausted, else RuntimeError. `action` completes "cannot ..."; `number` is errno.
[[noreturn]] void throw_system_error(const std::string& action, const std::string& path,
                                     int number);

/// Throws UsageError for a path that holds a NUL byte: the system would take what stands before it
/// for the whole.
void require_path(std::string_view path);

/// `text` with everything escaped as \xHH that could break a line or steer a terminal: control
/// characters, characters that change the direction of text, and bytes that are not UTF-8. Doubles
/// backslashes.
std::string printable(std::string_view text);

/// "1 part", "2 parts": a number, and the word for one or for many.
std::string counted(std::uint64_t number, const char* one, const char* many);

/// printable(), shortened for a message: of a very long name, its beginning and its length.
std::string shown_name(std::string_view name);

}  // namespace gsx

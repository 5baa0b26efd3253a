// Numbers of bytes in messages.
#pragma once

#include <cstdint>
#include <string>

namespace gsx {

/// Such as "12.3 MB", in powers of 1000; below them "999 bytes".
std::string size_text(std::uint64_t bytes);

/// Such as "12345678 bytes (12.3 MB)".
std::string bytes_text(std::uint64_t bytes);

/// Says that there is too little memory for `use`, which takes so many bytes at least. `scope`
/// follows these, such as " in all".
std::string memory_shortage(const std::string& use, std::uint64_t bytes,
                            const std::string& limited_by, std::uint64_t limit,
                            const char* scope = "");

}  // namespace gsx

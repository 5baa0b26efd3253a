// What is said of an index file that is damaged, and checks of fields that have a filling.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace gsx {

/// Throws the CorruptIndexError of the index of that name: what is wrong with it, and what to do.
[[noreturn]] void throw_corrupt_index(const std::string& path, const std::string& why);

/// Whether all of these bytes are zero.
bool is_zero(std::span<const std::uint8_t> bytes);
/// Whether a field of characters holds visible ones and then zeros, at least one.
bool is_zero_padded(std::span<const char> field);

}  // namespace gsx

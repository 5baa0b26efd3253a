// Whether two reads have the name of one pair.
#pragma once

#include <string_view>

namespace gsx {

/// The name of a read without the /1 or /2 that tells the mates of a pair apart.
inline std::string_view pair_name(std::string_view name) {
  const std::size_t size = name.size();
  const bool tagged =
      size > 2 && name[size - 2] == '/' && (name[size - 1] == '1' || name[size - 1] == '2');
  return tagged ? name.substr(0, size - 2) : name;
}

inline bool are_mates(std::string_view first, std::string_view second) {
  return first == second || pair_name(first) == pair_name(second);
}

}  // namespace gsx

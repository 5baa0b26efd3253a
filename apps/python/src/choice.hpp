// Words that stand for values.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include "gsx/error.hpp"

namespace gsx::python {

/// The value that a word stands for. Throws UsageError, which names the parameter and all words,
/// for another one.
template <class Value>
Value choose(const std::string& word, const char* name,
             std::initializer_list<std::pair<const char*, Value>> words) {
  std::string all;
  std::size_t left = words.size();
  for (const auto& [known, value] : words) {
    if (word == known) return value;
    --left;
    all += "'" + std::string(known) + (left == 0 ? "'" : left == 1 ? "' or " : "', ");
  }
  throw UsageError(std::string(name) + " is '" + word + "', and must be " + all);
}

}  // namespace gsx::python

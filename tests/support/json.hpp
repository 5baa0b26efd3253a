// Whether a text is JSON.
#pragma once

#include <string_view>

#include "output/json/json.hpp"

namespace gsx::testing {

/// Whether the text is one JSON document (RFC 8259) and nothing else.
inline bool is_json(std::string_view text) {
  try {
    parse_json(text);
    return true;
  } catch (const JsonFault&) {
    return false;
  }
}

}  // namespace gsx::testing

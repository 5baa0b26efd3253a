// Reads small JSON documents that others may have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

struct JsonMember;

/// A value of a JSON document.
struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object };

  Kind kind = Kind::null;
  std::string text;  ///< of a string; of any other scalar, as it was written
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;  ///< in their order

  /// The first member of that name; null if there is none.
  const JsonValue* member(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// A document that is not JSON: what was wrong, and at which byte.
struct JsonFault {
  std::string what;
  std::size_t at = 0;
};

/// Parses a document (RFC 8259). Throws JsonFault for anything else, and for values nested deeper
/// than `json_depth`.
JsonValue parse_json(std::string_view text);
inline constexpr int json_depth = 16;

}  // namespace gsx

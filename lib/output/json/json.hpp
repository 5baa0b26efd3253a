// JSON documents, read and written by RapidJSON. Lines of results have faster writers of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsx {

struct JsonMember;
/// The members of an object, in their order.
using JsonMembers = std::vector<JsonMember>;

/// A value of a JSON document. It is made of what it holds, so that members are {name, content}.
struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object };

  // None of these is inline: a list of members would have many.
  JsonValue();  ///< null
  ~JsonValue();
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  JsonValue(Kind own, std::string content);
  // NOLINTBEGIN(google-explicit-constructor)
  JsonValue(bool is);
  JsonValue(std::uint64_t number);
  JsonValue(double number);  ///< with as few digits as tell it from others
  JsonValue(const char* word);
  JsonValue(std::string_view word);
  JsonValue(std::string word);
  JsonValue(const std::vector<std::string>& words);
  JsonValue(std::vector<JsonValue> all);
  JsonValue(JsonMembers all);
  // NOLINTEND(google-explicit-constructor)

  bool operator==(const JsonValue& other) const;
  /// The number, if it is written in digits alone and fits 64 bits.
  std::optional<std::uint64_t> whole_number() const;

  Kind kind = Kind::null;
  std::string text = "null";  ///< of a string; of any other scalar, as it is written
  std::vector<JsonValue> items;
  JsonMembers members;
};

struct JsonMember {
  std::string name;
  JsonValue value;

  bool operator==(const JsonMember&) const = default;
};

/// The member of that name; null if there is none.
const JsonValue* find_member(const JsonMembers& members, std::string_view name);
inline JsonValue* find_member(JsonMembers& members, std::string_view name) {
  return const_cast<JsonValue*>(find_member(std::as_const(members), name));
}

/// A document that is not JSON: what is wrong, and at which byte.
struct JsonFault {
  std::string what;
  std::size_t at = 0;
};

/// Parses a document (RFC 8259). Throws JsonFault for anything else, for strings that are not
/// UTF-8, for an object that has a member twice, and for values nested deeper than `json_depth`.
JsonValue parse_json(std::string_view text);
inline constexpr std::size_t json_depth = 16;

/// All of a document, without blanks. Bytes that are not UTF-8 are written as Latin-1, as lines of
/// results have them.
std::string json_text(const JsonValue& value);

/// Appends a document to a string in the same way, piece by piece.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out);
  ~JsonWriter();

  /// Begin and end an array or an object.
  void begin(JsonValue::Kind kind);
  void end(JsonValue::Kind kind);
  void name(std::string_view name);
  void value(const JsonValue& value);
  void member(std::string_view own, const JsonValue& content) {
    name(own);
    value(content);
  }

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace gsx

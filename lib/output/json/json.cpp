#include "output/json/json.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/writer.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>

#include "base/messages.hpp"
#include "base/utf8.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

using Length = rapidjson::SizeType;
using Utf8 = rapidjson::UTF8<>;

// NOLINTBEGIN(readability-identifier-naming): the names that the library calls.

/// The memory of the library, which would not look whether malloc() gives any.
struct Memory {
  [[maybe_unused]] static constexpr bool kNeedFree = true;

  static void* Malloc(std::size_t bytes) { return bytes == 0 ? nullptr : ::operator new(bytes); }
  static void* Realloc(void* old, std::size_t had, std::size_t wanted) {
    void* const grown = Malloc(wanted);
    if (had != 0 && wanted != 0) std::memcpy(grown, old, std::min(had, wanted));
    Free(old);
    return grown;
  }
  static void Free(void* memory) { ::operator delete(memory); }
};

/// Appends what the library writes to a string.
struct Sink {
  using Ch = char;

  void Put(char c) { out += c; }
  static void Flush() {}

  std::string& out;
};

/// Makes a tree of what the library reads. Throws JsonFault for what it lets pass.
class TreeMaker : public rapidjson::BaseReaderHandler<Utf8, TreeMaker> {
 public:
  explicit TreeMaker(const rapidjson::MemoryStream& source) : source_(source) {}

  JsonValue take() { return std::move(root_); }

  bool Null() { return add({}); }
  bool Bool(bool is) { return add(is); }
  bool RawNumber(const char* digits, Length length, bool /*copy*/) {
    return add({JsonValue::Kind::number, std::string(digits, length)});
  }
  bool String(const char* text, Length length, bool /*copy*/) { return add(checked(text, length)); }
  bool Key(const char* text, Length length, bool /*copy*/) {
    open_.back()->members.push_back({checked(text, length), {}});
    return true;
  }
  bool StartObject() { return add(JsonMembers(), true); }
  bool StartArray() { return add(std::vector<JsonValue>(), true); }
  bool EndArray(Length /*items*/) {
    open_.pop_back();
    return true;
  }
  bool EndObject(Length members) {
    std::vector<std::string_view> names;
    names.reserve(members);
    for (const JsonMember& member : open_.back()->members)
      names.emplace_back(member.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end())
      fail("the object that ends here has the member '" + shown_name(*twice) + "' twice");
    open_.pop_back();
    return true;
  }

 private:
  /// Pre: the library has just read what is wrong.
  [[noreturn]] void fail(const std::string& what) const {
    throw JsonFault{what, source_.Tell() - 1};
  }

  /// A string. The library lets halves of surrogate pairs pass.
  std::string checked(const char* text, Length length) const {
    for (std::string_view rest(text, length); !rest.empty();) {
      const std::size_t next = utf8_length(rest);
      if (next == 0) fail("a string holds half a surrogate pair");
      rest.remove_prefix(next);
    }
    return {text, length};
  }
  /// Puts a value into its place, where it stays until it has ended.
  bool add(JsonValue value, bool opens = false) {
    if (open_.size() > json_depth) fail("values are nested too deeply");
    JsonValue* const parent = open_.empty() ? nullptr : open_.back();
    JsonValue& place = parent == nullptr                         ? root_
                       : parent->kind == JsonValue::Kind::object ? parent->members.back().value
                                                                 : parent->items.emplace_back();
    place = std::move(value);
    if (opens) open_.push_back(&place);
    return true;
  }

  const rapidjson::MemoryStream& source_;
  JsonValue root_;
  std::vector<JsonValue*> open_;  ///< the arrays and objects that have not ended
};

// NOLINTEND(readability-identifier-naming)

/// What the library calls a fault, as part of a sentence.
std::string worded(rapidjson::ParseErrorCode code) {
  std::string what = rapidjson::GetParseError_En(code);
  what.front() = static_cast<char>(what.front() | 0x20);
  if (what.ends_with('.')) what.pop_back();
  return what;
}

}  // namespace

JsonValue::JsonValue() = default;
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(const JsonValue& other) = default;
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue& other) = default;
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
JsonValue::JsonValue(Kind own, std::string content) : kind(own), text(std::move(content)) {}
JsonValue::JsonValue(bool is) : JsonValue(Kind::boolean, is ? "true" : "false") {}
JsonValue::JsonValue(std::uint64_t number) : JsonValue(Kind::number, std::to_string(number)) {}
JsonValue::JsonValue(double number) : JsonValue(Kind::number, fmt::format("{}", number)) {}
JsonValue::JsonValue(const char* word) : JsonValue(Kind::text, word) {}
JsonValue::JsonValue(std::string_view word) : JsonValue(Kind::text, std::string(word)) {}
JsonValue::JsonValue(std::string word) : JsonValue(Kind::text, std::move(word)) {}
JsonValue::JsonValue(const std::vector<std::string>& words)
    : JsonValue(std::vector<JsonValue>(words.begin(), words.end())) {}
JsonValue::JsonValue(std::vector<JsonValue> all)
    : kind(Kind::array), text(), items(std::move(all)) {}
JsonValue::JsonValue(JsonMembers all) : kind(Kind::object), text(), members(std::move(all)) {}

bool JsonValue::operator==(const JsonValue& other) const {
  return kind == other.kind && text == other.text && items == other.items &&
         members == other.members;
}

std::optional<std::uint64_t> JsonValue::whole_number() const {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (kind != Kind::number || error != std::errc() || read != end) return {};
  return number;
}

const JsonValue* find_member(const JsonMembers& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &JsonMember::name);
  return found == members.end() ? nullptr : &found->value;
}

JsonValue parse_json(std::string_view text) {
  rapidjson::MemoryStream source(text.data(), text.size());
  rapidjson::GenericReader<Utf8, Utf8, Memory> reader;
  TreeMaker maker(source);
  constexpr unsigned flags =
      rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag;
  const rapidjson::ParseResult result = reader.Parse<flags>(source, maker);
  if (result.IsError()) throw JsonFault{worded(result.Code()), result.Offset()};
  if (source.Tell() != text.size())  // the library takes NUL for the end
    throw JsonFault{"something follows the value", source.Tell()};
  return maker.take();
}

struct JsonWriter::Library {
  void put(const std::string& written, rapidjson::Type type) {
    writer.RawValue(written.data(), written.size(), type);
  }
  void put_text(std::string_view text) {
    std::string quoted;
    append_json_string(quoted, text);
    put(quoted, rapidjson::kStringType);
  }

  Sink sink;
  rapidjson::Writer<Sink, Utf8, Utf8, Memory> writer{sink};
};

JsonWriter::JsonWriter(std::string& out) : library_(new Library{Sink{out}}) {}

JsonWriter::~JsonWriter() = default;

void JsonWriter::begin(JsonValue::Kind kind) {
  kind == JsonValue::Kind::object ? library_->writer.StartObject() : library_->writer.StartArray();
}

void JsonWriter::end(JsonValue::Kind kind) {
  kind == JsonValue::Kind::object ? library_->writer.EndObject() : library_->writer.EndArray();
}

void JsonWriter::name(std::string_view name) {
  library_->put_text(name);
}

void JsonWriter::value(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::text) return library_->put_text(value.text);
  if (value.kind < JsonValue::Kind::text) return library_->put(value.text, rapidjson::kNumberType);
  begin(value.kind);
  for (const JsonValue& item : value.items)
    this->value(item);
  for (const auto& [own, content] : value.members)
    member(own, content);
  end(value.kind);
}

std::string json_text(const JsonValue& value) {
  std::string text;
  JsonWriter(text).value(value);
  return text;
}

}  // namespace gsx

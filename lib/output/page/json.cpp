#include "output/page/json.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace gsx {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue value = this->value(0);
    skip_blanks();
    if (at_ < text_.size()) fail("something follows the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* what) const { throw JsonFault{what, at_}; }
  /// The next byte; NUL, which no document may hold here, at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
      ++at_;
  }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void require(char c, const char* what) {
    if (!take(c)) fail(what);
  }

  JsonValue value(int depth) {
    if (depth > json_depth) fail("values are nested too deeply");
    skip_blanks();
    JsonValue value;
    if (take('{')) {
      value.kind = JsonValue::Kind::object;
      read_members(value, depth);
    } else if (take('[')) {
      value.kind = JsonValue::Kind::array;
      read_items(value, depth);
    } else if (take('"')) {
      value.kind = JsonValue::Kind::text;
      value.text = string();
    } else if (peek() == '-' || is_digit(peek())) {
      value.kind = JsonValue::Kind::number;
      value.text = number();
    } else {
      value.text = word();
      if (value.text != "null") value.kind = JsonValue::Kind::boolean;
    }
    return value;
  }

  void read_members(JsonValue& object, int depth) {
    skip_blanks();
    if (take('}')) return;
    do {
      skip_blanks();
      require('"', "there is no name of a member");
      std::string name = string();
      skip_blanks();
      require(':', "there is no colon behind the name of a member");
      object.members.push_back({std::move(name), value(depth + 1)});
      skip_blanks();
    } while (take(','));
    require('}', "an object does not end");
  }

  void read_items(JsonValue& array, int depth) {
    skip_blanks();
    if (take(']')) return;
    do {
      array.items.push_back(value(depth + 1));
      skip_blanks();
    } while (take(','));
    require(']', "an array does not end");
  }

  /// The rest of a string, behind its first quote.
  std::string string() {
    std::string out;
    while (!take('"')) {
      if (at_ == text_.size()) fail("a string does not end");
      if (static_cast<unsigned char>(peek()) < 0x20) fail("a string holds a control character");
      if (take('\\')) {
        append_escaped(out);
      } else {
        out += text_[at_++];
      }
    }
    return out;
  }

  void append_escaped(std::string& out) {
    constexpr std::string_view escapes = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const std::size_t found = at_ < text_.size() ? escapes.find(text_[at_]) : escapes.npos;
    if (found != escapes.npos) {
      out += meant[found];
      ++at_;
      return;
    }
    require('u', "a string holds a wrong escape");
    std::uint32_t code = four_digits();
    if (code >= 0xD800 && code < 0xDC00 && take('\\')) {
      require('u', "a string holds half a surrogate pair");
      const std::uint32_t low = four_digits();
      if (low < 0xDC00 || low >= 0xE000) fail("a string holds half a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
    }
    if (code >= 0xD800 && code < 0xE000) fail("a string holds half a surrogate pair");
    append_utf8(out, code);
  }

  std::uint32_t four_digits() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      constexpr std::string_view digits = "0123456789abcdef";
      const char c = peek();
      const std::size_t digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (c == '\0' || digit == digits.npos) fail("a string holds a wrong escape");
      code = code << 4 | static_cast<std::uint32_t>(digit);
      ++at_;
    }
    return code;
  }

  std::string number() {
    const std::size_t begin = at_;
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
    return std::string(text_.substr(begin, at_ - begin));
  }
  void digits() {
    if (!is_digit(peek())) fail("a number is wrong");
    while (is_digit(peek()))
      ++at_;
  }

  std::string word() {
    constexpr std::array<std::string_view, 3> words = {"true", "false", "null"};
    for (const std::string_view word : words) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return std::string(word);
    }
    fail("there is no value");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonValue* JsonValue::member(std::string_view name) const {
  for (const auto& [own, value] : members) {
    if (own == name) return &value;
  }
  return nullptr;
}

JsonValue parse_json(std::string_view text) {
  return Parser(text).document();
}

}  // namespace gsx

// A strict checker of JSON (RFC 8259).
#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace gsx::testing {

class JsonChecker {
 public:
  explicit JsonChecker(std::string_view text) : text_(text) {}

  /// Whether the text is one JSON value and nothing else.
  bool whole() {
    blanks();
    if (!value()) return false;
    blanks();
    return at_ == text_.size();
  }

 private:
  bool value() {
    switch (peek()) {
      case '{':
        return list('{', '}', true);
      case '[':
        return list('[', ']', false);
      case '"':
        return string();
      default:
        return word("true") || word("false") || word("null") || number();
    }
  }

  bool list(char open, char close, bool named) {
    if (!take(open)) return false;
    blanks();
    if (take(close)) return true;
    for (;;) {
      blanks();
      if (named && !(string() && (blanks(), take(':')) && (blanks(), true))) return false;
      if (!value()) return false;
      blanks();
      if (take(close)) return true;
      if (!take(',')) return false;
    }
  }

  bool string() {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '"') return take('"');
      if (byte < 0x20) return false;
      if (byte == '\\' ? !escape() : !utf8()) return false;
    }
    return false;
  }

  bool escape() {
    ++at_;
    if (take('u')) {
      for (int i = 0; i < 4; ++i, ++at_) {
        if (std::isxdigit(static_cast<unsigned char>(peek())) == 0) return false;
      }
      return true;
    }
    if (std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) return false;
    ++at_;
    return true;
  }

  /// Takes one UTF-8 character: not overlong, not a surrogate, not above U+10FFFF.
  bool utf8() {
    const auto byte = [&](std::size_t i) {
      return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0u;
    };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    unsigned code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return false;
      code = code << 6 | (byte(i) & 0x3F);
    }
    constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    at_ += length;
    return (lead < 0x80 || (lead >= 0xC2 && lead < 0xF5)) && code >= least[length] &&
           code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }
  bool digits() {
    const std::size_t begin = at_;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0)
      ++at_;
    return at_ != begin;
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline bool is_json(std::string_view text) {
  return JsonChecker(text).whole();
}

}  // namespace gsx::testing

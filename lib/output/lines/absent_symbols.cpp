#include "output/lines/absent_symbols.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// The byte of \u00XX, without the backslash.
bool take_escaped_byte(std::string_view& text, char& byte) {
  constexpr std::size_t digits = 2;
  unsigned char value = 0;
  if (!take(text, "u00") || text.size() < digits) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value, 16);
  if (error != std::errc() || end != text.data() + digits) return false;
  text.remove_prefix(digits);
  byte = static_cast<char>(value);
  return true;
}

}  // namespace

void AbsentSymbols::add(const std::string& symbols, std::uint64_t queries) {
  if (too_many_) return;
  sets_[symbols] += queries;
  if (sets_.size() <= most_sets) return;
  sets_.clear();
  too_many_ = true;
}

void AbsentSymbols::add(const AbsentSymbols& later) {
  for (const auto& [symbols, queries] : later.sets_)
    add(symbols, queries);
  if (!later.too_many_) return;
  sets_.clear();
  too_many_ = true;
}

std::uint64_t AbsentSymbols::queries() const {
  return std::accumulate(sets_.begin(), sets_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& set) { return sum + set.second; });
}

AbsentSymbols AbsentSymbols::without(std::string_view symbols) const {
  AbsentSymbols left;
  left.too_many_ = too_many_;
  for (const auto& [all, queries] : sets_) {
    std::string absent = all;
    std::erase_if(absent, [&](char symbol) { return symbols.find(symbol) != symbols.npos; });
    if (!absent.empty()) left.add(absent, queries);
  }
  return left;
}

void AbsentSymbols::append_json(std::string& out) const {
  if (too_many_) {
    out += "null";
    return;
  }
  out += '{';
  for (const auto& [symbols, queries] : sets_) {
    if (out.back() != '{') out += ',';
    append_json_string(out, symbols);
    out += ':' + std::to_string(queries);
  }
  out += '}';
}

bool AbsentSymbols::take_json(std::string_view& text) {
  sets_.clear();
  too_many_ = take(text, "null");
  if (too_many_) return true;
  if (!take(text, "{")) return false;
  while (!take(text, "}")) {
    std::string symbols;
    std::uint64_t queries = 0;
    if (!sets_.empty() && !take(text, ",")) return false;
    if (!take_json_bytes(text, symbols) || !take(text, ":") || !take_number(text, queries))
      return false;
    if (sets_.size() == most_sets || !sets_.emplace(symbols, queries).second) return false;
  }
  return true;
}

void append_symbol_members(std::string& out, std::string_view symbols,
                           const AbsentSymbols& absent) {
  out += ",\"alphabet_symbols\":";
  append_json_string(out, symbols);
  out += ",\"absent_symbols\":";
  absent.append_json(out);
}

bool take_json_bytes(std::string_view& text, std::string& bytes) {
  if (!take(text, "\"")) return false;
  while (!take(text, "\"")) {
    if (text.empty()) return false;
    char byte = text.front();
    text.remove_prefix(1);
    if (byte == '\\') {
      if (text.empty()) return false;
      if (text.front() != 'u') {
        byte = text.front();  // a quote or a backslash
        text.remove_prefix(1);
      } else if (!take_escaped_byte(text, byte)) {
        return false;
      }
    } else if ((byte & 0x80) != 0) {  // a byte as Latin-1, in two bytes of UTF-8
      const auto lead = static_cast<unsigned char>(byte);
      if (lead < 0xC2 || lead > 0xC3 || text.empty() || (text.front() & 0xC0) != 0x80) return false;
      byte = static_cast<char>((lead & 0x03) << 6 | (text.front() & 0x3F));
      text.remove_prefix(1);
    }
    bytes += byte;
  }
  return true;
}

}  // namespace gsx

#include "output/page/html.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/utf8.hpp"

namespace gsx {
namespace {

/// Appends one character of `text`, which is safe, or each of its bytes as \xHH.
void append_character(std::string& out, std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const bool is_control = text.size() == 1 ? byte < 0x20 || byte >= 0x7F : is_utf8_control(text);
  if (is_control) {
    for (const char c : text)
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
  } else if (text == "&") {
    out += "&amp;";
  } else if (text == "<") {
    out += "&lt;";
  } else if (text == ">") {
    out += "&gt;";
  } else if (text == "\"") {
    out += "&quot;";
  } else if (text == "'") {
    out += "&#39;";
  } else {
    out += text;
  }
}

/// The first character of the text; a byte that begins none stands for itself.
std::string_view first_of(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(1, utf8_length(text)));
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view first = first_of(text);
    append_character(out, first);
    text.remove_prefix(first.size());
  }
  return out;
}

std::string html_name(std::string_view name, std::size_t most) {
  if (name.empty()) return ".";
  std::vector<std::string_view> characters;
  for (std::string_view rest = name; !rest.empty(); rest.remove_prefix(characters.back().size()))
    characters.push_back(first_of(rest));
  std::string out;
  const bool is_long = characters.size() > most;
  const std::size_t head = is_long ? most / 2 : characters.size();
  for (std::size_t i = 0; i < head; ++i)
    append_character(out, characters[i]);
  if (!is_long) return out;
  out += "\u2026";
  for (std::size_t i = characters.size() - (most - head - 1); i < characters.size(); ++i)
    append_character(out, characters[i]);
  return out;
}

std::string isolated_name(std::string_view name, std::size_t most) {
  return "<bdi>" + html_name(name, most) + "</bdi>";
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, 1, ',');
  return digits;
}

std::string short_number(double number) {
  if (number < 10000) {
    if (number == std::floor(number)) return fmt::format("{:.0f}", number);
    return fmt::format("{:.3g}", number);
  }
  constexpr const char* units[] = {"k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  number /= 1000;
  while (number >= 999.5 && unit + 1 < std::size(units)) {
    number /= 1000;
    ++unit;
  }
  std::string digits = fmt::format("{:.{}f}", number, number >= 99.95 ? 0 : 1);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits + units[unit];
}

std::string percent(double part, double whole, int digits) {
  if (!(whole > 0)) return "\u2013";
  return fmt::format("{:.{}f}\u202F%", 100 * part / whole, digits);
}

}  // namespace gsx

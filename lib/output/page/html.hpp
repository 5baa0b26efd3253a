// Text, names and numbers as HTML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gsx {

/// Text as HTML, safe as content and in quotes. What is a control character, changes the direction
/// of text or is no UTF-8 becomes \xHH.
std::string html_text(std::string_view text);

/// A name as HTML. Of one that has more than `most` characters, the middle is left out: names that
/// begin alike often differ at their ends. An empty one becomes ".".
std::string html_name(std::string_view name, std::size_t most = 60);

/// html_name() in a <bdi>, so that letters that run from right to left do not turn those around it.
std::string isolated_name(std::string_view name, std::size_t most = 60);

/// A count as what charts and shares are made of.
inline double real(std::uint64_t count) {
  return static_cast<double>(count);
}

/// Digits in groups of three: 48,502.
std::string grouped(std::uint64_t number);

/// A number with three digits and a unit of 1000: 48.5k, 3.1G; whole numbers below 10,000 as they
/// are.
std::string short_number(double number);

/// `part` of `whole` in per cent with as many digits behind the point; "–" if there is no whole.
std::string percent(double part, double whole, int digits = 1);

}  // namespace gsx

// Formats numbers and names as parts of a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "output/lines/digits.hpp"

namespace gsx {

inline void append_number(std::string& out, std::uint64_t value) {
  char digits[most_digits];
  out.append(digits, put_number(digits, value));
}

/// Appends a tab and a number.
inline void append_column(std::string& out, std::uint64_t value) {
  out += '\t';
  append_number(out, value);
}

/// Appends ,"NAME":VALUE, a member of a JSON object that is not the first.
inline void append_member(std::string& out, std::string_view name, std::uint64_t value) {
  out.append(",\"").append(name).append("\":");
  append_number(out, value);
}

/// Appends a name as one column. Control bytes become \xHH, so that a hostile name can neither
/// break a line nor steer a terminal. In such a name, and in one that looks escaped, backslashes
/// are doubled. An empty name becomes '.', and the name "." becomes \x2E. So no two names are
/// written alike.
void append_name(std::string& out, std::string_view name);

/// Whether append_name() writes every piece of `text` as it is that has at least two characters.
bool are_plain_names(std::string_view text);

/// Does the same for the first column of a BED line. Programs that read BED skip lines as headers
/// that begin with '#', '>' or '!', with track, browser or visibility, or with chrom and a tab, in
/// any case. So the first byte of such a name is written as \xHH.
void append_bed_target(std::string& out, std::string_view name);

/// Appends a JSON string with quotes. Takes bytes that are not UTF-8 as Latin-1.
void append_json_string(std::string& out, std::string_view text);

}  // namespace gsx

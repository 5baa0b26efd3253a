#include "analysis/repeats/repeat_report.hpp"

#include <string_view>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Appends a name as part of a list that commas separate. No two names are written alike.
void append_listed_name(std::string& out, std::string_view name) {
  std::string plain;
  append_name(plain, name);
  const bool has_comma = plain.find(',') != std::string::npos;
  const bool is_escaped = plain != name;  // then backslashes are doubled already
  for (const char c : plain) {
    if (c == ',') {
      out += "\\x2C";
    } else {
      if (c == '\\' && has_comma && !is_escaped) out += c;
      out += c;
    }
  }
}

}  // namespace

std::uint64_t RepeatReport::append_target(std::string& out, std::uint64_t position, Style style) {
  const std::uint64_t start = finder_.start_of(position);
  if (finder_.target() != target_ || style != style_) {
    target_ = finder_.target();
    style_ = style;
    name_.clear();
    const std::string_view name = targets_.name(target_);
    if (style == Style::bed) {
      append_bed_target(name_, name);
    } else if (style == Style::list) {
      append_listed_name(name_, name);
    } else {
      append_name(name_, name);
    }
  }
  out += name_;
  return start;
}

void RepeatReport::append_tsv(std::string& out, std::uint64_t id, const Repeat& repeat) {
  append_number(out, id);
  append_column(out, repeat.length);
  append_column(out, repeat.count);
  append_column(out, repeat.places.size());
  out += repeat.places.size() < repeat.count ? "\tyes" : "\tno";
  char before = '\t';
  for (const RepeatPlace& place : repeat.places) {
    out += before;
    before = ',';
    const std::uint64_t start = append_target(out, place.begin, Style::list);
    out += ':';
    append_number(out, start);
    out += place.reverse ? ":-" : ":+";
  }
  out += '\n';
}

void RepeatReport::append_bed(std::string& out, std::uint64_t id, const Repeat& repeat) {
  for (const RepeatPlace& place : repeat.places) {
    const std::uint64_t start = append_target(out, place.begin, Style::bed);
    append_column(out, start);
    append_column(out, start + repeat.length);
    append_column(out, id);
    out += place.reverse ? "\t0\t-\n" : "\t0\t+\n";
  }
}

void RepeatReport::append_pair(std::string& out, const RepeatPair& pair) {
  for (const std::uint64_t position : {pair.first, pair.second}) {
    const std::uint64_t start = append_target(out, position, Style::column);
    append_column(out, start);
    append_column(out, start + pair.length);
    out += '\t';
  }
  append_number(out, pair.length);
  out += pair.reverse ? "\t-\n" : "\t+\n";
}

}  // namespace gsx

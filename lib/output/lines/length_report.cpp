#include "output/lines/length_report.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Positions that are written between two checks of the size of the text.
constexpr std::uint64_t written_at_once = 4096;

/// Calls write(first, last) for parts of the run.
template <class Write>
void in_parts(TextPieces& pieces, const LengthRun& run, const Write& write) {
  for (std::uint64_t first = run.begin; first < run.end;) {
    const std::uint64_t last = std::min(run.end, first + written_at_once);
    write(first, last);
    pieces.check();
    first = last;
  }
}

void put_little_endian(char* to, std::uint64_t value, int bytes) {
  for (int byte = 0; byte < bytes; ++byte)
    to[byte] = static_cast<char>(value >> (8 * byte) & 0xFF);
}

/// Appends values of `bytes` bytes, little-endian.
template <class ValueAt>
void append_binary(std::string& out, std::uint64_t first, std::uint64_t last, int bytes,
                   const ValueAt& value_at) {
  const std::size_t before = out.size();
  out.resize(before + (last - first) * static_cast<std::size_t>(bytes));
  char* to = out.data() + before;
  for (std::uint64_t i = first; i < last; ++i, to += bytes)
    put_little_endian(to, value_at(i), bytes);
}

}  // namespace

void LengthLines::begin(TextPieces& pieces, std::string_view name) {
  if (format_ != LengthFormat::text) return;
  pieces.text() += '>';
  append_name(pieces.text(), name);
  pieces.text() += '\n';
}

void LengthLines::end(TextPieces& pieces) {
  if (format_ == LengthFormat::text) pieces.text() += '\n';
  pieces.check();
}

void LengthReport::append(TextPieces& pieces, const LengthRun& run, std::string_view name) {
  const int bytes = format_ == LengthFormat::u16 ? 2 : 4;
  if (format_ != LengthFormat::text && run.most() >> (8 * bytes) != 0) {
    throw UsageError("query '" + shown_name(name) + "': a match of " + std::to_string(run.most()) +
                     " symbols does not fit " + std::to_string(8 * bytes) + " bits; write " +
                     (bytes == 2 ? "u32" : "text"));
  }
  in_parts(pieces, run, [&](std::uint64_t first, std::uint64_t last) {
    std::string& out = pieces.text();
    if (format_ == LengthFormat::u16) {
      append_binary(out, first, last, 2, [&](std::uint64_t i) { return run.length_at(i); });
    } else if (format_ == LengthFormat::u32) {
      append_binary(out, first, last, 4, [&](std::uint64_t i) { return run.length_at(i); });
    } else {
      for (std::uint64_t i = first; i < last; ++i) {
        if (i != 0) out += ' ';
        append_number(out, run.length_at(i));
      }
    }
  });
}

void PlaceReport::append(TextPieces& pieces, const LengthRun& run) {
  // The positions of a match are in one segment, so the first start gives all of them.
  std::uint64_t target = 0, start = 0;
  const bool reverse = run.longest.place.is_reverse();
  if (run.is_matched()) {
    start = finder_.start_of(run.position_at(run.begin));
    target = finder_.target();
    if (format_ == LengthFormat::text) {
      target_.clear();
      append_name(target_, targets_.name(target));
      target_ += ':';
    }
  }
  const auto start_at = [&](std::uint64_t i) {
    return run.is_matched() ? start + run.position_at(i) - run.position_at(run.begin) : 0;
  };
  in_parts(pieces, run, [&](std::uint64_t first, std::uint64_t last) {
    std::string& out = pieces.text();
    for (std::uint64_t i = first; i < last; ++i) {
      if (format_ != LengthFormat::text) {
        const std::uint32_t strand = !run.is_matched() ? 0 : reverse ? ~0U : 1U;
        char place[16];
        put_little_endian(place, target, 4);
        put_little_endian(place + 4, strand, 4);
        put_little_endian(place + 8, start_at(i), 8);
        out.append(place, sizeof(place));
        continue;
      }
      if (i != 0) out += ' ';
      if (!run.is_matched()) {
        out += '*';
        continue;
      }
      out += target_;
      append_number(out, start_at(i));
      out += reverse ? ":-" : ":+";
    }
  });
}

}  // namespace gsx

#include "text/region.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes a number off the front: digits, and commas between digits. None if no digit comes first.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  std::uint64_t value = 0;
  while (!text.empty()) {
    const bool comma = text.size() > 1 && text[0] == ',' && is_digit(text[1]);
    if (!comma && !is_digit(text[0])) break;
    if (!comma) {
      const auto digit = static_cast<std::uint64_t>(text[0] - '0');
      value = value > (largest - digit) / 10 ? largest : value * 10 + digit;
    }
    text.remove_prefix(1);
  }
  return value;
}

/// B, B-, -E or B-E.
std::optional<RegionBounds> parse_bounds(std::string_view text) {
  RegionBounds bounds;
  bounds.begin = take_number(text);
  if (text.empty() && bounds.begin) return bounds;
  if (text.empty() || text.front() != '-') return std::nullopt;
  text.remove_prefix(1);
  bounds.end = take_number(text);
  if (!text.empty() || (!bounds.begin && !bounds.end)) return std::nullopt;
  return bounds;
}

std::optional<NamedRange> split_braces(std::string_view text) {
  const std::size_t brace = text.rfind('}');
  if (!text.starts_with('{') || brace == text.npos) return std::nullopt;
  const std::string_view name = text.substr(1, brace - 1), rest = text.substr(brace + 1);
  if (rest.empty()) return NamedRange{name, RegionBounds{}};
  if (!rest.starts_with(':')) return std::nullopt;
  return NamedRange{name, parse_bounds(rest.substr(1))};
}

}  // namespace

RegionText split_region(std::string_view text) {
  RegionText region;
  region.braced = split_braces(text);
  if (const std::size_t colon = text.rfind(':'); colon != text.npos) {
    region.ranged = {text.substr(0, colon), parse_bounds(text.substr(colon + 1))};
  }
  return region;
}

RecordPart part_of_record(const RegionBounds& bounds, RegionNumbers numbers, std::uint64_t length) {
  const std::uint64_t first = numbers == RegionNumbers::one_based ? 1 : 0;
  const std::uint64_t begin = bounds.begin.value_or(first);
  if (begin < first) throw InputError("positions count from 1");
  RecordPart part{begin - first, length, false};
  if (bounds.end) {
    // The end is excluded where numbers count from 0, and included where they count from 1.
    if (*bounds.end < part.begin + first) throw InputError("it begins after its end");
    part.end = std::min(*bounds.end, length);
    part.clipped = *bounds.end > length;
  }
  const bool empty = bounds.end && *bounds.end == part.begin;
  if (empty ? part.begin > length : part.begin >= length) {
    throw InputError("it begins beyond the record's end; the record has " + std::to_string(length) +
                     " symbols");
  }
  return part;
}

}  // namespace gsx

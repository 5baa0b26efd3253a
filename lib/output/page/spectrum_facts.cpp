#include "output/page/spectrum_facts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "records/lists/line_reader.hpp"

namespace gsx {
namespace {

constexpr std::string_view header = "k\tdistinct\tunique\ttotal";

SpectrumPoint point_of(const LineReader& lines) {
  std::string_view rest = lines.line();
  std::uint64_t numbers[4];
  for (int i = 0; i < 4; ++i) {
    const std::string_view column = rest.substr(0, i < 3 ? rest.find('\t') : rest.npos);
    const char* const end = column.data() + column.size();
    const auto read = std::from_chars(column.data(), end, numbers[i]);
    const bool is_last = column.size() == rest.size();
    if (read.ec != std::errc() || read.ptr != end || is_last != (i == 3))
      lines.fail("the line is not four numbers; gsx mappability --spectrum writes the table");
    if (!is_last) rest.remove_prefix(column.size() + 1);
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

}  // namespace

std::vector<SpectrumPoint> read_spectrum(const std::string& path) {
  LineReader lines(path);
  if (!lines.next() || lines.line() != header)
    lines.fail("there is no header of a spectrum; gsx mappability --spectrum writes the table");
  std::vector<SpectrumPoint> rows;
  while (lines.next()) {
    const SpectrumPoint point = point_of(lines);
    if (point.k <= (rows.empty() ? 0 : rows.back().k)) lines.fail("k does not grow");
    if (point.unique > point.distinct || point.distinct > point.total)
      lines.fail("the numbers contradict each other");
    rows.push_back(point);
  }
  return rows;
}

void require_spectrum_of(const SegmentsView& segments, const std::vector<SpectrumPoint>& rows,
                         const std::string& label) {
  const std::uint64_t k = rows.empty() ? 1 : rows.front().k;
  const std::uint64_t counted = rows.empty() ? 0 : rows.front().total;
  std::uint64_t places = 0;
  for (std::uint64_t s = 0; s < segments.count; ++s) {
    const std::uint64_t length = segments.starts[s + 1] - 1 - segments.starts[s];
    places += length < k ? 0 : length - k + 1;
  }
  if (places == counted) return;
  throw InputError(label + " is the spectrum of another text: of k = " + std::to_string(k) +
                   ", it has " + std::to_string(counted) + " k-mers, and the index " +
                   std::to_string(places));
}

std::vector<SpectrumPoint> thinned(const std::vector<SpectrumPoint>& rows, std::uint64_t most) {
  if (rows.size() <= most || most < 2) return rows;
  std::vector<SpectrumPoint> some;
  const double growth = std::pow(static_cast<double>(rows.size()), 1 / static_cast<double>(most));
  double next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<double>(i) < next && i + 1 < rows.size()) continue;
    some.push_back(rows[i]);
    next = std::max(static_cast<double>(i) + 1, (static_cast<double>(i) + 1) * growth - 1);
  }
  return some;
}

}  // namespace gsx

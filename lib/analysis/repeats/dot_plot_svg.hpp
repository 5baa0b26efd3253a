// A dot plot as an SVG image.
#pragma once

#include <string>

#include "analysis/repeats/dot_plot.hpp"

namespace gsx {

/// Cells along each side of the image.
inline constexpr std::uint32_t dot_plot_cells = 640;

/// An SVG image that can be read on light and dark ground. Records go from left to right and from
/// bottom to top, with their names, or positions where there is one or very many; diagonal runs of
/// cells are lines, rising ones of `forward` and falling ones of `reverse`, which is null for one
/// strand. `length` is that of the strings compared. Size: at most one line per two cells and
/// colour, and some lines for records; 10 bytes each.
std::string dot_plot_svg(const PlotAxis& axis, const CellGrid& forward, const CellGrid* reverse,
                         std::uint64_t length);

}  // namespace gsx

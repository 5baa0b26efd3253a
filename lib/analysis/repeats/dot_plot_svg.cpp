#include "analysis/repeats/dot_plot_svg.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

constexpr const char *forward_colour = "#1c8fb0", *reverse_colour = "#e0632a";
constexpr double left_margin = 150, top_margin = 34, right_margin = 20, bottom_margin = 56;
constexpr double pixels_per_letter = 6.5, pixels_per_line = 13;
constexpr std::size_t most_letters = 18;
/// Records whose borders are drawn; more would make the image grey.
constexpr std::uint64_t most_records = 120;

/// Plain letters as text of XML.
void append_xml(std::string& label, std::string_view plain) {
  for (const char c : plain) {
    switch (c) {
      case '&':
        label += "&amp;";
        break;
      case '<':
        label += "&lt;";
        break;
      case '>':
        label += "&gt;";
        break;
      default:
        // Bytes that are not ASCII could be cut in the middle of a letter, or be no UTF-8 at all.
        label += static_cast<unsigned char>(c) >= 0x80 ? '?' : c;
    }
  }
}

/// A record's name as text of XML. Of a long one, the middle is left out: names that begin alike
/// often differ at their ends.
std::string label_of(std::string_view name) {
  std::string plain, label;
  append_name(plain, name);
  const std::string_view all = plain;
  if (all.size() <= most_letters) {
    append_xml(label, all);
  } else {
    constexpr std::size_t head = most_letters / 2;
    append_xml(label, all.substr(0, head));
    label += "&#8230;";
    append_xml(label, all.substr(all.size() - (most_letters - head - 1)));
  }
  return label;
}

std::size_t letters_of(std::string_view name) {
  std::string plain;
  append_name(plain, name);
  return std::min(plain.size(), most_letters);
}

/// Positions on both axes, in pixels.
struct Scale {
  const PlotAxis& axis;
  double side() const { return axis.cells(); }
  double of(std::uint64_t symbols) const {
    return side() * static_cast<double>(symbols) / static_cast<double>(axis.total());
  }
  double x(std::uint64_t symbols) const { return left_margin + of(symbols); }
  double y(std::uint64_t symbols) const { return top_margin + side() - of(symbols); }
};

/// Borders between records, at most one per cell, and the names of those that have room for one.
std::string records_of(const Scale& scale) {
  const PlotAxis& axis = scale.axis;
  std::string borders, names;
  double last = 0, last_x_end = 0, last_y = -pixels_per_line;
  for (std::uint64_t r = 0; r < axis.records().size(); ++r) {
    const std::uint64_t begin = axis.begin_of(r), end = axis.begin_of(r + 1);
    if (scale.of(begin) >= last + 1) {
      last = scale.of(begin);
      borders += fmt::format("M{0:.1f} {1}V{2}M{3} {4:.1f}H{5}", scale.x(begin), top_margin,
                             top_margin + scale.side(), left_margin, scale.y(begin),
                             left_margin + scale.side());
    }
    const double middle = (scale.of(begin) + scale.of(end)) / 2;
    const std::string_view name = axis.records().name(r);
    const double half_name = static_cast<double>(letters_of(name)) * pixels_per_letter / 2;
    if (scale.of(end) - scale.of(begin) < 4) continue;
    // Numbers stand in the place of the name of an only record.
    if (middle - last_y >= pixels_per_line && axis.records().size() > 1) {
      last_y = middle;
      names += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                           left_margin - 8, top_margin + scale.side() - middle + 4, label_of(name));
    }
    if (middle - half_name >= last_x_end) {
      last_x_end = middle + half_name + pixels_per_letter;
      names += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                           left_margin + middle, top_margin + scale.side() + 32, label_of(name));
    }
  }
  return fmt::format("<path d=\"{}\" stroke=\"#888\" stroke-opacity=\".5\"/>\n{}", borders, names);
}

/// Round positions, for a single record or for so many that their names have no room.
std::string ticks_of(const Scale& scale) {
  const std::uint64_t total = scale.axis.total();
  constexpr std::uint64_t most_ticks = 6;
  std::uint64_t step = 1;
  for (std::uint64_t power = 1; total / step > most_ticks; power *= 10) {
    for (const std::uint64_t factor : {1, 2, 5}) {
      step = factor * power;
      if (total / step <= most_ticks) break;
    }
  }
  std::string lines, numbers;
  for (std::uint64_t at = step; at < total; at += step) {
    lines += fmt::format("M{0:.1f} {1}v5M{2} {3:.1f}h-5", scale.x(at), top_margin + scale.side(),
                         left_margin, scale.y(at));
    numbers += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\">{4}</text>\n"
        "<text x=\"{2}\" y=\"{3:.1f}\" text-anchor=\"end\">{4}</text>\n",
        scale.x(at), top_margin + scale.side() + 18, left_margin - 8, scale.y(at) + 4, at);
  }
  return fmt::format("<path d=\"{}\" stroke=\"#888\"/>\n{}", lines, numbers);
}

/// Lines for the longest diagonal runs of cells; `step` is 1 where they rise and -1 where they
/// fall.
std::string runs_of(const CellGrid& grid, int step) {
  std::string path;
  const auto side = static_cast<int>(grid.side());
  const auto is_filled = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < side && y < side &&
           grid.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
  };
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      if (!is_filled(x, y) || is_filled(x - 1, y - step)) continue;
      int cells = 1;
      while (is_filled(x + cells, y + step * cells))
        ++cells;
      path += fmt::format("M{} {}l{} {}", x, side - y - (step > 0 ? 0 : 1), cells, -step * cells);
    }
  }
  return path;
}

std::string heading_of(const PlotAxis& axis, std::uint64_t length) {
  std::string heading = fmt::format("repeats of at least {} symbols", length);
  if (axis.records().size() > most_records)
    heading += fmt::format(" in {} records", axis.records().size());
  return heading;
}

std::string legend_of(bool both) {
  std::string legend = fmt::format("<tspan fill=\"{}\">forward</tspan>", forward_colour);
  if (both) legend += fmt::format(" <tspan fill=\"{}\">reverse complement</tspan>", reverse_colour);
  return legend;
}

std::string drawing_of(const CellGrid& grid, int step, const char* colour) {
  return fmt::format(
      "<path transform=\"translate({} {})\" d=\"{}\" stroke=\"{}\" stroke-width=\"1.4\" "
      "stroke-linecap=\"square\"/>\n",
      left_margin, top_margin, runs_of(grid, step), colour);
}

}  // namespace

std::string dot_plot_svg(const PlotAxis& axis, const CellGrid& forward, const CellGrid* reverse,
                         std::uint64_t length) {
  const Scale scale{axis};
  const double side = scale.side();
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"none\" role=\"img\">\n"
      "<title>Repeats of at least {2} symbols</title>\n",
      left_margin + side + right_margin, top_margin + side + bottom_margin, length);
  out += fmt::format(
      "<g fill=\"#808080\" stroke-width=\".6\">\n<text x=\"{}\" y=\"20\">{}</text>\n"
      "<text x=\"{}\" y=\"20\" text-anchor=\"end\">{}</text>\n",
      left_margin, heading_of(axis, length), left_margin + side, legend_of(reverse != nullptr));
  if (axis.total() > 0) {
    const std::uint64_t records = axis.records().size();
    if (records <= most_records) out += records_of(scale);
    if (records == 1 || records > most_records) out += ticks_of(scale);
  }
  out += fmt::format(
      "<path d=\"M{0} {1}h{2}v{2}h-{2}zM{0} {3}l{2}-{2}\" fill=\"none\" stroke=\"#808080\"/>\n"
      "</g>\n",
      left_margin, top_margin, side, top_margin + side);
  out += drawing_of(forward, 1, forward_colour);
  if (reverse != nullptr) out += drawing_of(*reverse, -1, reverse_colour);
  return out + "</svg>\n";
}

}  // namespace gsx

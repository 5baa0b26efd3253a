#include "output/page/chart.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "output/page/html.hpp"

namespace gsx {
namespace {

constexpr double width = 480, height = 280, left = 58, right = 28, top = 34, bottom = 48;
constexpr double area_width = width - left - right, area_height = height - top - bottom;

double x_of(const Axis& x, double value) {
  return left + area_width * x.place(value);
}
double y_of(const Axis& y, double value) {
  return top + area_height * (1 - y.place(value));
}

std::string opening(const ChartText& text) {
  return fmt::format(
      "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\" aria-labelledby=\"{2}-title {2}-desc\">\n"
      "<title id=\"{2}-title\">{3}</title>\n<desc id=\"{2}-desc\">{4}</desc>\n",
      width, height, text.id, html_text(text.title), html_text(text.description));
}

/// Lines and numbers of both axes.
std::string frame(const ChartText& text, const Axis& x, const Axis& y) {
  std::string lines, numbers;
  for (const auto& [value, label] : y.ticks) {
    const double at = y_of(y, value);
    lines += fmt::format("M{} {:.1f}H{}", left, at, width - right);
    numbers += fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"end\">{}</text>\n", left - 8,
                           at + 4, html_text(label));
  }
  for (const auto& [value, label] : x.ticks) {
    const double at = x_of(x, value);
    lines += fmt::format("M{:.1f} {}v5", at, height - bottom);
    if (label.empty()) continue;
    numbers += fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"middle\">{}</text>\n", at,
                           height - bottom + 19, html_text(label));
  }
  return fmt::format(
      "<path class=\"grid\" d=\"{}\"/>\n{}<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text>\n"
      "<text x=\"8\" y=\"16\">{}</text>\n",
      lines, numbers, left + area_width / 2, height - 8, html_text(text.x_label),
      html_text(text.y_label));
}

std::string line_of(const Series& series, const Axis& x, const Axis& y, std::size_t number) {
  std::string path;
  for (const auto& [at, value] : series.points) {
    if (path.empty()) {
      path = fmt::format("M{:.1f} {:.1f}", x_of(x, at), y_of(y, value));
    } else if (series.is_stepped) {
      path += fmt::format("H{:.1f}V{:.1f}", x_of(x, at), y_of(y, value));
    } else {
      path += fmt::format("L{:.1f} {:.1f}", x_of(x, at), y_of(y, value));
    }
  }
  return fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", number == 0 ? "a" : "b dashed", path);
}

/// Which line is which, at the upper right.
std::string legend(const std::vector<Series>& series) {
  std::string out;
  double end = width - right;
  for (std::size_t i = series.size(); i-- > 0;) {
    const double size = 7.2 * static_cast<double>(series[i].name.size());
    out += fmt::format(
        "<path class=\"line {}\" d=\"M{:.0f} 12h24\"/><text x=\"{:.0f}\" y=\"16\" class=\"end\">"
        "{}</text>\n",
        i == 0 ? "a" : "b dashed", end - size - 32, end, html_text(series[i].name));
    end -= size + 48;
  }
  return out;
}

}  // namespace

std::string bar_chart(const ChartText& text, const std::vector<Bar>& bars, const Axis& x,
                      const Axis& y) {
  std::string path;
  for (const Bar& bar : bars) {
    if (!(bar.value > 0)) continue;
    const double begin = x_of(x, bar.from), end = x_of(x, bar.to);
    const double gap = end - begin > 3 ? 0.5 : 0;
    const double least = 1.5;  // so that a bar of one record can be seen beside one of a million
    const double y_top = std::min(y_of(y, bar.value), top + area_height - least);
    path += fmt::format("M{:.1f} {}V{:.1f}H{:.1f}V{}z", begin + gap, top + area_height, y_top,
                        end - gap, top + area_height);
  }
  return opening(text) + frame(text, x, y) +
         fmt::format("<path class=\"bars a\" d=\"{}\"/>\n</svg>\n", path);
}

std::string line_chart(const ChartText& text, const std::vector<Series>& series, const Axis& x,
                       const Axis& y, const std::vector<ChartMark>& marks) {
  std::string out = opening(text) + frame(text, x, y);
  for (std::size_t i = 0; i < series.size(); ++i)
    out += line_of(series[i], x, y, i);
  for (const ChartMark& mark : marks) {
    const double at = x_of(x, mark.x), value = y_of(y, mark.y);
    out += fmt::format(
        "<circle class=\"mark\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\"/>"
        "<text x=\"{2:.1f}\" y=\"{3:.1f}\" class=\"label\">{4}</text>\n",
        at, value, at + 8, value - 8, html_text(mark.label));
  }
  if (series.size() > 1) out += legend(series);
  return out + "</svg>\n";
}

std::string part_bar(const std::vector<BarPart>& parts) {
  std::string out =
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<path class=\"back\" d=\"M0 0h100v10h-100z\"/>";
  double at = 0;
  for (const BarPart& part : parts) {
    const double size = 100 * std::clamp(part.part, 0.0, 1.0);
    out += fmt::format("<path class=\"{}\" d=\"M{:.2f} 0h{:.2f}v10h-{:.2f}z\"/>", part.mark, at,
                       size, size);
    at += size;
  }
  return out + "</svg>";
}

}  // namespace gsx

#include "analysis/mappability/spectrum_text.hpp"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace gsx {
namespace {

constexpr double width = 640, height = 400, left = 60, right = 110, top = 30, bottom = 50;

/// Where a share of k-mers lies in the image.
struct Axes {
  double most_k;  ///< log10 of the largest k
  double x(double k) const {
    return left + (width - left - right) * (most_k == 0 ? 0 : std::log10(k) / most_k);
  }
  double y(double share) const { return height - bottom - (height - top - bottom) * share; }
};

double share(std::uint64_t some, const KmerCounts& of) {
  return static_cast<double>(some) / static_cast<double>(of.total);
}

/// The points of a curve; where many k fall on one point of the image, the first of them.
template <class Value>
std::string curve(const KmerSpectrum& spectrum, const Axes& axes, const char* colour,
                  const char* name, const Value& value) {
  const KmerCounts last = spectrum[spectrum.size() - 1];
  std::string points;
  double last_x = -1;
  for (std::uint64_t i = 0; i < spectrum.size(); ++i) {
    const KmerCounts at = spectrum[i];
    const double x = axes.x(static_cast<double>(at.k));
    if (x - last_x < 0.5 && at.k != last.k) continue;
    last_x = x;
    points += fmt::format("{:.1f},{:.1f} ", x, axes.y(share(value(at), at)));
  }
  const double end = axes.y(share(value(last), last));
  const double label = std::string_view(name) == "unique" ? end + 12 : end - 4;
  return fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n",
      points, colour, axes.x(static_cast<double>(last.k)) + 6, label, colour, name);
}

std::string grid(const Axes& axes) {
  std::string out;
  for (int percent = 0; percent <= 100; percent += 25) {
    const double y = axes.y(percent / 100.0);
    out += fmt::format(
        "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#8884\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\" fill=\"#777\">{5} %</text>\n",
        left, y, width - right, left - 8, y + 4, percent);
  }
  for (int power = 0; power <= static_cast<int>(axes.most_k + 1e-9); ++power) {
    const double x = axes.x(std::pow(10, power));
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#8884\"/>\n"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\" fill=\"#777\">{4:.0f}</text>\n",
        x, top, height - bottom, height - bottom + 18, std::pow(10, power));
  }
  return out;
}

}  // namespace

std::string spectrum_plot(const KmerSpectrum& spectrum) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n"
      "<title>Distinct and unique k-mers</title>\n",
      width, height);
  if (spectrum.size() != 0) {
    const Axes axes{std::log10(static_cast<double>(spectrum[spectrum.size() - 1].k))};
    out += grid(axes);
    out += curve(spectrum, axes, "#0b7285", "distinct",
                 [](const KmerCounts& at) { return at.distinct; });
    out +=
        curve(spectrum, axes, "#d9480f", "unique", [](const KmerCounts& at) { return at.unique; });
  }
  out += fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\" fill=\"#777\">k</text>\n"
      "<text x=\"{:.0f}\" y=\"18\" fill=\"#777\">share of all k-mers</text>\n</svg>\n",
      left + (width - left - right) / 2, height - 10, left);
  return out;
}

}  // namespace gsx

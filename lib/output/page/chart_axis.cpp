// Where an axis ends, and where its ticks are.
#include <algorithm>
#include <cmath>

#include "output/page/chart.hpp"
#include "output/page/html.hpp"

namespace gsx {
namespace {

/// The least of 1, 2 and 5 times a power of 10 that is at least `value`.
double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Axis Axis::up_to(double most) {
  Axis axis;
  if (!(most > 0)) most = 1;
  const double step = round_up(most / 5);
  axis.high = step * std::ceil(most / step - 1e-9);
  for (int i = 0; i * step <= axis.high * (1 + 1e-9); ++i)
    axis.ticks.emplace_back(i * step, short_number(i * step));
  return axis;
}

Axis Axis::of_counts(double most) {
  Axis axis = up_to(std::max(most, 1.0));
  std::erase_if(axis.ticks, [](const auto& tick) { return tick.first != std::floor(tick.first); });
  return axis;
}

Axis Axis::of_powers(double least, double most) {
  Axis axis;
  axis.is_logarithmic = true;
  axis.low = least;
  axis.high = std::max(most, least * 1.01);
  const bool is_long = axis.high / axis.low > 200;  // 1, 2 and 5 of a decade have no room
  const int first = static_cast<int>(std::floor(std::log10(least)));
  for (int power = first; power <= std::log10(axis.high) + 1e-9; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, power);
      if (is_long && factor != 1) break;
      if (tick >= axis.low * (1 - 1e-9) && tick <= axis.high * (1 + 1e-9))
        axis.ticks.emplace_back(tick, short_number(std::round(tick)));
    }
  }
  const std::size_t every = axis.ticks.size() / 9 + 1;
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    if (i % every != 0) axis.ticks[i].second.clear();
  }
  return axis;
}

Axis Axis::of_parts() {
  Axis axis;
  for (const int part : {0, 25, 50, 75, 100})
    axis.ticks.emplace_back(part / 100.0, std::to_string(part) + "\u202F%");
  return axis;
}

double Axis::place(double value) const {
  const double place = is_logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low)
                                      : (value - low) / (high - low);
  return std::clamp(place, 0.0, 1.0);
}

}  // namespace gsx

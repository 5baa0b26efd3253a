// Charts as SVG: functions of numbers. Colours come from the classes of the page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gsx {

/// What a chart says in words; plain text. `id` is unique in the page, and of letters.
struct ChartText {
  std::string id;
  std::string title;
  std::string description;
  std::string x_label;
  std::string y_label;
};

/// From `low` to `high`, with numbers at some places.
struct Axis {
  double low = 0;
  double high = 1;
  bool is_logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks;

  /// From 0 to a round number that is at least `most`.
  static Axis up_to(double most);
  /// From 0 to a round number, for whole numbers: no tick lies between two of them.
  static Axis of_counts(double most);
  /// Around [least, most], with the powers of 10. Pre: least > 0.
  static Axis of_powers(double least, double most);
  /// Parts from 0 to 1, as per cent.
  static Axis of_parts();

  /// Where a value lies, from 0 to 1.
  double place(double value) const;
};

struct Bar {
  double from;
  double to;
  double value;
};
/// Bars that stand on the x axis.
std::string bar_chart(const ChartText& text, const std::vector<Bar>& bars, const Axis& x,
                      const Axis& y);

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool is_stepped = false;
};
struct ChartMark {
  double x, y;
  std::string label;
};
/// At most two lines, of which the second is dashed, and points with labels.
std::string line_chart(const ChartText& text, const std::vector<Series>& series, const Axis& x,
                       const Axis& y, const std::vector<ChartMark>& marks = {});

struct BarPart {
  double part;             ///< of the whole
  const char* mark = "a";  ///< the class that colours it
};
/// A horizontal bar of parts for a cell of a table, where a number says the same.
std::string part_bar(const std::vector<BarPart>& parts);

}  // namespace gsx

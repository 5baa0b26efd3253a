// Formats the results of gsx bench as a table and as CSV.
#include <cstdio>

#include "bench/bench.hpp"

namespace gsx::app {
namespace {

std::string scaled(double rate, const std::string& unit) {
  const char* scale = rate >= 1e9 ? "G" : rate >= 1e6 ? "M" : "";
  char text[64];
  std::snprintf(text, sizeof text, "%.3f %s%s",
                rate / (rate >= 1e9   ? 1e9
                        : rate >= 1e6 ? 1e6
                                      : 1),
                scale, unit.c_str());
  return text;
}

/// Pads `text` on the left so that its number ends at column `width`.
std::string in_field(const std::string& text, std::size_t width) {
  const std::size_t number = text.find(' ');
  return std::string(number < width ? width - number : 0, ' ') + text;
}

}  // namespace

const Ceiling* Report::ceiling_of(const Traffic& traffic) const {
  const Ceiling* best = nullptr;
  if (traffic.rate <= 0) return best;
  for (const Ceiling& ceiling : ceilings) {
    if (ceiling.unit != traffic.unit) continue;
    const bool first = best == nullptr;
    if (traffic.bytes == 0) {
      if (first) best = &ceiling;  // the copy on the device comes before the bus
    } else if (first || (best->bytes < traffic.bytes
                             ? ceiling.bytes > best->bytes
                             : ceiling.bytes >= traffic.bytes && ceiling.bytes < best->bytes)) {
      best = &ceiling;
    }
  }
  return best;
}

std::string Report::as_table() const {
  std::string out;
  for (const Ceiling& ceiling : ceilings) {
    char line[160];
    std::snprintf(line, sizeof line, "%-44s %12s %s\n", ("ceiling: " + ceiling.name).c_str(), "",
                  in_field(scaled(ceiling.rate, ceiling.unit), 9).c_str());
    out += line;
  }
  for (const Row& row : rows) {
    char seconds[24] = "";
    if (row.seconds > 0) std::snprintf(seconds, sizeof seconds, "%.4f s", row.seconds);
    char line[200];
    std::snprintf(line, sizeof line, "%-44s %12s %-23s", row.work.c_str(), seconds,
                  in_field(scaled(row.rate, row.unit), 9).c_str());
    out += line;
    if (row.traffic.rate > 0) {
      out += in_field(scaled(row.traffic.rate, row.traffic.unit), 9);
      if (const Ceiling* ceiling = ceiling_of(row.traffic)) {
        std::snprintf(line, sizeof line, " = %.0f %%", 100 * row.traffic.rate / ceiling->rate);
        out += line;
      }
      if (row.traffic.each > 0) {
        std::snprintf(line, sizeof line, ", %.1f per read", row.traffic.each);
        out += line;
      }
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string Report::as_csv() const {
  std::string out = "work,seconds,rate,unit,traffic,traffic_unit,ceiling,share,runs\n";
  char line[400];
  for (const Ceiling& ceiling : ceilings) {
    std::snprintf(line, sizeof line, "\"ceiling: %s\",0,%.6g,%s,,,,,\n", ceiling.name.c_str(),
                  ceiling.rate, ceiling.unit.c_str());
    out += line;
  }
  for (const Row& row : rows) {
    std::snprintf(line, sizeof line, "\"%s\",%.6f,%.6g,%s,", row.work.c_str(), row.seconds,
                  row.rate, row.unit.c_str());
    out += line;
    if (row.traffic.rate > 0) {
      std::snprintf(line, sizeof line, "%.6g,%s", row.traffic.rate, row.traffic.unit.c_str());
      out += line;
    } else {
      out += ',';
    }
    if (const Ceiling* ceiling = ceiling_of(row.traffic)) {
      std::snprintf(line, sizeof line, ",\"%s\",%.4f,", ceiling->name.c_str(),
                    row.traffic.rate / ceiling->rate);
      out += line;
    } else {
      out += ",,,";
    }
    for (const double seconds : row.runs) {
      std::snprintf(line, sizeof line, "%s%.9g", out.back() == ',' ? "" : " ", seconds);
      out += line;
    }
    out += '\n';
  }
  return out;
}

}  // namespace gsx::app

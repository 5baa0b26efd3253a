// Formats the results of gsx bench as a table and as CSV.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.hpp"

namespace gsx::app {
namespace {

[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...) {
  char text[64];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

/// A number with three decimals, or with three digits if it is small.
std::string number(double value) {
  return value == 0 || value >= 0.1 ? printed("%.3f", value) : printed("%.3g", value);
}

/// A share in per cent: two digits of what is below a tenth.
std::string per_cent(double share) {
  const double value = 100 * share;
  if (value < 0.01) return "< 0.01 %";
  return value >= 9.95 ? printed("%.0f %%", value) : printed("%.2g %%", value);
}

/// The least and the largest of some rates; rates of 0 do not count.
struct Range {
  double least = 0, largest = 0;

  void add(double rate) {
    if (rate > 0 && (least == 0 || rate < least)) least = rate;
    largest = std::max(largest, rate);
  }
};

/// A unit with its prefix, in which the rates of a column are shown: that of the largest, or the
/// next one where the least would be below a tenth.
class Scale {
 public:
  Scale(const Range& rates, const std::string& unit) {
    constexpr std::pair<double, const char*> prefixes[] = {
        {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
    std::size_t i = 0;
    while (i < 3 && rates.largest < prefixes[i].first)
      ++i;
    if (i < 3 && rates.least < prefixes[i].first / 10) ++i;
    one_ = prefixes[i].first;
    name_ = prefixes[i].second + unit;
  }
  const std::string& name() const { return name_; }
  std::string of(double rate) const { return number(rate / one_); }

 private:
  double one_;
  std::string name_;
};

/// Lines of cells under a heading. Columns without any cell below their heading are left out.
class Block {
 public:
  using Cells = std::vector<std::string>;
  explicit Block(Cells heading) : lines_{std::move(heading)} {}
  void add(Cells cells) { lines_.push_back(std::move(cells)); }
  /// Bytes of the longest cell of the first column.
  std::size_t first_width() const {
    std::size_t width = 0;
    for (const Cells& cells : lines_)
      width = std::max(width, cells[0].size());
    return width;
  }
  std::string text(std::size_t first) const {
    std::string out;
    for (const Cells& cells : lines_) {
      out += cells[0];
      std::size_t blanks = first - cells[0].size();
      for (std::size_t column = 1; column < cells.size(); ++column) {
        const std::size_t width = width_of(column);
        if (width == 0) continue;
        blanks += 3 + width - cells[column].size();
        if (cells[column].empty()) continue;
        out += std::string(blanks, ' ') + cells[column];
        blanks = 0;
      }
      out += '\n';
    }
    return out;
  }

 private:
  /// Bytes of the longest cell; 0 if there is none below the heading.
  std::size_t width_of(std::size_t column) const {
    std::size_t width = 0;
    for (std::size_t line = 1; line < lines_.size(); ++line)
      width = std::max(width, lines_[line][column].size());
    return width == 0 ? 0 : std::max(width, lines_[0][column].size());
  }

  std::vector<Cells> lines_;
};

/// Results of the same units.
template <class Item>
struct Group {
  std::string unit;
  std::string traffic_unit;  ///< "" if no traffic is known
  std::vector<const Item*> items;

  /// The range of rate(item).
  template <class Rate>
  Range range(const Rate& rate) const {
    Range all;
    for (const Item* item : items)
      all.add(rate(*item));
    return all;
  }
};

/// Puts an item into the first group that it fits, or into a new one.
template <class Item>
void add_to(std::vector<Group<Item>>& groups, const Item& item, const std::string& traffic_unit) {
  for (Group<Item>& group : groups) {
    if (group.unit != item.unit) continue;
    if (group.traffic_unit.empty()) group.traffic_unit = traffic_unit;
    if (!traffic_unit.empty() && group.traffic_unit != traffic_unit) continue;
    group.items.push_back(&item);
    return;
  }
  groups.push_back({item.unit, traffic_unit, {&item}});
}

Block ceiling_block(const Group<Ceiling>& group) {
  const Scale scale(group.range([](const Ceiling& ceiling) { return ceiling.rate; }), group.unit);
  Block block({"ceiling", scale.name()});
  for (const Ceiling* ceiling : group.items)
    block.add({ceiling->name, scale.of(ceiling->rate)});
  return block;
}

Block memory_block(const Group<Row>& group, const Report& report) {
  const auto symbols = static_cast<double>(report.symbols);
  Block block({"memory", "MB", group.unit});
  const auto add = [&](const std::string& name, double per_symbol) {
    block.add({name, printed("%.1f", per_symbol * symbols / 1e6), number(per_symbol)});
  };
  for (const Row* row : group.items) {
    add(row->work, row->rate);
    if (row->work == peak_host_memory)
      add("  of it before there was a text", static_cast<double>(report.bytes_before) / symbols);
  }
  return block;
}

Block work_block(const Group<Row>& group, const Report& report) {
  const Scale rates(group.range([](const Row& row) { return row.rate; }), group.unit);
  const std::string& unit = group.traffic_unit;
  const Scale traffics(group.range([](const Row& row) { return row.traffic.rate; }), unit);
  Block block({"work", "seconds", rates.name(), (unit == "B/s" ? "memory " : "") + traffics.name(),
               "of ceiling", unit.substr(0, unit.find('/')) + " per read"});
  for (const Row* row : group.items) {
    const Ceiling* ceiling = report.ceiling_of(row->traffic);
    block.add({row->work, row->seconds > 0 ? printed("%.6f", row->seconds) : "",
               rates.of(row->rate), row->traffic.rate > 0 ? traffics.of(row->traffic.rate) : "",
               ceiling != nullptr ? per_cent(row->traffic.rate / ceiling->rate) : "",
               row->traffic.each > 0 ? printed("%.1f", row->traffic.each) : ""});
  }
  return block;
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
  std::vector<Group<Ceiling>> limits;
  for (const Ceiling& ceiling : ceilings)
    add_to(limits, ceiling, "");
  std::vector<Group<Row>> results;
  for (const Row& row : rows)
    add_to(results, row, row.traffic.rate > 0 ? row.traffic.unit : "");
  std::vector<Block> blocks;
  for (const auto& group : limits)
    blocks.push_back(ceiling_block(group));
  for (const auto& group : results) {
    blocks.push_back(group.unit == memory_unit ? memory_block(group, *this)
                                               : work_block(group, *this));
  }
  std::size_t width = 0;
  for (const Block& block : blocks)
    width = std::max(width, block.first_width());
  std::string out;
  for (const Block& block : blocks)
    out += (out.empty() ? "" : "\n") + block.text(width);
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
      std::snprintf(line, sizeof line, ",\"%s\",%.4g,", ceiling->name.c_str(),
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

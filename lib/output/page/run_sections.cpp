// The sections of a report that tell of runs.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "output/page/chart.hpp"
#include "output/page/html.hpp"
#include "output/page/parts.hpp"
#include "output/page/report_page.hpp"

namespace gsx {
namespace {

/// Samples that have a row each; more would make the page large.
constexpr std::size_t most_samples = 500;
/// Sets of options that have a row each.
constexpr std::size_t most_option_sets = 20;
/// So many runs have a chart of their rates.
constexpr std::size_t least_rates = 10;

using Runs = std::vector<const RunFacts*>;

double rate(std::uint64_t some, std::uint64_t all) {
  return all == 0 ? 0 : real(some) / real(all);
}

/// The cell of a hit rate: the number, and a bar.
std::string rate_cell(const RunFacts& run) {
  return percent(real(run.matched), real(run.queries), 2) +
         part_bar({{rate(run.matched, run.queries)}});
}

std::string strand_cell(const RunFacts& run) {
  if (!run.hits_forward) return "\u2013";
  std::string number = percent(real(*run.hits_forward), real(run.hits));
  if (run.hits == 0) return number;
  return number +
         part_bar({{rate(*run.hits_forward, run.hits)}, {rate(*run.hits_reverse, run.hits), "b"}});
}

/// A column of a table with a row for each run: its head, and its cell of a run.
struct RunColumn {
  const char* head;
  std::function<std::string(const RunFacts&)> cell;
  bool is_number = true;
};

RunColumn count_column(const char* head, std::uint64_t RunFacts::*count) {
  return {head, [count](const RunFacts& run) { return grouped(run.*count); }};
}

/// A column of a number that not every run has.
RunColumn count_column(const char* head, std::optional<std::uint64_t> RunFacts::*count) {
  return {head, [count](const RunFacts& run) {
            return run.*count ? grouped(*(run.*count)) : std::string("\u2013");
          }};
}

/// The first column is that of the samples.
std::string run_table(const char* caption, const Runs& runs,
                      const std::vector<RunColumn>& columns) {
  Table table{caption, {{"sample"}}, {}, true};
  for (const RunColumn& column : columns)
    table.columns.push_back({column.head, column.is_number});
  for (const RunFacts* run : runs) {
    auto& row = table.rows.emplace_back();
    row.push_back(isolated_name(run->sample));
    for (const RunColumn& column : columns)
      row.push_back(column.cell(*run));
  }
  return html_of(table);
}

std::string search_table(const Runs& runs) {
  const auto command = [](const RunFacts& run) { return html_text(run.command); };
  return run_table("hits of each sample", runs,
                   {{"command", command, false},
                    count_column("queries", &RunFacts::queries),
                    count_column("with hits", &RunFacts::matched),
                    {"hit rate", rate_cell},
                    count_column("cannot match", &RunFacts::cannot_match),
                    count_column("hits", &RunFacts::hits),
                    {"forward strand", strand_cell}});
}

std::string filter_table(const Runs& runs) {
  const auto part_written = [](const RunFacts& run) {
    return percent(real(run.written), real(run.queries), 2) +
           part_bar({{rate(run.written, run.queries), "b"}});
  };
  return run_table("reads of each filtered sample", runs,
                   {count_column("reads", &RunFacts::queries),
                    count_column("match", &RunFacts::matched),
                    {"match rate", rate_cell},
                    count_column("cannot match", &RunFacts::cannot_match),
                    count_column("written", &RunFacts::written),
                    {"part written", part_written},
                    count_column("bases written", &RunFacts::bases_written)});
}

std::string prefix_table(const Runs& runs) {
  return run_table("queries of each sample that begin with an entry", runs,
                   {count_column("queries", &RunFacts::queries),
                    count_column("with an entry", &RunFacts::matched),
                    {"rate", rate_cell},
                    count_column("entries", &RunFacts::entries),
                    count_column("entries found", &RunFacts::entries_matched)});
}

/// What becomes of the sequences of each sample: corrections, or only their neighbours.
std::string correction_table(const Runs& runs) {
  const auto known = [](const RunFacts& run) {
    return percent(real(run.exact + run.corrected), real(run.queries), 2) +
           part_bar({{rate(run.exact, run.queries)}, {rate(run.corrected, run.queries), "b"}});
  };
  return run_table("corrected sequences of each sample", runs,
                   {count_column("reads", &RunFacts::queries),
                    count_column("exact", &RunFacts::exact),
                    count_column("corrected", &RunFacts::corrected),
                    count_column("ambiguous", &RunFacts::ambiguous),
                    count_column("unmatched", &RunFacts::unmatched),
                    count_column("too short", &RunFacts::too_short),
                    count_column("distinct", &RunFacts::distinct),
                    {"exact or corrected", known}}) +
         "<p class=\"quiet\"><span class=\"key a\"></span>exact, <span class=\"key "
         "b\"></span>corrected, of all reads</p>\n";
}

std::string neighbor_table(const Runs& runs) {
  return run_table(
      "neighbours of each sample", runs,
      {count_column("reads", &RunFacts::queries), count_column("too short", &RunFacts::too_short),
       count_column("distinct", &RunFacts::distinct), count_column("length", &RunFacts::length),
       count_column("pairs", &RunFacts::pairs), count_column("clusters", &RunFacts::clusters)});
}

/// The indexes that runs searched, unless all searched the one that the page shows.
std::string indexes_table(const std::vector<RunFacts>& runs, const IndexFacts* shown) {
  struct Group {
    const RunFacts* first;
    std::uint64_t runs;
  };
  std::map<std::pair<std::optional<std::uint64_t>, std::string_view>, Group> groups;
  std::uint64_t others = 0, unknown = 0;
  for (const RunFacts& run : runs) {
    if (run.kind == RunFacts::Kind::prefix || run.kind == RunFacts::Kind::neighbors) continue;
    ++groups.try_emplace({run.index_checksum, run.index_file}, Group{&run, 0}).first->second.runs;
    unknown += run.index_checksum ? 0 : 1;
    others +=
        run.index_checksum && shown != nullptr && *run.index_checksum != shown->checksum ? 1 : 0;
  }
  if (groups.empty() || (groups.size() == 1 && unknown != 0 && shown == nullptr)) return "";
  if (shown != nullptr && others == 0 && unknown == 0) return "";
  std::string out;
  const auto say = [&](std::uint64_t count, const char* one, const char* many, const char* what) {
    if (count == 0) return;
    out += fmt::format("<p class=\"warning\">{} {} {}</p>\n", grouped(count),
                       count == 1 ? one : many, what);
  };
  say(others, "run has", "runs have", "searched another index than the one that this page shows.");
  if (shown != nullptr) say(unknown, "run does", "runs do", "not say which index was searched.");
  Table table{"indexes that were searched", {{"index"}, {"checksum"}, {"runs", true}}, {}};
  if (shown != nullptr) table.columns.push_back({"of this page"});
  for (const auto& [key, group] : groups) {
    if (table.rows.size() == most_option_sets) break;
    const auto& [checksum, file] = key;
    table.rows.push_back(
        {file.empty() ? (checksum ? "in memory" : "not said") : isolated_name(file),
         checksum ? fmt::format("<span class=\"hash\">{:016x}</span>", *checksum) : "\u2013",
         grouped(group.runs)});
    if (shown != nullptr) {
      table.rows.back().push_back(!checksum                      ? "not said"
                                  : *checksum == shown->checksum ? "yes"
                                                                 : "no");
    }
  }
  out += html_of(table);
  if (groups.size() > table.rows.size())
    out += fmt::format("<p class=\"quiet\">{} more have no row.</p>\n",
                       grouped(groups.size() - table.rows.size()));
  return out;
}

/// The rates of many runs of a command; those without queries have none. Nothing if there are few.
std::string rates_chart(const std::string& command, const Runs& runs) {
  constexpr std::uint64_t bins = 20;
  std::vector<Bar> bars;
  for (std::uint64_t bin = 0; bin < bins; ++bin)
    bars.push_back({real(bin) / bins, real(bin + 1) / bins, 0});
  std::vector<double> rates;
  for (const RunFacts* run : runs) {
    if (run->queries == 0) continue;
    rates.push_back(rate(run->matched, run->queries));
    const auto bin = static_cast<std::size_t>(rates.back() * bins);
    ++bars[std::min<std::size_t>(bin, bins - 1)].value;
  }
  if (rates.size() < least_rates) return "";
  std::ranges::sort(rates);
  const std::size_t empty = runs.size() - rates.size();
  std::string left_out;
  if (empty != 0) {
    left_out = fmt::format(" {} {} without queries {} left out.", grouped(empty),
                           empty == 1 ? "sample" : "samples", empty == 1 ? "is" : "are");
  }
  const double most = std::ranges::max(bars, {}, &Bar::value).value;
  const ChartText text{
      "rates-" + command, "Samples by hit rate of " + command,
      fmt::format("The lowest is {}, the median {}, the highest {}.{}", percent(rates.front(), 1),
                  percent(rates[rates.size() / 2], 1), percent(rates.back(), 1), left_out),
      "part of the queries that have hits", "samples"};
  return figure(text.title, bar_chart(text, bars, Axis::of_parts(), Axis::of_counts(most))) +
         "<p>" + html_text(text.description) + "</p>\n";
}

/// A chart for each command that has many runs with rates.
std::string rates_charts(const std::vector<RunFacts>& runs) {
  std::map<std::string, Runs> by_command;
  for (const RunFacts& run : runs)
    if (run.kind != RunFacts::Kind::neighbors) by_command[run.command].push_back(&run);
  std::string out;
  for (const auto& [command, own] : by_command)
    out += rates_chart(command, own);
  return out;
}

/// The options of the runs, those that share them together.
std::string options_table(const std::vector<RunFacts>& runs) {
  struct Group {
    const RunFacts* first;
    std::uint64_t runs;
  };
  std::vector<Group> groups;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> places;
  for (const RunFacts& run : runs) {
    const auto [place, is_new] =
        places.try_emplace({run.command, run.version, run.options}, groups.size());
    if (is_new) groups.push_back({&run, 0});
    ++groups[place->second].runs;
  }
  std::uint64_t others = 0, other_runs = 0;
  Table table{
      "options of the runs", {{"command"}, {"version"}, {"runs", true}, {"options"}}, {}, true};
  for (const Group& group : groups) {
    if (table.rows.size() == most_option_sets) {
      ++others;
      other_runs += group.runs;
      continue;
    }
    table.rows.push_back({html_text(group.first->command), isolated_name(group.first->version, 20),
                          grouped(group.runs), isolated_name(group.first->options, 400)});
  }
  std::string out = html_of(table);
  if (others != 0) {
    out +=
        fmt::format("<p class=\"quiet\">{} more {}, with {} other {} of options, {} no row.</p>\n",
                    grouped(other_runs), other_runs == 1 ? "run" : "runs", grouped(others),
                    others == 1 ? "set" : "sets", other_runs == 1 ? "has" : "have");
  }
  return out;
}

}  // namespace

std::string runs_section(const std::vector<RunFacts>& runs, const IndexFacts* shown) {
  Runs searches, filters, prefixes, corrections, neighbors;
  std::size_t rows = 0;
  for (const RunFacts& run : runs) {
    if (rows++ >= most_samples) break;
    Runs& own = run.kind == RunFacts::Kind::filter   ? filters
                : run.kind == RunFacts::Kind::prefix ? prefixes
                : run.kind == RunFacts::Kind::search ? searches
                : run.has_corrections                ? corrections
                                                     : neighbors;
    own.push_back(&run);
  }
  std::string out = indexes_table(runs, shown) + rates_charts(runs);
  if (!searches.empty()) {
    out += search_table(searches);
    const bool has_strands = std::ranges::any_of(
        searches, [](const RunFacts* run) { return run->hits_forward.has_value(); });
    if (has_strands) {
      out +=
          "<p class=\"quiet\"><span class=\"key a\"></span>forward strand, "
          "<span class=\"key b\"></span>reverse strand, of all hits</p>\n";
    }
  }
  if (!filters.empty()) out += filter_table(filters);
  if (!prefixes.empty()) out += prefix_table(prefixes);
  if (!corrections.empty()) out += correction_table(corrections);
  if (!neighbors.empty()) out += neighbor_table(neighbors);
  if (runs.size() > most_samples) {
    out += fmt::format("<p class=\"quiet\">{} more samples have no row.</p>\n",
                       grouped(runs.size() - most_samples));
  }
  return out + options_table(runs);
}

std::string spectrum_section(const std::vector<SpectrumPoint>& all) {
  if (all.empty()) return "<p>There are no k-mers.</p>\n";
  const std::vector<SpectrumPoint> rows = thinned(all, 200);
  Series distinct{"distinct", {}}, unique{"unique", {}};
  for (const SpectrumPoint& row : rows) {
    distinct.points.emplace_back(real(row.k), rate(row.distinct, row.total));
    unique.points.emplace_back(real(row.k), rate(row.unique, row.total));
  }
  const auto half = std::ranges::find_if(all, [](const SpectrumPoint& row) {
    return row.total > 0 && row.unique >= row.total - row.total / 2;
  });
  const SpectrumPoint& last = all.back();
  std::string most_unique = fmt::format(
      "Up to k = {}, less than half of all places have a k-mer that occurs once.", last.k);
  if (half != all.end()) {
    most_unique = fmt::format(
        "With k = {}, at least half of all places have a k-mer that occurs once.", half->k);
  }
  std::string complete;
  if (last.unique == last.total) complete = fmt::format(" With k = {}, all do.", last.k);
  const ChartText text{"spectrum", "Distinct and unique k-mers", most_unique + complete,
                       "k (logarithmic)", "per place"};
  Table table{"k-mers by k",
              {{"length k", true},
               {"distinct", true},
               {"unique", true},
               {"places", true},
               {"unique part", true}},
              {}};
  for (const SpectrumPoint& row : thinned(all, 40)) {
    table.rows.push_back({grouped(row.k), grouped(row.distinct), grouped(row.unique),
                          grouped(row.total), percent(real(row.unique), real(row.total), 2)});
  }
  return "<p>" + html_text(text.description) + "</p>\n" +
         figure(text.title, line_chart(text, {distinct, unique},
                                       Axis::of_powers(real(rows.front().k), real(rows.back().k)),
                                       Axis::of_parts())) +
         numbers_behind(table);
}

}  // namespace gsx

// The sections of a report that tell of an index.
#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "output/page/chart.hpp"
#include "output/page/html.hpp"
#include "output/page/parts.hpp"
#include "output/page/report_page.hpp"

namespace gsx {
namespace {

bool is_dna(const IndexFacts& index) {
  return index.policy == SymbolPolicy::dna;
}

/// Bars of bins; a bin of whole numbers ends before the next begins.
std::vector<Bar> bars_of(const LengthFacts& lengths) {
  std::vector<Bar> bars;
  for (const LengthBin& bin : lengths.bins)
    bars.push_back({real(bin.from), real(bin.to) + 1, real(bin.count)});
  return bars;
}

Axis length_axis(const LengthFacts& lengths) {
  if (lengths.is_logarithmic) {
    const double least = std::max(1.0, real(lengths.bins.front().from));
    return Axis::of_powers(least, real(lengths.bins.back().to) + 1);
  }
  Axis axis = Axis::up_to(real(lengths.bins.back().to) + 1);
  return axis;
}

std::string histogram(const LengthFacts& lengths, const std::string& id, const char* things) {
  double most = 0;
  for (const LengthBin& bin : lengths.bins)
    most = std::max(most, real(bin.count));
  const ChartText text{id, fmt::format("Lengths of {}", things),
                       fmt::format("{} {} from {} to {} symbols long; half are at least {} long.",
                                   grouped(lengths.count), things, grouped(lengths.shortest),
                                   grouped(lengths.longest), grouped(lengths.median)),
                       lengths.is_logarithmic ? "length (logarithmic)" : "length", things};
  return figure(text.title,
                bar_chart(text, bars_of(lengths), length_axis(lengths), Axis::of_counts(most)));
}

Table bins_table(const LengthFacts& lengths, const char* things) {
  Table table{
      fmt::format("lengths of {}", things), {{"from", true}, {"to", true}, {things, true}}, {}};
  for (const LengthBin& bin : lengths.bins)
    table.rows.push_back({grouped(bin.from), grouped(bin.to), grouped(bin.count)});
  return table;
}

/// The length that is Nx over x.
std::string cumulative(const LengthFacts& lengths) {
  Series series{"length", {}, true};
  for (const LengthPoint& point : lengths.cumulative)
    series.points.emplace_back(point.part, std::max(1.0, real(point.length)));
  series.points.emplace_back(1, std::max(1.0, real(lengths.shortest)));
  const ChartText text{
      "cumulative", "Length by part of all symbols (Nx)",
      fmt::format("The longest records down to {} symbols hold half of all symbols; "
                  "those down to {} hold 90 per cent.",
                  grouped(lengths.n50), grouped(lengths.n90)),
      "part of all symbols, longest records first",
      lengths.is_logarithmic ? "length (logarithmic)" : "length"};
  const Axis y = lengths.is_logarithmic
                     ? Axis::of_powers(std::max(1.0, real(lengths.shortest)), real(lengths.longest))
                     : Axis::up_to(real(lengths.longest));
  return figure(text.title,
                line_chart(text, {series}, Axis::of_parts(), y,
                           {{0.5, real(lengths.n50), "N50 " + short_number(real(lengths.n50))}}));
}

/// The statistics in a few words each.
std::string statistics(const LengthFacts& lengths) {
  std::string out = "<dl class=\"cards\">\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
  };
  add("shortest", grouped(lengths.shortest));
  add("median", grouped(lengths.median));
  add("longest", grouped(lengths.longest));
  add("N50", grouped(lengths.n50));
  add("L50", grouped(lengths.l50));
  add("N90", grouped(lengths.n90));
  if (lengths.genome != 0) {
    add(fmt::format("NG50, of {}", grouped(lengths.genome)),
        lengths.ng50 ? grouped(*lengths.ng50) : "less than half is here");
  }
  return out + "</dl>\n";
}

std::string shares_table(const IndexFacts& index) {
  std::vector<SymbolShare> shares = index.composition;
  std::uint64_t total = 0;
  for (const SymbolShare& share : shares)
    total += share.count;
  const bool is_long = shares.size() > 8;
  if (is_long) {
    std::ranges::stable_sort(shares, std::ranges::greater{}, &SymbolShare::count);
    std::erase_if(shares, [](const SymbolShare& share) { return share.count == 0; });
  }
  // The bars of many symbols are of the most frequent one.
  const double whole = is_long && !shares.empty() ? real(shares.front().count) : real(total);
  Table table{"symbols", {{"symbol"}, {"number", true}, {"part", true}, {"", false}}, {}};
  for (const SymbolShare& share : shares) {
    table.rows.push_back({html_text(share.symbol), grouped(share.count),
                          percent(real(share.count), real(total), 2),
                          part_bar({{whole == 0 ? 0 : real(share.count) / whole}})});
  }
  return html_of(table);
}

std::string gc_chart(const IndexFacts& index) {
  std::vector<Bar> bars;
  Table table{
      "symbols by GC of their record", {{"GC", true}, {"records", true}, {"symbols", true}}, {}};
  double most = 0;
  for (std::uint64_t bin = 0; bin < GcBins::count; ++bin) {
    const double from = real(bin) / real(GcBins::count), to = real(bin + 1) / real(GcBins::count);
    bars.push_back({from, to, real(index.gc_bins.symbols[bin])});
    most = std::max(most, bars.back().value);
    if (index.gc_bins.records[bin] == 0) continue;
    table.rows.push_back({fmt::format("{:.0f}\u2013{:.0f}\u202F%", 100 * from, 100 * to),
                          grouped(index.gc_bins.records[bin]),
                          grouped(index.gc_bins.symbols[bin])});
  }
  const ChartText text{
      "gc", "GC of the records",
      fmt::format("Symbols A, C, G and T by the part of G and C in their record. In "
                  "all records together, it is {}.",
                  percent(real(index.gc), real(index.acgt), 2)),
      "part of G and C in the record", "symbols"};
  return "<div>" + figure(text.title, bar_chart(text, bars, Axis::of_parts(), Axis::up_to(most))) +
         numbers_behind(table) + "</div>\n";
}

}  // namespace

std::string lengths_section(const IndexFacts& index) {
  const LengthFacts& lengths = index.lengths;
  if (lengths.count < 2) return "";  // the table of records says it all
  return statistics(lengths) + "<div class=\"charts\">\n" +
         histogram(lengths, "record-lengths", "records") + cumulative(lengths) + "</div>\n" +
         numbers_behind(bins_table(lengths, "records"));
}

std::string composition_section(const IndexFacts& index) {
  if (index.lengths.total == 0) return "";
  std::string out;
  if (is_dna(index) && index.acgt > 0) {
    out += fmt::format("<p>G and C are {} of A, C, G and T.{}</p>\n",
                       percent(real(index.gc), real(index.acgt), 2),
                       index.counts.n == 0 ? " There is no N." : "");
  }
  out += "<div class=\"charts\">\n<div>" + shares_table(index) + "</div>\n";
  if (is_dna(index) && index.lengths.count > 1 && index.acgt > 0) out += gc_chart(index);
  return out + "</div>\n";
}

std::string n_runs_section(const IndexFacts& index) {
  if (!is_dna(index)) return "";
  const LengthFacts& runs = index.n_runs;
  if (runs.count == 0) return "";
  std::string out =
      fmt::format("<p>{} N in {} {}, {} of all symbols; the longest has {}.</p>\n",
                  grouped(runs.total), grouped(runs.count), runs.count == 1 ? "run" : "runs",
                  percent(real(runs.total), real(index.lengths.total), 2), grouped(runs.longest));
  Table table{runs.count > index.longest_n_runs.size() ? "longest runs of N" : "runs of N",
              {{"record"}, {"begin", true}, {"end", true}, {"length", true}},
              {}};
  for (std::size_t i = 0; i < index.longest_n_runs.size(); ++i) {
    const NRun& run = index.longest_n_runs[i];
    table.rows.push_back({isolated_name(index.n_run_records[i]), grouped(run.begin),
                          grouped(run.begin + run.length), grouped(run.length)});
  }
  out += "<div class=\"charts\">\n<div>" + html_of(table) + "</div>\n";
  if (runs.count > 1) {
    out += "<div>" + histogram(runs, "n-lengths", "runs of N") +
           numbers_behind(bins_table(runs, "runs of N")) + "</div>\n";
  }
  return out + "</div>\n";
}

std::string records_section(const IndexFacts& index) {
  const std::uint64_t count = index.lengths.count, shown = index.longest.size();
  if (shown == 0) return "";
  Table table{shown < count
                  ? fmt::format("the {} longest of {} records", grouped(shown), grouped(count))
                  : "records, the longest first",
              {{"name"}, {"number", true}, {"length", true}, {"of all", true}},
              {},
              true};
  if (is_dna(index)) {
    table.columns.push_back({"GC", true});
    table.columns.push_back({"N", true});
  }
  table.columns.push_back({"", false});
  const double longest = real(std::max<std::uint64_t>(index.lengths.longest, 1));
  for (const RecordFact& record : index.longest) {
    table.rows.push_back({isolated_name(record.name), grouped(record.number + 1),
                          grouped(record.length),
                          percent(real(record.length), real(index.lengths.total), 2)});
    if (is_dna(index)) {
      table.rows.back().push_back(percent(real(record.gc), real(record.plain), 2));
      table.rows.back().push_back(grouped(record.n));
    }
    table.rows.back().push_back(part_bar({{real(record.length) / longest}}));
  }
  std::string out = html_of(table);
  if (shown < count) {
    out += fmt::format("<p class=\"quiet\">{} shorter records hold {} symbols, {} of all.</p>\n",
                       grouped(count - shown), grouped(index.others_symbols),
                       percent(real(index.others_symbols), real(index.lengths.total), 2));
  }
  return out;
}

std::string file_section(const IndexFacts& index) {
  Table made{"what made the index", {{"fact"}, {"value"}}, {}};
  const auto add = [&](const char* fact, const std::string& value) {
    made.rows.push_back({fact, value});
  };
  add("file", isolated_name(index.path, 200));
  add("size",
      fmt::format(
          "{} bytes, {:.2f} per symbol", grouped(index.file_bytes),
          index.lengths.total == 0 ? 0.0 : real(index.file_bytes) / real(index.lengths.total)));
  add("checksum", fmt::format("<span class=\"hash\">{:016x}</span>", index.checksum));
  add("gsx version", html_text(index.version));
  add("format version", std::to_string(index.format));
  add("alphabet", html_text(std::string(name_of(index.policy)) + ": " + index.symbols_of_alphabet));
  add("indexed symbols", grouped(index.indexed));
  add("segments", grouped(index.segments));
  add("soft masking", html_text(index.soft_mask));
  add("lower-case symbols kept", grouped(index.counts.lower_case));
  add("MD5 of records", index.has_md5 ? "stored" : "not stored");
  add("sample rate", std::to_string(index.sample_rate));
  add("k-mer table", fmt::format("k = {}", index.kmer_length));
  if (index.shards != 0) add("shards", grouped(index.shards));
  Table sections{index.shards != 0 ? "sections of all shards, the largest first"
                                   : "sections of the file, the largest first",
                 {{"section"}, {"bytes", true}, {"part", true}, {"XXH3-64 checksum"}, {""}},
                 {},
                 true};
  std::vector<SectionFact> sorted = index.sections;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &SectionFact::bytes);
  for (const SectionFact& section : sorted) {
    sections.rows.push_back(
        {html_text(section.name), grouped(section.bytes),
         percent(real(section.bytes), real(index.file_bytes), 2),
         section.checksum ? fmt::format("<span class=\"hash\">{:016x}</span>", *section.checksum)
                          : ".",
         part_bar({{real(section.bytes) / real(index.file_bytes)}})});
  }
  return html_of(made) + numbers_behind(sections);
}

}  // namespace gsx

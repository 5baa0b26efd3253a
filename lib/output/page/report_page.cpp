#include "output/page/report_page.hpp"

#include <spdlog/fmt/fmt.h>

#include <string_view>

#include "output/page/html.hpp"
#include "output/page/parts.hpp"

namespace gsx {
namespace {

/// The style sheet: light and dark as the reader prefers, readable on paper and on narrow screens.
/// Text has a contrast of at least 4.5 to its ground.
extern const std::string_view page_style;

const std::string_view page_style = R"css(
:root{color-scheme:light dark;--ground:#fff;--card:#f4f7f8;--text:#1b2730;--quiet:#4f5f6a;
--line:#d3dce0;--a:#0b7285;--b:#b4430c;--c:#6b7780}
@media(prefers-color-scheme:dark){:root{--ground:#11181d;--card:#1a242b;--text:#e4eaee;
--quiet:#a3b1ba;--line:#34434d;--a:#4fb9cf;--b:#f0925e;--c:#84929b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
header,main,footer{max-width:70rem;margin:auto;padding:0 1.25rem}
header{padding-top:1.5rem}
h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem;padding-top:.5rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.5rem 0;max-width:46rem}
a{color:var(--a)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--b);
outline-offset:2px}
.skip{position:absolute;left:-99rem;top:0;background:var(--ground);padding:.5rem 1rem}
.skip:focus{left:.5rem}
.quiet,footer{color:var(--quiet);font-size:.875rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1rem 0 0}
dl.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(12.5rem,1fr));gap:.75rem;
margin:1.5rem 0 0}
.cards div{background:var(--card);border:1px solid var(--line);border-radius:.5rem;
padding:.6rem .9rem}
.cards dt{color:var(--quiet);font-size:.875rem}
.cards dd{margin:0;font-size:1.2rem;font-weight:600;overflow-wrap:anywhere}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));
gap:1.25rem;align-items:start;margin:1.25rem 0 0}
figure{margin:0;min-width:0}
figcaption{font-weight:600;margin-bottom:.25rem}
svg.chart{display:block;width:100%;max-width:34rem;height:auto;font-size:13px;fill:var(--quiet)}
.end{text-anchor:end}.middle{text-anchor:middle}
.grid{stroke:var(--line);fill:none}
.bars.a,.bar .a,.mark{fill:var(--a)}.bar .b{fill:var(--b)}.bar .c{fill:var(--c)}
.bar .back{fill:var(--line)}
.line{fill:none;stroke-width:2.5}.line.a{stroke:var(--a)}.line.b{stroke:var(--b)}
.dashed{stroke-dasharray:6 4}
.label{fill:var(--text);paint-order:stroke;stroke:var(--ground);stroke-width:4px}
svg.bar{display:block;width:100%;min-width:5rem;height:.55rem;margin-top:.2rem}
.scroll{overflow-x:auto;max-width:100%;margin-bottom:1rem}
table{border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
table.wide{width:100%}
caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;
border-bottom:1px solid var(--line)}
caption::first-letter,thead th::first-letter,dt::first-letter{text-transform:uppercase}
thead th{color:var(--quiet);font-weight:600;white-space:nowrap}
tbody th{font-weight:400}
.name{overflow-wrap:anywhere;min-width:9rem}
.num{text-align:right;white-space:nowrap}
td:not(.num):last-child{min-width:9rem}
.warning{border-left:.25rem solid var(--b);padding-left:.75rem}
.hash{font-family:ui-monospace,monospace;font-size:.875rem}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--quiet)}
.key{display:inline-block;width:.75rem;height:.75rem;border-radius:.15rem;margin-right:.35rem}
.key.a{background:var(--a)}.key.b{background:var(--b)}.key.c{background:var(--c)}
footer{margin-top:3rem;padding-bottom:2rem}
@media(max-width:30rem){svg.chart{font-size:16px}}
@media print{:root{--ground:#fff;--card:#fff;--text:#000;--quiet:#333;--line:#aaa;--a:#0b7285;
--b:#b4430c;--c:#6b7780}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav,.skip{display:none}figure,tr,.cards div{break-inside:avoid}h2,h3{break-after:avoid}
.scroll{overflow:visible}body{font-size:11pt}}
)css";

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return grouped(count) + " " + (count == 1 ? one : many);
}

std::string title_of(const ReportData& data) {
  if (data.index) return "Report of " + html_name(file_name(data.index->path), 80);
  if (data.runs.empty()) return "Report of k-mers";
  return "Report of " + counted(data.runs.size(), "run", "runs");
}

std::string card(const char* what, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, value);
}

std::string cards_of(const IndexFacts& index) {
  std::string out = "<dl class=\"cards\">\n";
  out += card("records", grouped(index.lengths.count));
  out += card("symbols", grouped(index.lengths.total));
  if (index.lengths.count > 1) out += card("N50", grouped(index.lengths.n50));
  if (index.policy == SymbolPolicy::dna) {
    out += card("GC", percent(real(index.gc), real(index.acgt), 2));
    out += card("N", percent(real(index.counts.n), real(index.lengths.total), 2));
  } else {
    out += card("alphabet", std::string(name_of(index.policy)));
  }
  out += card("index file", shown_bytes(index.file_bytes));
  return out + "</dl>\n";
}

std::string cards_of(const std::vector<RunFacts>& runs) {
  std::uint64_t queries = 0, matched = 0, all = 0;
  bool has_rates = false;
  for (const RunFacts& run : runs) {
    all += run.queries;
    if (run.kind == RunFacts::Kind::neighbors) continue;
    has_rates = true;
    queries += run.queries;
    matched += run.matched;
  }
  return "<dl class=\"cards\">\n" + card("runs", grouped(runs.size())) +
         (has_rates ? card("queries", grouped(queries)) +
                          card("with hits", percent(real(matched), real(queries), 2))
                    : card("reads", grouped(all))) +
         "</dl>\n";
}

}  // namespace

std::string shown_bytes(std::uint64_t bytes) {
  if (bytes < 10000) return grouped(bytes) + "\u202FB";
  std::string number = short_number(real(bytes));
  return number.insert(number.size() - 1, "\u202F") + "B";
}

std::string report_page(const ReportData& data) {
  struct Part {
    const char* id;
    const char* heading;
    std::string content;
  };
  std::vector<Part> parts;
  const auto add = [&](const char* id, const char* heading, std::string content) {
    if (!content.empty()) parts.push_back({id, heading, std::move(content)});
  };
  if (!data.runs.empty())
    add("runs", "Runs", runs_section(data.runs, data.index ? &*data.index : nullptr));
  if (data.index) {
    add("lengths", "Lengths", lengths_section(*data.index));
    add("composition", "Composition", composition_section(*data.index));
    add("n-runs", "Runs of N", n_runs_section(*data.index));
  }
  if (data.spectrum) add("k-mers", "K-mers", spectrum_section(*data.spectrum));
  if (data.index) {
    add("records", "Records", records_section(*data.index));
    add("index-file", "Index file", file_section(*data.index));
  }
  const std::string title = title_of(data);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>{}</h1>\n",
      title, page_style, title);
  out += "<nav aria-label=\"Sections\"><ul>\n";
  for (const Part& part : parts)
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", part.id, part.heading);
  out += "</ul></nav>\n</header>\n<main id=\"main\" tabindex=\"-1\">\n";
  out += data.index ? cards_of(*data.index) : data.runs.empty() ? "" : cards_of(data.runs);
  for (const Part& part : parts)
    out += section(part.id, part.heading, part.content);
  out += fmt::format(
      "</main>\n<footer><p>Written by gsx {}. Positions are 0-based, ends are excluded.</p>"
      "</footer>\n</body>\n</html>\n",
      html_text(data.version));
  return out;
}

}  // namespace gsx

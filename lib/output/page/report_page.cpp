#include "output/page/report_page.hpp"

#include <spdlog/fmt/fmt.h>

#include "output/page/html.hpp"
#include "output/page/parts.hpp"
#include "output/page/style.hpp"

namespace gsx {
namespace {

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

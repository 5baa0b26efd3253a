// gsx extract: records, or parts of them, back out of an index.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <unordered_map>

#include "base/error.hpp"
#include "base/output.hpp"
#include "commands.hpp"
#include "index_choice.hpp"
#include "options.hpp"
#include "report/text_format.hpp"
#include "text/extract.hpp"

namespace gsx::app {
namespace {

struct ExtractOptions {
  std::vector<std::string> arguments;  ///< [INDEX] REGION...
  std::string index;
  std::string output;
  std::uint64_t line_width = 60;
};

struct Region {
  std::uint64_t record;
  std::uint64_t begin;
  std::uint64_t end;
  bool whole;
};

/// The first argument is the index unless -x names one or it cannot be one.
std::string take_index(ExtractOptions& options) {
  if (options.index.empty() && !options.arguments.empty()) {
    const std::string& first = options.arguments.front();
    std::error_code error;
    if (first.ends_with(".gsx") || std::filesystem::is_regular_file(first, error)) {
      std::string index = first;
      options.arguments.erase(options.arguments.begin());
      return index;
    }
  }
  return find_index(options.index);
}

/// Splits NAME:BEGIN-END; false when the text does not end in such a range.
bool split_range(const std::string& text, std::string& name, std::uint64_t& begin,
                 std::uint64_t& end) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return false;
  const char* stop = text.data() + text.size();
  const auto [dash, first_error] = std::from_chars(text.data() + colon + 1, stop, begin);
  if (first_error != std::errc{} || dash == stop || *dash != '-') return false;
  const auto [last, second_error] = std::from_chars(dash + 1, stop, end);
  if (second_error != std::errc{} || last != stop) return false;
  name = text.substr(0, colon);
  return true;
}

class RegionFinder {
 public:
  explicit RegionFinder(const RecordsView& records) : records_(records) {
    for (std::uint64_t r = 0; r < records.size(); ++r)
      by_name_[records.name(r)].push_back(r);
  }

  /// All records of that name, whole or in part. A name that itself looks like a range wins.
  std::vector<Region> find(const std::string& text) const {
    std::vector<Region> regions;
    if (const auto whole = by_name_.find(text); whole != by_name_.end()) {
      for (const std::uint64_t r : whole->second) {
        regions.push_back({r, 0, records_.infos[r].length, true});
      }
      return regions;
    }
    std::string name;
    std::uint64_t begin = 0, end = 0;
    const bool ranged = split_range(text, name, begin, end);
    const auto found = ranged ? by_name_.find(name) : by_name_.end();
    if (found == by_name_.end()) {
      throw UsageError("the index has no record '" + shown_name(ranged ? name : text) +
                       "'; gsx info --records lists them");
    }
    for (const std::uint64_t r : found->second) {
      if (begin > end || end > records_.infos[r].length) {
        throw UsageError("region '" + shown_name(text) + "' is not within [0, " +
                         std::to_string(records_.infos[r].length) + ")");
      }
      regions.push_back({r, begin, end, false});
    }
    return regions;
  }

 private:
  RecordsView records_;
  std::unordered_map<std::string_view, std::vector<std::uint64_t>> by_name_;
};

void write_header(const RecordsView& records, const Region& region, Output& out) {
  std::string header = ">";
  header += records.name(region.record);
  if (!region.whole) {
    header += ':';
    append_number(header, region.begin);
    header += '-';
    append_number(header, region.end);
  }
  if (const auto comment = records.comment(region.record); !comment.empty()) {
    header += ' ';
    header += comment;
  }
  header += '\n';
  out.write(header);
}

void write_region(const Index& index, const Region& region, std::uint64_t line_width, Output& out) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  write_header(index.records(), region, out);
  std::string symbols, lines;
  std::uint64_t column = 0;
  for (std::uint64_t begin = region.begin; begin < region.end; begin += piece) {
    symbols.clear();
    lines.clear();
    extract(index.text(), index.records(), index.alphabet(), region.record, begin,
            std::min(region.end, begin + piece), symbols);
    for (std::size_t i = 0; i < symbols.size();) {
      const std::size_t count =
          line_width == 0 ? symbols.size()
                          : std::min<std::size_t>(symbols.size() - i, line_width - column);
      lines.append(symbols, i, count);
      i += count;
      column += count;
      if (column == line_width) {
        lines += '\n';
        column = 0;
      }
    }
    out.write(lines);
  }
  if (column > 0) out.write("\n");
}

void run_extract(ExtractOptions options, Session& session) {
  const Index index = Index::open(take_index(options), session.threads);
  refuse_overwriting(options.output, {index.path()});
  Output out(options.output);
  if (options.arguments.empty()) {
    for (std::uint64_t r = 0; r < index.records().size(); ++r) {
      write_region(index, {r, 0, index.records().infos[r].length, true}, options.line_width, out);
    }
  } else {
    const RegionFinder finder(index.records());
    std::vector<Region> regions;  // all are found before anything is written
    for (const std::string& argument : options.arguments) {
      const auto found = finder.find(argument);
      regions.insert(regions.end(), found.begin(), found.end());
    }
    for (const Region& region : regions)
      write_region(index, region, options.line_width, out);
  }
  out.commit();
}

}  // namespace

void add_extract_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* command = app.add_subcommand("extract", "Write records of an index as FASTA");
  command->footer(
      "Every record comes back symbol for symbol, ambiguous runs included, in upper case, U as T. "
      "NAME:BEGIN-END is 0-based and half-open, as locate writes it. Without a region, all "
      "records are written.\n\n"
      "Examples:\n"
      "  gsx extract genome.gsx > genome.fa\n"
      "  gsx extract genome.gsx chr1 chr2:1000-2000");
  command->add_option("ARGUMENT", options->arguments,
                      "[INDEX] [NAME | NAME:BEGIN-END]...; an index ends in .gsx or is a file");
  command->add_option(
      "-x,--index", options->index,
      "Index; else the first argument, $GSX_INDEX, or the only *.gsx of this folder");
  command->add_option("-o,--output", options->output, "Output file instead of standard output");
  command
      ->add_option("--line-width", options->line_width, "Symbols a line; 0 puts each record on one")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_extract(*options, started); }; });
}

}  // namespace gsx::app

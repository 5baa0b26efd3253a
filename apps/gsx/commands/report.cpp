// gsx report: an index and runs as a page to look at.
#include <CLI/App.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/open_index.hpp"
#include "inputs/target_choice.hpp"
#include "options/format_suffix.hpp"
#include "options/named_once.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/page/report_page.hpp"
#include "records/sequence_reader.hpp"

namespace gsx::app {
namespace {

struct ReportOptions {
  std::vector<std::string> files;  ///< the index, if it comes first, and summaries
  TargetOptions target;
  std::vector<std::string> summaries;
  std::string spectrum;
  std::string output;
  std::uint64_t top = 50;
  std::uint64_t genome = 0;

  /// Whether the page is of an index: one is named, or nothing else is.
  bool has_index() const {
    if (!target.index.empty() || std::ranges::any_of(files, is_index)) return true;
    return files.empty() ? summaries.empty() && spectrum.empty()
                         : names_index(files.front(), ArgumentKind::others);
  }
};

/// What messages call a file.
std::string label_of(const std::string& path) {
  return path == "-" ? "standard input" : "'" + printable(path) + "'";
}

std::vector<RunFacts> read_runs(const std::vector<std::string>& paths) {
  std::vector<RunFacts> runs;
  runs.reserve(paths.size());
  for (const std::string& path : paths)
    runs.push_back(run_facts(read_summary(path)));
  name_samples(runs, paths);
  return runs;
}

/// Warns of runs on another index than that of the page, which marks them.
void warn_of_other_indexes(const ReportData& data, const std::vector<std::string>& summaries) {
  std::uint64_t others = 0;
  std::string first;
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    const RunFacts& run = data.runs[i];
    if (!run.index_checksum || *run.index_checksum == data.index->checksum) continue;
    if (others++ != 0) continue;
    first = label_of(summaries[i]);
    if (!run.index_file.empty()) first += ", which searched '" + printable(run.index_file) + "'";
  }
  if (others == 0) return;
  log().warn("{} of {} {} of another index than '{}', and marked on the page (first: {})", others,
             data.runs.size(), others == 1 ? "runs is" : "runs are", printable(data.index->path),
             first);
}

void run_report(ReportOptions& options, const CLI::App& command, Session& session) {
  output_format(options.output, {"report", "html"}, session.files);
  std::optional<Index> index;
  if (options.has_index()) {
    choose_target(options.target, options.files, ArgumentKind::others);
    index.emplace(open_index(options.target.index, IndexUse::parts, session));
  } else {
    refuse_options(command, {"--top", "--genome-size"}, "needs an index");
  }
  std::vector<std::string> summaries = options.summaries;
  summaries.insert(summaries.end(), options.files.begin(), options.files.end());
  refuse_indexes(summaries, "not a summary; a page shows one index: run once for each");
  std::vector<std::string> read = summaries;
  if (!options.spectrum.empty()) read.push_back(options.spectrum);
  require_one_standard_input(read);
  require_each_once(summaries, "its run would count twice");
  session.files.reads(read);
  Outputs outputs;
  Output& out = outputs.open(options.output);
  ReportData data;
  data.version = GSX_VERSION;
  data.runs = read_runs(summaries);
  if (!options.spectrum.empty()) data.spectrum = read_spectrum(options.spectrum);
  if (index && !options.spectrum.empty()) {
    require_spectrum_of(index->text().segments, *data.spectrum, label_of(options.spectrum));
  }
  if (index) {
    outputs.check_before_writing([&] { index->require_unchanged(); });
    session.report("counting symbols", -1);
    data.index = index_facts(
        *index, {.records = options.top, .genome = options.genome, .threads = session.threads});
    warn_of_other_indexes(data, summaries);
  }
  out.write(report_page(data));
  outputs.commit();
}

}  // namespace

void add_report_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      add_command(app, "report", "Write a page that shows an index, and runs of samples");
  command->footer(
      "The page is one HTML file that loads nothing and runs no script. Of an index it shows the "
      "records, their lengths (N50, NG50), composition, runs of N, and what made the index; of "
      "runs, a row for each file that --summary of a search has written: hit rate, hits and "
      "strands, or what became of barcodes. Runs on another index "
      "than that of the page are marked, with a warning. The name of a sample is that of its file "
      "without .json, the command and "
      ".summary: S1.count.json is of S1. The same input makes the same page.\n\n"
      "Examples:\n"
      "  gsx report genome.gsx -o genome.html\n"
      "  gsx mappability --spectrum genome.gsx -o spectrum.tsv\n"
      "  gsx report genome.gsx --spectrum spectrum.tsv --genome-size 3100M -o genome.html\n"
      "  gsx report --summary a.json b.json c.json -o runs.html\n"
      "  gsx report genome.gsx samples/*.json -o all.html");
  add_texts(*command, "FILE", "FILE", options->files,
            "Index, if it comes first, and files that --summary of a search has written");
  begin_group(*command, "Input");
  add_target_options(*command, options->target);
  command->get_option("--index")->description(
      "Index, or a folder with one (default: the first FILE if it is an index; and if neither "
      "summaries nor a spectrum are given, $GSX_INDEX, or the only *.gsx in this folder)");
  add_texts(*command, "--summary", "FILE", options->summaries,
            "Show the run whose figures --summary wrote to FILE; repeat it for more runs, or name "
            "them as FILE");
  add_path(*command, "--spectrum", options->spectrum,
           "Show the k-mers that gsx mappability --spectrum has counted in FILE");
  begin_group(*command, "Output");
  add_output(*command, options->output);
  add_number(*command, "--top", options->top, {0, 1000},
             "Show the N longest records one by one, and the others together");
  add_length(
      *command, "--genome-size", options->genome, {0, std::uint64_t{1} << 50},
      "Show NG50 as well, which is N50 for a genome of N symbols; K, M and G stand for powers "
      "of 1000, and 0 for an unknown length");
  add_session_options(*command, session);
  set_work(*command, run,
           [options, command](Session& started) { run_report(*options, *command, started); });
}

}  // namespace gsx::app

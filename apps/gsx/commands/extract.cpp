// gsx extract: writes records, or parts of them, from an index.
#include <CLI/App.hpp>
#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "commands/extract_source.hpp"
#include "inputs/region_file.hpp"
#include "inputs/region_resolver.hpp"
#include "inputs/target_choice.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "records/sequence_reader.hpp"
#include "text/complement.hpp"

namespace gsx::app {
namespace {

struct ExtractOptions {
  std::vector<std::string> arguments;  ///< [INDEX] REGION...
  TargetOptions target;
  ReferenceOptions reading;  ///< of references
  std::string output;
  std::string regions;  ///< a file of regions, if from_file
  bool from_file = false;
  bool zero_based = false;
  bool reverse = false;
  bool name_only = false;
  std::string letter_case;  ///< keep or upper; "" keeps lower case where the index knows it
  std::uint64_t line_width = 60;
};

/// Writes pieces of records as FASTA.
class FastaWriter {
 public:
  /// `expected` is the total number of symbols, for the progress; 0 if it is not known.
  FastaWriter(const ExtractSource& source, bool keep_case, std::uint64_t line_width,
              std::uint64_t expected, Output& out, Session& session)
      : source_(source),
        keep_case_(keep_case),
        line_width_(line_width),
        expected_(expected),
        out_(out),
        session_(session) {}

  void write(const Piece& piece) {
    constexpr std::uint64_t step = std::uint64_t{1} << 20;
    lines_ = '>';
    lines_ += piece.header;
    lines_ += '\n';
    column_ = 0;
    for (std::uint64_t done = 0, length = piece.end - piece.begin; done < length; done += step) {
      const std::uint64_t count = std::min(step, length - done);
      const std::uint64_t begin = piece.reverse ? piece.end - done - count : piece.begin + done;
      symbols_.clear();
      source_.read(piece.record, begin, begin + count, keep_case_, symbols_);
      if (piece.reverse) reverse_complement(symbols_);
      add_lines();
      out_.write(lines_);
      lines_.clear();
      written_ += count;
      report();
    }
    if (column_ > 0) lines_ += '\n';
    out_.write(lines_);
  }

 private:
  void report() {
    const double part =
        expected_ == 0 ? -1 : static_cast<double>(written_) / static_cast<double>(expected_);
    session_.report("extracting", part, written_, "symbols");
  }

  void add_lines() {
    for (std::size_t i = 0; i < symbols_.size();) {
      const std::size_t count =
          line_width_ == 0 ? symbols_.size()
                           : std::min<std::size_t>(symbols_.size() - i, line_width_ - column_);
      lines_.append(symbols_, i, count);
      i += count;
      column_ += count;
      if (column_ == line_width_) {
        lines_ += '\n';
        column_ = 0;
      }
    }
  }

  const ExtractSource& source_;
  bool keep_case_;
  std::uint64_t line_width_;
  std::uint64_t expected_;
  std::uint64_t written_ = 0;
  Output& out_;
  Session& session_;
  std::string symbols_;
  std::string lines_;
  std::uint64_t column_ = 0;  ///< symbols in the line so far
};

/// Writes the regions given as arguments. Resolves all of them before it writes any.
void write_arguments(const std::vector<std::string>& arguments, RegionResolver& resolver,
                     FastaWriter& writer) {
  std::vector<RegionRequest> requests(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    requests[i].text = arguments[i];
  const auto nowhere = [](std::uint64_t) { return std::string(); };
  RegionResolver trial = resolver;
  try {
    trial.resolve(requests, nowhere, [](const Piece&) {});
  } catch (const InputError& error) {  // the first may be meant as sequences to extract from
    throw InputError(error.what() + advice_on_sequences(arguments.front(), ArgumentKind::regions));
  }
  resolver.resolve(requests, nowhere, [&](const Piece& piece) { writer.write(piece); });
}

void write_file_regions(RegionFile& file, RegionResolver& resolver, FastaWriter& writer) {
  std::vector<RegionRequest> requests;
  bool any = false;
  while (file.next(requests)) {
    any = true;
    resolver.resolve(
        requests, [&](std::uint64_t line) { return file.place(line) + ": "; },
        [&](const Piece& piece) { writer.write(piece); });
  }
  if (!any) log().warn("{} has no regions", file.name());
}

void run_extract(ExtractOptions options, Session& session) {
  output_format(options.output, {"extract", "fasta"}, session.files);
  choose_target(options.target, options.arguments, ArgumentKind::regions);
  std::vector<std::string> read = options.target.references;
  if (options.from_file) read.push_back(file_of_regions(options.regions));
  require_one_standard_input(read);
  session.files.reads(read);
  if (options.target.in_memory()) check_outputs(std::vector{options.output}, session);
  const std::unique_ptr<ExtractSource> source =
      open_extract_source(options.target, options.reading, session);
  if (options.reverse && !source->alphabet().has_reverse_complement()) {
    throw UsageError("--reverse-complement needs DNA; this is " +
                     std::string(name_of(source->alphabet().policy())));
  }
  std::optional<RegionFile> file;
  if (options.from_file) {
    file.emplace(options.regions);
  }
  Outputs outputs(session.threads);
  Output& out = outputs.open(options.output);
  out.check_before_writing([&] { source->require_unchanged(); });
  const bool all = options.arguments.empty() && !file;
  FastaWriter writer(*source, source->keeps_case(options.letter_case), options.line_width,
                     all ? source->symbols() : 0, out, session);
  RegionResolver resolver(
      source->records(), source->alphabet(),
      {options.zero_based ? RegionNumbers::zero_based : RegionNumbers::one_based, options.reverse,
       options.name_only});
  if (!options.arguments.empty()) write_arguments(options.arguments, resolver, writer);
  if (file) write_file_regions(*file, resolver, writer);
  if (all) {
    source->check_all();
    for (std::uint64_t r = 0; r < source->size(); ++r)
      writer.write(resolver.whole(r));
  }
  resolver.log_changed();
  outputs.commit();
}

}  // namespace

void add_extract_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* command = add_command(app, "extract", "Write records or regions of an index as FASTA");
  command->footer(
      "Every record comes back symbol for symbol, ambiguous symbols included, with U as "
      "T, and in upper case unless the index was made with --soft-mask keep or -r names the "
      "sequences. Without a "
      "region, all records are written.\n\n"
      "Regions are those of samtools: NAME, NAME:BEGIN-END, NAME:BEGIN, NAME:BEGIN- and "
      "NAME:-END. Positions count from 1, END is included, and numbers may have commas. "
      "An END beyond the record is clipped, with a warning. Write {NAME}:BEGIN-END for "
      "a name that looks like a region.\n\n"
      "A file of regions (-R) has one region or one line of BED on each line. BED "
      "counts from 0 and excludes the end; a minus in column 6 asks for the reverse "
      "complement. So this restores what was searched: gsx locate --bed QUERY | gsx "
      "extract -R -\n\n"
      "Examples:\n"
      "  gsx extract genome.gsx > genome.fa\n"
      "  gsx extract genome.gsx chr1 chr2:1,001-2,000\n"
      "  gsx extract -r genome.fa chr2:1,001-2,000      as samtools faidx does\n"
      "  gsx extract genome.gsx -R genes.bed\n"
      "  gsx extract genome.gsx -R genes.bed --name-only");
  add_texts(
      *command, "ARGUMENT", "INDEX", options->arguments,
      "[INDEX] [REGION...]: an index ends in .gsx or is a file, or . for that in this folder; "
      "a region is NAME or NAME:BEGIN-END");
  begin_group(*command, "Input");
  add_reference_options(
      *command, options->reading,
      add_target_options(*command, options->target,
                         "Extract from FASTA itself instead of an index: all of it is read, and "
                         "nothing is written beside the output; repeat -r for more files"));
  auto* regions =
      add_path(*command, "-R,--regions", options->regions,
               "Read regions from FILE, one per line, as BED or NAME:BEGIN-END; - reads "
               "standard input");
  add_flag(*command, "--zero-based", options->zero_based,
           "Count NAME:BEGIN-END from 0 and exclude END, as BED does");
  begin_group(*command, "Output");
  add_flag(*command, "--reverse-complement", options->reverse,
           "Write the reverse complement of everything, with /rc behind each name");
  add_flag(*command, "--name-only", options->name_only,
           "Give the sequence of a line of BED its name, column 4, as header, and nothing else")
      ->needs(regions);
  add_output(*command, options->output);
  add_choice(*command, "--case", options->letter_case, {"keep", "upper"},
             "keep restores lower case, of -r or of an index made with --soft-mask keep (or "
             "split, which knows only that of bases); upper writes upper case (default: "
             "keep for -r and --soft-mask keep)");
  add_number(*command, "--line-width", options->line_width, {},
             "Write N symbols per line; 0 writes each record on one line");
  add_session_options(*command, session);
  set_work(*command, run, [options, regions](Session& started) {
    options->from_file = regions->count() > 0;
    run_extract(*options, started);
  });
}

}  // namespace gsx::app

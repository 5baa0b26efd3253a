// gsx sa: the suffix array as raw integers or as text.
#include <CLI/App.hpp>
#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "base/little_endian.hpp"
#include "base/log.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/lcp_output.hpp"
#include "device/cost.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/lcp/checker.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/lines/text_format.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

struct SaOptions {
  InputOptions input;
  TargetOptions target;
  std::string output;
  std::string lcp;
  DeviceOptions device;
  int width = 0;
  bool text = false;
  bool separators = false;
  bool check = false;
};

constexpr std::uint64_t rows_at_once = std::uint64_t{1} << 16;

void append_line(std::string& out, const RecordSource& source, std::uint64_t position) {
  const SegmentsView& segments = source.text.segments;
  const RecordsView& records = source.records;
  const std::uint64_t segment = segments.segment_at(position);
  append_number(out, position);
  out += '\t';
  append_name(out, records.name(records.segment_records[segment]));
  out += '\t';
  append_number(out, records.segment_offsets[segment] + position - segments.starts[segment]);
  out += '\n';
}

void append_rows(std::string& out, const SaOptions& options, const RecordSource& source,
                 const RowChunk& rows, int width) {
  if (options.text && rows.first == 0) out += "position\ttarget_id\toffset\n";
  const std::uint64_t separators = options.separators ? 0 : source.text.segments.count;
  const std::uint64_t begin = separators - std::min(separators, rows.first);
  if (begin >= rows.size()) return;
  if (options.text) {
    for (std::uint64_t i = begin; i < rows.size(); ++i)
      append_line(out, source, rows[i]);
    return;
  }
  rows.visit([&](const auto* positions) {
    append_little_endian(out, std::span(positions, rows.size()).subspan(begin), width);
  });
}

[[noreturn]] void report_wrong(const std::string& array, std::uint64_t row) {
  throw RuntimeError("the " + array + " is wrong at row " + std::to_string(row) +
                     ": this is a bug in gsx or a fault of the machine");
}

void check(const DeviceOptions& device, const TextView& text, const SuffixArray& rows,
           Session& session) {
  const std::unique_ptr<Verifier> verifier = device.make_verifier();
  const auto wrong = verifier->find_wrong_row(text, rows, session.threads);
  session.used(*verifier);
  if (wrong) report_wrong("suffix array", *wrong);
  log().info("checked: the suffix array is right");
}

/// The bytes of an entry. Throws UsageError if --width has too few.
int chosen_width(const SaOptions& options, const TextView& text) {
  const bool wide = is_wide(text.length(), PositionWidth::automatic);
  if (wide && options.width == 4) {
    throw UsageError("--width 4 cannot hold positions of " + std::to_string(text.length()) +
                     " symbols; use 5 or 8");
  }
  if (options.width != 0) return options.width;
  return wide ? 8 : 4;
}

void sort_and_write(const SaOptions& options, const RecordSource& source, TextJob& job, Output& out,
                    LcpOutput* lcp_out, Session& session) {
  const int width = chosen_width(options, source.text);
  BuildOptions build = build_options(options.input, session);
  if (lcp_out != nullptr) lcp_out->begin(source.text, build);
  std::string piece;
  std::uint64_t written = 0;
  const auto write = [&](const SuffixArray& rows) {
    if (lcp_out != nullptr) lcp_out->add(rows);
    give_in_pieces(rows, written, rows_at_once, [&](const RowChunk& chunk) {
      piece.clear();
      append_rows(piece, options, source, chunk, width);
      out.write(piece);
    });
    written += rows.size();
  };
  std::optional<SuffixArray> whole;
  if (options.check) {
    whole = build_suffix_array(job.backend(), source.text, build);
    check(job.device(), source.text, *whole, session);
    write(*whole);
  } else {
    job.backend().build_rows(source.text, build, write);
  }
  if (lcp_out == nullptr) return;
  const LcpArray lcp = lcp_out->finish();
  if (whole) {
    const auto wrong = find_wrong_lcp(source.text, *whole, lcp, session.threads);
    if (wrong) report_wrong("LCP array", *wrong);
    log().info("checked: the LCP array is right");
  }
  lcp_out->write(lcp, source.text, {width, options.text, options.separators});
}

void run_sa(SaOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  const std::string format = output_format(
      options.output,
      {.command = "sa",
       .written = "raw integers or tsv",
       .choice = "--text and the suffix .tsv choose TSV; give FILE another suffix, or "
                 "none"},
      session.files);
  options.text |= format == "tsv";
  output_format(options.lcp,
                {.command = "sa",
                 .written = options.text ? "tsv" : "raw integers",
                 .option = "--lcp",
                 .choice = "as to -o"},
                session.files);
  if (options.text)
    refuse_options(command, {"--width"}, "is for raw integers, and --text writes decimal numbers");
  if (!options.text) {
    refuse_terminal(options.output, "raw integers", "use --text or -o FILE");
    refuse_terminal(options.lcp, "raw integers", "use --text or name a file");
  }
  TextJob job(command, options.target, options.input, session);
  job.take_device(options.device, cost_of_sorting(job.symbols()));
  check_outputs({options.output, options.lcp}, session);
  if (!options.text) {
    refuse_compression(options.output, "arrays of binary integers, unlike --text,");
    refuse_compression(options.lcp, "arrays of binary integers, unlike --text,");
  }
  Output& out = job.outputs().open(options.output);
  std::optional<LcpOutput> lcp;
  if (!options.lcp.empty()) lcp.emplace(job.outputs().open(options.lcp), session.threads);
  const Target target = job.read();
  sort_and_write(options, target.source(), job, out, lcp ? &*lcp : nullptr, session);
  job.finish();
}

}  // namespace

void add_sa_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<SaOptions>();
  CLI::App* command = add_command(app, "sa", "Write the suffix array of sequences or of an index");
  command->footer(
      "The text is the stretches of plain symbols of all records, in order, each "
      "followed by a separator. Separators are smaller than all symbols and ordered by "
      "position. Positions in that text are 0-based. The rows of the separators come "
      "first, and are left out without --separators. So one record of plain sequence "
      "gives the ordinary suffix array, entry for entry.\n\n"
      "Examples:\n"
      "  gsx sa genome.fa -o genome.sa        write raw little-endian integers\n"
      "  gsx sa genome.fa --text | head       write position, record and offset as TSV\n"
      "  gsx sa genome.gsx -o genome.sa       take the text of an index\n"
      "  gsx sa genome.fa -o g.sa --lcp g.lcp write the LCP array, too");
  add_input_options(*command, options->input);
  add_text_target(*command, options->target);
  begin_group(*command, "Output");
  add_path(*command, "-o,--output", options->output,
           "Write to FILE instead of standard output; a name in .tsv stands for --text, which "
           "writes BGZF if the name ends in .gz or .bgz");
  add_path(
      *command, "--lcp", options->lcp,
      "Write the LCP array to FILE: the symbols that the suffix of each row has in common with "
      "the row before, in the form of the suffix array");
  add_number_of(*command, "--width", options->width, {4, 5, 8},
                "Bytes per entry: 4, 5 or 8 (default: 4 for a text below 2^32 symbols, else 8)");
  add_flag(*command, "--text", options->text, "Write TSV lines instead of raw integers");
  add_flag(*command, "--separators", options->separators, "Write the rows of the separators, too");
  add_flag(*command, "--check", options->check, "Check the arrays, in linear time");
  add_device_options(*command, options->device,
                     "; cuda:N,M,... and cuda:all share the work among several");
  add_session_options(*command, session);
  set_work(*command, run,
           [options, command](Session& started) { run_sa(*options, *command, started); });
}

}  // namespace gsx::app

// gsx sa: the suffix array as raw integers or as text.
#include <unistd.h>

#include <algorithm>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "input_options.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "process.hpp"
#include "report/text_format.hpp"

namespace gsx::app {
namespace {

struct SaOptions {
  InputOptions input;
  std::string output;
  DeviceOptions device;
  int width = 0;
  bool text = false;
  bool separators = false;
  bool check = false;
};

constexpr std::uint64_t rows_per_piece = std::uint64_t{1} << 16;

void append_raw(std::string& out, std::uint64_t position, int width) {
  char bytes[8];
  for (int i = 0; i < width; ++i)
    bytes[i] = static_cast<char>(position >> (8 * i));
  out.append(bytes, static_cast<std::size_t>(width));
}

void append_line(std::string& out, const Text& text, std::uint64_t position) {
  const SegmentsView segments = text.segments.view();
  const std::uint64_t segment = segments.segment_at(position);
  append_number(out, position);
  out += '\t';
  append_name(out, text.records_view().name(text.segment_records[segment]));
  out += '\t';
  append_number(out, text.segment_offsets[segment] + position - segments.starts[segment]);
  out += '\n';
}

void write_rows(const SaOptions& options, const Text& text, const SuffixBlock& rows, Output& out,
                int width) {
  std::string piece;
  if (options.text && rows.first_row == 0) piece = "position\ttarget_id\toffset\n";
  const std::uint64_t separators = options.separators ? 0 : text.segments.view().count;
  const std::uint64_t first = separators - std::min(separators, rows.first_row);
  for (std::uint64_t i = first; i < rows.size; ++i) {
    if (options.text) {
      append_line(piece, text, rows[i]);
    } else {
      append_raw(piece, rows[i], width);
    }
    if ((i + 1) % rows_per_piece == 0) {
      out.write(piece);
      piece.clear();
    }
  }
  out.write(piece);
}

void check(Backend& backend, const Text& text, const SuffixArray& rows, Session& session) {
  const auto wrong = backend.find_wrong_row(text.view(), rows, session.threads);
  session.peak_device_bytes = backend.peak_device_bytes();
  if (wrong) {
    throw RuntimeError("the suffix array is wrong at row " + std::to_string(*wrong) +
                       ": this is a bug in gsx or a fault of the machine");
  }
  log().info("checked: the suffix array is right");
}

void run_sa(const SaOptions& options, Session& session) {
  give_memory_back();
  if (options.output.empty() && !options.text && isatty(STDOUT_FILENO) == 1) {
    throw UsageError("not writing raw integers to a terminal: use --text or -o FILE");
  }
  const std::unique_ptr<Backend> backend = options.device.make();
  refuse_overwriting(options.output, options.input.files);
  Output out(options.output);
  const Text text = read_input(options.input, session);
  const bool wide = is_wide(text.length(), PositionWidth::automatic);
  if (wide && options.width == 4) {
    throw UsageError("--width 4 cannot hold positions of " + std::to_string(text.length()) +
                     " symbols; use 5 or 8");
  }
  const BuildOptions build = build_options(options.input, session);
  const int width = options.width != 0 ? options.width : wide ? 8 : 4;
  if (options.check) {
    const SuffixArray rows = backend->build_suffix_array(text.view(), build);
    session.used(*backend);
    check(*backend, text, rows, session);
    write_rows(options, text, block_of(rows), out, width);
  } else {
    backend->stream_suffix_array(text.view(), build, [&](const SuffixBlock& rows) {
      write_rows(options, text, rows, out, width);
    });
    session.used(*backend);
  }
  out.commit();
}

}  // namespace

void add_sa_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<SaOptions>();
  CLI::App* command = app.add_subcommand("sa", "Write the suffix array of sequences");
  command->footer(
      "The text is every record's stretches of plain symbols, in order, each followed by a "
      "separator. "
      "Separators are smaller than all symbols and ordered by position. Positions are 0-based in "
      "that text; the separators' own rows come first and are left out unless --separators. So one "
      "record of plain sequence gives the ordinary suffix array, entry for entry.\n\n"
      "Examples:\n"
      "  gsx sa genome.fa -o genome.sa        raw little-endian integers\n"
      "  gsx sa genome.fa --text | head       position, record and offset as TSV");
  add_input_options(*command, options->input);
  add_path(*command, "-o,--output", options->output, "Write to FILE instead of standard output")
      ->group("Output");
  add_number_of(*command, "--width", options->width, {4, 5, 8},
                "Bytes per entry: 4, 5 or 8 [4 while the text is below 2^32 symbols, else 8]")
      ->group("Output");
  command->add_flag("--text", options->text, "TSV lines instead of raw integers");
  command->add_flag("--separators", options->separators, "The separators' rows too");
  command->add_flag("--check", options->check, "Check the array in linear time before writing it");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_sa(*options, started); }; });
}

}  // namespace gsx::app

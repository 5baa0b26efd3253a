// gsx sa: the suffix array as raw integers or as text.
#include <algorithm>

#include "backend/products.hpp"
#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "indexed_text.hpp"
#include "input_options.hpp"
#include "io/output.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "process.hpp"
#include "report/text_format.hpp"

namespace gsx::app {
namespace {

struct SaOptions {
  InputOptions input;
  std::string index;
  std::string output;
  DeviceOptions device;
  int width = 0;
  bool text = false;
  bool separators = false;
  bool check = false;
};

/// A text and its records, from input files or from an index.
struct Source {
  TextView text;
  RecordsView records;
};

constexpr std::uint64_t rows_at_once = std::uint64_t{1} << 16;

void append_raw(std::string& out, std::uint64_t position, int width) {
  char bytes[8];
  for (int i = 0; i < width; ++i)
    bytes[i] = static_cast<char>(position >> (8 * i));
  out.append(bytes, static_cast<std::size_t>(width));
}

void append_line(std::string& out, const Source& source, std::uint64_t position) {
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

void append_rows(std::string& out, const SaOptions& options, const Source& source,
                 const RowChunk& rows, int width) {
  if (options.text && rows.first == 0) out += "position\ttarget_id\toffset\n";
  const std::uint64_t separators = options.separators ? 0 : source.text.segments.count;
  for (std::uint64_t i = separators - std::min(separators, rows.first); i < rows.size(); ++i) {
    if (options.text) {
      append_line(out, source, rows[i]);
    } else {
      append_raw(out, rows[i], width);
    }
  }
}

void check(const SaOptions& options, const TextView& text, const SuffixArray& rows,
           Session& session) {
  const std::unique_ptr<Verifier> verifier = options.device.make_verifier();
  const auto wrong = verifier->find_wrong_row(text, rows, session.threads);
  session.peak_device_bytes = verifier->peak_device_bytes();
  if (wrong) {
    throw RuntimeError("the suffix array is wrong at row " + std::to_string(*wrong) +
                       ": this is a bug in gsx or a fault of the machine");
  }
  log().info("checked: the suffix array is right");
}

void sort_and_write(const SaOptions& options, const Source& source, Backend& backend, Output& out,
                    Session& session) {
  const bool wide = is_wide(source.text.length(), PositionWidth::automatic);
  if (wide && options.width == 4) {
    throw UsageError("--width 4 cannot hold positions of " + std::to_string(source.text.length()) +
                     " symbols; use 5 or 8");
  }
  const BuildOptions build = build_options(options.input, session);
  const int width = options.width != 0 ? options.width : wide ? 8 : 4;
  std::string piece;
  const auto write = [&](const RowChunk& rows) {
    piece.clear();
    append_rows(piece, options, source, rows, width);
    out.write(piece);
  };
  if (options.check) {
    const SuffixArray rows = build_suffix_array(backend, source.text, build);
    session.used(backend);
    check(options, source.text, rows, session);
    give_in_pieces(rows, 0, rows_at_once, write);
  } else {
    stream_suffix_array(backend, source.text, build, rows_at_once, write);
    session.used(backend);
  }
}

void run_sa(const SaOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  if (!options.text) refuse_terminal(options.output, "raw integers", "use --text or -o FILE");
  const std::unique_ptr<Backend> backend = options.device.make();
  const auto index = indexed_text(command, options.index, options.input, session);
  if (!index) require_files(options.input.files);
  refuse_overwriting(options.output, index ? std::vector{index->path()} : options.input.files);
  Output out(options.output, options.text ? encoding_for(options.output) : Encoding::plain,
             session.threads);
  if (index) {
    out.check_before_writing([&] { index->require_unchanged(); });
    sort_and_write(options, {index->text(), index->records()}, *backend, out, session);
  } else {
    const Text text = read_input(options.input, session);
    sort_and_write(options, {text.view(), text.records_view()}, *backend, out, session);
  }
  out.commit();
}

}  // namespace

void add_sa_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<SaOptions>();
  CLI::App* command =
      app.add_subcommand("sa", "Write the suffix array of sequences or of an index");
  command->footer(
      "The text is the stretches of plain symbols of all records, in order, each "
      "followed by a separator. Separators are smaller than all symbols and ordered by "
      "position. Positions in that text are 0-based. The rows of the separators come "
      "first, and are left out without --separators. So one record of plain sequence "
      "gives the ordinary suffix array, entry for entry.\n\n"
      "Examples:\n"
      "  gsx sa genome.fa -o genome.sa        write raw little-endian integers\n"
      "  gsx sa genome.fa --text | head       write position, record and offset as TSV\n"
      "  gsx sa genome.gsx -o genome.sa       take the text of an index");
  add_input_options(*command, options->input);
  add_indexed_text_option(*command, options->index);
  add_path(*command, "-o,--output", options->output,
           "Write to FILE instead of standard output; with --text as BGZF if the name "
           "ends in .gz or .bgz")
      ->group("Output");
  add_number_of(*command, "--width", options->width, {4, 5, 8},
                "Bytes per entry: 4, 5 or 8 (default: 4 for a text below 2^32 symbols, else "
                "8)")
      ->group("Output");
  command->add_flag("--text", options->text, "Write TSV lines instead of raw integers")
      ->group("Output");
  command->add_flag("--separators", options->separators, "Write the rows of the separators, too")
      ->group("Output");
  command->add_flag("--check", options->check, "Check the array, in linear time, before writing it")
      ->group("Output");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  command->callback([options, command, &run] {
    run = [options, command](Session& started) { run_sa(*options, *command, started); };
  });
}

}  // namespace gsx::app

// gsx bwt: the Burrows-Wheeler transform and its inverse.
#include <CLI/App.hpp>
#include <algorithm>
#include <span>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/parallel.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "device/cost.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/bwt/bwt.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/bwt/run_writer.hpp"
#include "index/fm/stored_bwt.hpp"
#include "index/store/format.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "outputs/whole_file.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"
#include "text/both_strands.hpp"

namespace gsx::app {
namespace {

struct BwtOptions {
  InputOptions input;
  TargetOptions target;
  std::string output;
  DeviceOptions device;
  std::string separator = "$";
  std::string format;
  std::string strand;
  bool inverse = false;

  bool has_runs() const { return format == "fmd" || format == "bre"; }
  /// Whether the reverse complements are part of the text.
  bool both_strands() const { return strand == "both" || (strand.empty() && has_runs()); }
};

constexpr std::uint64_t codes_at_once = std::uint64_t{1} << 20;

char separator_of(const BwtOptions& options) {
  if (options.separator == "\\n") return '\n';
  if (options.separator == "\\0") return '\0';
  if (options.separator.size() == 1) return options.separator[0];
  throw UsageError("--separator takes one byte, or \\n or \\0");
}

/// Throws for files of other kinds that are easily taken for a BWT.
void refuse_other_files(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("\x1F\x8B")) {
    throw InputError(shown_file(path) +
                     " is compressed, and --inverse reads a BWT as it is: inflate it first");
  }
  for (const char* format : {"RLD\3", "BRE\1"}) {
    if (!bytes.starts_with(format)) continue;
    throw InputError(shown_file(path) + " holds runs (" + (*format == 'R' ? "FMD" : "BRE") +
                     "), and --inverse reads a BWT of bytes");
  }
  if (bytes.starts_with(index_magic)) {
    throw InputError(shown_file(path) + " is an index, not a BWT: gsx extract gives its text");
  }
}

/// The text of the BWT in a file.
Buffer<std::uint8_t> inverted(const WholeFile& file, const BwtOptions& options, Backend& backend,
                              const BuildOptions& build) {
  const std::string& path = options.input.files[0];
  const std::span<const std::uint8_t> bytes = file.bytes();
  refuse_other_files({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  const auto separator = static_cast<std::uint8_t>(separator_of(options));
  if (std::ranges::find(bytes, separator) == bytes.end()) {
    throw InputError(shown_file(path) + " is not a BWT: it holds no separator '" +
                     printable(options.separator) + "'; --separator names another");
  }
  try {
    return backend.invert(BwtBytes::with_separators(bytes, separator), build);
  } catch (const InputError& error) {
    throw InputError(shown_file(path) + ": " + error.what());
  }
}

void run_inverse(const BwtOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  refuse_options(command, {"--index", "--reference"},
                 "is for making a BWT, and --inverse reads a BWT");
  if (options.input.files.empty()) {
    throw UsageError("FILE is required: --inverse takes one file; - is standard input");
  }
  if (options.input.files.size() != 1) throw UsageError("--inverse takes one file");
  refuse_options(command, {"--alphabet", "--ambiguous", "--soft-mask", "--allow-no-eof", "--batch"},
                 "is for sequences, and --inverse reads a BWT");
  refuse_options(command, {"--wide", "--strand", "--format"},
                 "is for making a BWT, and --inverse reads one");
  const std::unique_ptr<Backend> backend =
      options.device
          .for_work(cost_of_inverting(inflated_bytes(options.input.files)),
                    options.input.memory_limit, session.threads)
          .make();
  session.files.reads(options.input.files);
  refuse_compression(options.output, "the bytes of a BWT's text");
  output_format(options.output, {"bwt --inverse", "text"}, session.files);
  Output out(options.output);
  session.report("reading", -1);
  const WholeFile file = read_whole(options.input.files[0], "a BWT", options.input.memory_limit);
  session.report("inverting the BWT", -1);
  const Buffer<std::uint8_t> text =
      inverted(file, options, *backend, build_options(options.input, session));
  session.used(*backend);
  out.write(text.data(), text.size());
  out.commit();
}

/// Where the codes of the BWT go: bytes, or runs in the format of other programs.
class BwtOutput {
 public:
  /// Throws UsageError if the format cannot hold these symbols.
  BwtOutput(const BwtOptions& options, const Alphabet& alphabet, Output& out)
      : alphabet_(alphabet), separator_(separator_of(options)), out_(out) {
    if (options.has_runs() || options.both_strands()) require_dna(options);
    const ByteSink sink = [&out](std::string_view bytes) { out.write(bytes); };
    if (options.format == "bre") runs_ = make_bre_writer(sink);
    if (options.format == "fmd") {
      runs_ = make_fmd_writer(sink, [limit = options.input.memory_limit](std::uint64_t bytes) {
        require_memory(limit, "an FMD index", bytes);
      });
    }
    if (!runs_ && alphabet.symbols().find(separator_) != std::string_view::npos) {
      throw UsageError("the separator '" + printable(options.separator) +
                       "' occurs in the input; choose another with --separator (\\n never does)");
    }
  }

  void add(const CodeChunk& chunk) {
    if (runs_) return runs_->add(chunk.codes);
    std::string symbols(chunk.codes.size(), separator_);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint8_t code = chunk.codes[i];
      if (code != Bwt::separator) symbols[i] = alphabet_.symbol(code);
    }
    out_.write(symbols);
  }
  void finish() {
    if (runs_) runs_->finish();
  }

 private:
  void require_dna(const BwtOptions& options) const {
    if (alphabet_.policy() == SymbolPolicy::dna) return;
    throw UsageError((options.has_runs() ? "--format " + options.format : "--strand both") +
                     " is for DNA, and this is " + std::string(name_of(alphabet_.policy())));
  }

  const Alphabet& alphabet_;
  char separator_;
  Output& out_;
  std::unique_ptr<RunWriter> runs_;
};

/// Writes the BWT of an index, straight from its wavelet matrix.
void write_stored_bwt(const Index& index, const BwtOptions& options, BwtOutput& out, int threads) {
  constexpr std::uint64_t slice = std::uint64_t{1} << 16, together = 64 * slice;
  const WaveletMatrixView bwt = index.fm().bwt;
  require_memory(options.input.memory_limit, "writing the BWT",
                 std::min(together, bwt.size()) + slice);
  Buffer<std::uint8_t> codes(std::min(together, bwt.size()), "rows of the BWT");
  for (std::uint64_t begin = 0; begin < bwt.size(); begin += together) {
    const std::uint64_t count = std::min(together, bwt.size() - begin);
    parallel_for(threads, (count + slice - 1) / slice, [&](std::uint64_t task, int) {
      const std::uint64_t first = task * slice, last = std::min(count, first + slice);
      stored_bwt_codes(bwt, begin + first, begin + last, codes.data() + first);
    });
    give_in_pieces(codes.span().first(count), begin, codes_at_once,
                   [&](const CodeChunk& chunk) { out.add(chunk); });
  }
}

/// Writes the BWT of a text, or of both strands of it.
void make_bwt(const TextView& text, const BwtOptions& options, Backend& backend, BwtOutput& out,
              Session& session) {
  std::optional<StrandPairs> pairs;
  if (options.both_strands()) {
    require_memory(options.input.memory_limit, "both strands of the text",
                   PackedView::bytes_for(2 * text.length(), 2));
    pairs.emplace(text, session.threads);
  }
  const BuildOptions build = build_options(options.input, session);
  stream_bwt(backend, pairs ? pairs->view() : text, build, codes_at_once,
             [&](const CodeChunk& codes) { out.add(codes); });
}

void run_bwt(BwtOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  if (options.format.empty())
    options.format = output_format(options.output, {"bwt", "bytes, fmd or bre"}, session.files);
  separator_of(options);  // throws before anything is read
  if (options.has_runs())
    refuse_options(command, {"--separator"},
                   "is for bytes, and --format " + options.format + " has a code for it");
  TextJob job(command, options.target, options.input, session);
  const Index* const index = job.index();
  const bool stored = index != nullptr && index->parts().empty() && !options.both_strands();
  if (stored) {
    const std::string why =
        "is for making a BWT; the index '" + printable(index->path()) + "' has it already";
    refuse_options(command, {"--wide"}, why);
    refuse_device_options(command, options.device, why);
  } else {
    job.take_device(options.device, cost_of_sorting(job.symbols()));
  }
  refuse_compression(options.output, "BWTs");
  if (options.has_runs()) refuse_terminal(options.output, "a BWT in runs", "use -o FILE");
  Output& out = job.outputs().open(options.output);
  if (stored) {
    BwtOutput written(options, index->alphabet(), out);
    session.device_used = "cpu";
    write_stored_bwt(*index, options, written, session.threads);
    written.finish();
  } else {
    const Target target = job.read();
    BwtOutput written(options, target.alphabet(), out);
    make_bwt(target.text(), options, job.backend(), written, session);
    written.finish();
  }
  job.finish();
}

}  // namespace

void add_bwt_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<BwtOptions>();
  CLI::App* command = add_command(app, "bwt", "Write or invert a Burrows-Wheeler transform");
  command->footer(
      "The output is one byte per symbol, row by row in suffix order, with a byte for "
      "each separator. The text and its order are those of gsx sa; it holds the forward "
      "strand only, unless --strand both is given. --inverse writes the text: each stretch of "
      "plain symbols, followed "
      "by its separator.\n\n"
      "--format fmd and --format bre write run-length encodings that ropebwt3 loads, of both "
      "strands: the reverse complement of each segment follows it, as a sequence of its own. "
      "Of sequences of A, C, G and T, that is what ropebwt3 build -d and -e write. N splits "
      "sequences, as everywhere in gsx, U is T, and empty records are left out.\n\n"
      "Examples:\n"
      "  gsx bwt genome.fa -o genome.bwt\n"
      "  gsx bwt genome.gsx -o genome.bwt         take the BWT out of an index\n"
      "  gsx bwt genome.fa --format fmd -o genome.fmd   for ropebwt3\n"
      "  gsx bwt --inverse genome.bwt --separator '$'");
  add_input_options(*command, options->input);
  add_text_target(*command, options->target);
  begin_group(*command, "Output");
  add_path(*command, "-o,--output", options->output,
           "Write to FILE instead of standard output, never compressed");
  add_text(*command, "--separator", "BYTE", options->separator,
           "Write BYTE for every separator; \\n and \\0 are understood");
  add_choice(
      *command, "--format", options->format, {"bytes", "fmd", "bre"},
      "Write bytes; FMD, the run-length delta encoding of fermi and ropebwt3; or BRE, the "
      "binary run-length encoding of ropebwt3 (default: that of the suffix .fmd or .bre of -o, "
      "else bytes)",
      {{"rle", "bre"}});
  add_choice(*command, "--strand", options->strand, {"fwd", "both"},
             "Take the sequences as they are, or let each be followed by its reverse complement "
             "(default: both for FMD and BRE, fwd for bytes)")
      ->group("Input");
  add_flag(*command, "--inverse", options->inverse, "Read FILE as a BWT and write its text")
      ->group("Input");
  add_device_options(*command, options->device,
                     "; cuda:N,M,... and cuda:all share the work among several");
  add_session_options(*command, session);
  set_work(*command, run, [options, command](Session& started) {
    options->inverse ? run_inverse(*options, *command, started)
                     : run_bwt(*options, *command, started);
  });
}

}  // namespace gsx::app

// gsx index: sequences in, one index file out.
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "commands.hpp"
#include "input_options.hpp"
#include "io/output.hpp"
#include "machine/machine.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "process.hpp"
#include "replacement.hpp"
#include "store/writer.hpp"
#include "text/record_checksum.hpp"

namespace gsx::app {
namespace {

struct IndexOptions {
  InputOptions input;
  std::string output;
  DeviceOptions device;
  std::uint32_t sample_rate = default_sample_rate;
  PlanOptions plan;
  bool force = false;
  bool md5 = false;
};

/// Whether a path leads to an open descriptor, as /dev/stdin, /dev/fd/3 and /proc/self/fd/3 do. An
/// index cannot be placed beside one, whatever is open there.
bool is_descriptor(std::filesystem::path path) {
  for (int links = 0; links < 40; ++links) {
    struct statfs system {};
    const auto folder = path.has_parent_path() ? path.parent_path() : ".";
    if (statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC) return true;
    std::error_code error;
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) return false;
    path = path.parent_path() / target;
  }
  return false;
}

/// dir/genome.fa.gz -> dir/genome.gsx
std::string default_output(const std::vector<std::string>& files) {
  if (files.size() > 1) throw UsageError("several input files need an output name: -o FILE.gsx");
  std::error_code error;
  if (files[0] == "-" || std::filesystem::is_fifo(files[0], error) || is_descriptor(files[0])) {
    throw UsageError("input from a pipe or from standard input needs an output name: -o FILE.gsx");
  }
  std::filesystem::path path(files[0]);
  for (const char* packed : {".gz", ".bgz", ".bgzf"}) {
    if (path.extension() == packed) path.replace_extension();
  }
  for (const char* known : {".fa", ".fasta", ".fna", ".ffn", ".faa", ".fas", ".fq", ".fastq"}) {
    if (path.extension() == known) {
      path.replace_extension();
      break;
    }
  }
  path += ".gsx";
  return path.string();
}

/// Builds the index while other threads compute the checksums of the records, and their MD5s. If
/// the CPU builds, one thread computes them, so that the MD5 of a long record, which only one
/// thread can compute, delays nobody. If a GPU builds, half of the threads do; the others feed the
/// GPU. Beside a GPU, which leaves them time, they also get the pages of the file from the system,
/// if there is much more memory than that.
FmIndex build_beside_checksums(Backend& backend, Text& text, const BuildOptions& build,
                               Output& out) {
  const Stopwatch watch;
  FmIndex index;
  const bool cpu = backend.name() == "cpu";
  const std::uint64_t bytes = index_bytes(text, build.fm());
  std::function<void()> reserve;
  if (!cpu && build.memory.has_room(bytes + 8 * text.length()))
    reserve = [&out, bytes] { out.reserve(bytes); };
  checksum_records_beside(
      text, build.threads, cpu ? 1 : std::max(1, build.threads / 2),
      [&] {
        index = backend.build_index(text.view(), build);
        log().debug("built after {:.3f} s", watch.seconds());
      },
      reserve);
  log().debug("records' checksums after {:.3f} s", watch.seconds());
  return index;
}

/// The name of a stage as part of the name of a fact.
std::string as_word(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c == ' ' || c == '-' ? '_' : c; });
  return name;
}

/// What building the index will take, as facts and in words.
FactTable plan_table(const Text& text, const BuildPlan& plan, const BuildOptions& build,
                     const std::string& device, const std::string& folder) {
  const std::uint64_t file = index_bytes(text, build.fm());
  const auto disk = free_disk_bytes(folder);
  FactTable table;
  table.word("path", plan.path);
  table.word("device", device);
  table.word("alphabet", name_of(text.alphabet.policy()));
  table.number("indexed_symbols", text.length() - text.segment_offsets.size());
  table.number("records", text.records.size());
  table.number("segments", text.segment_offsets.size());
  table.number("host_bytes", build.memory.total(plan.host_bytes));
  table.limit("host_limit_bytes", build.memory.limit);
  table.word("host_limited_by", build.memory.limited_by);
  table.number("device_bytes", plan.device_bytes);
  table.number("disk_bytes", file);
  table.number("disk_free_bytes", disk);
  table.number("parts", plan.parts);
  table.number("part_rows", plan.part_rows);
  for (const BuildStage& stage : plan.stages) {
    const std::string name = "stage_" + as_word(stage.name);
    table.number(name + "_host_bytes", build.memory.used + stage.host_bytes);
    if (plan.device_bytes != 0) table.number(name + "_device_bytes", stage.device_bytes);
  }
  std::vector<std::string> conclusions;
  if (!build.memory.has_room(plan.host_bytes)) {
    conclusions.push_back(build.memory.shortage(plan.host_bytes, "this build"));
  }
  if (disk && *disk < file) {
    conclusions.push_back("the disk of '" + printable(folder) + "' has no room for the index");
  }
  if (conclusions.empty()) conclusions.emplace_back("memory and disk suffice");
  table.words("conclusion", "conclusions", conclusions);
  return table;
}

/// The folder in which the index would be written.
std::string folder_of(const IndexOptions& options) {
  const std::string& path = !options.output.empty()         ? options.output
                            : options.input.files[0] != "-" ? options.input.files[0]
                                                            : options.output;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Reads the input as a build would, and prints what the rest of the build would take.
void show_plan(const IndexOptions& options, Session& session) {
  const std::unique_ptr<Backend> backend = options.device.make();
  Text text = read_input(options.input, session);
  text.keeps_md5 = options.md5;
  BuildOptions build = build_options(options.input, session);
  build.sample_rate = options.sample_rate;
  const BuildPlan plan = backend->plan(text.view(), BuildTarget::index, build);
  session.used(*backend);
  print_plan(plan_table(text, plan, build, backend->name(), folder_of(options)), options.plan);
}

/// Opens the output. A name derived from the input's may be in a folder without write permission.
void open_output(std::optional<Output>& out, const Replacement& replaced) {
  try {
    out.emplace(replaced.path);
  } catch (const RuntimeError& error) {
    if (!replaced.derived) throw;
    throw RuntimeError(std::string(error.what()) + "; name another place with -o");
  }
}

void run_index(const IndexOptions& options, Session& session) {
  give_memory_back();
  if (options.plan.asked) return show_plan(options, session);
  require_files(options.input.files);
  const std::string path =
      options.output.empty() ? default_output(options.input.files) : options.output;
  refuse_terminal(path, "an index", "use -o FILE.gsx");
  refuse_overwriting(path, options.input.files);
  const Replacement replaced{path, options.output.empty(), options.force};
  replaced.check_kind();
  const std::unique_ptr<Backend> backend = options.device.make();
  std::optional<Output> opened;
  open_output(opened, replaced);
  Output& out = *opened;
  Text text = read_input(options.input, session);
  text.keeps_md5 = options.md5;
  if (replaced.derived) replaced.check_sequences(text, session.threads);
  BuildOptions build = build_options(options.input, session);
  build.sample_rate = options.sample_rate;
  const FmIndex index = build_beside_checksums(*backend, text, build, out);
  if (!replaced.derived) replaced.check_sequences(text, session.threads);
  session.used(*backend);
  const Stopwatch watch;
  session.report("writing the index", -1);
  write_index(out, text, index, session.threads);
  log().debug("written in {:.3f} s", watch.seconds());
  const std::uint64_t bytes = out.offset();
  out.commit();
  log().debug("written, flushed to the disk and renamed in {:.3f} s", watch.seconds());
  log().info("index: {} ({:.1f} MB, {:.2f} bytes per symbol)", printable(path),
             static_cast<double>(bytes) / 1e6,
             static_cast<double>(bytes) / static_cast<double>(text.length()));
}

}  // namespace

void add_index_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<IndexOptions>();
  CLI::App* command = app.add_subcommand("index", "Build an index of FASTA or FASTQ sequences");
  command->footer(
      "The index holds all that the other commands need: the text, the names, the "
      "ambiguous symbols and a checksum of each record. Its bytes do not depend on the "
      "number of threads, on the device, or on whether the input is a file or a pipe.\n\n"
      "gsx index replaces an index of the same sequences (names, lengths, symbols), and "
      "one that it cannot read because it is damaged or has another format. It replaces "
      "an index of other sequences with a warning if -o names it, and otherwise only "
      "with --force.\n\n"
      "Examples:\n"
      "  gsx index genome.fa.gz                  write genome.gsx\n"
      "  gsx index chr*.fa -o genome.gsx         put several files into one index\n"
      "  zcat g.fa.gz | gsx index - -o g.gsx     read a pipe\n"
      "  gsx index --alphabet protein up.fa      index proteins\n"
      "  gsx index --memory-limit 8GB genome.fa  build in blocks if necessary\n"
      "  gsx index --plan genome.fa              show what the build needs");
  add_input_options(*command, options->input);
  add_path(*command, "-o,--output", options->output,
           "Write the index to FILE (default: the name of the input with .gsx in place "
           "of .fa, .fq, .fa.gz, ...)")
      ->group("Output");
  command
      ->add_flag("--force", options->force,
                 "Replace a file that is not an index; without -o, also replace an index of "
                 "other sequences")
      ->group("Output");
  add_number(*command, "--sa-rate", options->sample_rate, {1, 1u << 20},
             "Keep one suffix array entry in N: a smaller N makes locate, and count of long "
             "reads, faster and the index larger; 1 keeps all")
      ->group("Output");
  command
      ->add_flag(
          "--md5", options->md5,
          "Store the MD5 of each record (M5 in SAM headers), so that info --md5 need not "
          "compute it. DNA is stored with T in place of U: the MD5 of a record that held U is "
          "not its M5")
      ->group("Output");
  add_plan_options(*command, options->plan, "the memory and disk space that the build needs");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_index(*options, started); }; });
}

}  // namespace gsx::app

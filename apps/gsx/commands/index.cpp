// gsx index: sequences in, one index file out.
#include <CLI/App.hpp>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/name_lock.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/grown_index.hpp"
#include "commands/index_shards.hpp"
#include "commands/shard_jobs.hpp"
#include "commands/shard_plan.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "inputs/input_options.hpp"
#include "inputs/target_choice.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "options/starting_backend.hpp"
#include "outputs/plan.hpp"
#include "outputs/replacement.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"
#include "records/file_stem.hpp"
#include "run/build_job.hpp"

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
  std::string append;  ///< the index to add to; "" for none
  GrownOptions given;  ///< for that
  ShardOptions shards;
};

/// dir/genome.fa.gz -> dir/genome.gsx
std::string default_output(const std::vector<std::string>& files) {
  if (files.size() > 1) throw UsageError("several input files need an output name: -o FILE.gsx");
  std::error_code error;
  if (is_descriptor(files[0]) || std::filesystem::is_fifo(files[0], error)) {
    throw UsageError("input from a pipe or from standard input needs an output name: -o FILE.gsx");
  }
  return without_suffixes(files[0]) + ".gsx";
}

/// Reads the input, behind the records of the index that grows if there is one, whose options then
/// are the input's.
Text read_sequences(IndexOptions& options, std::optional<GrownIndex>& grown, Session& session) {
  if (options.append.empty()) {
    Text text = read_input(options.input, session);
    text.keeps_md5 = options.md5;
    return text;
  }
  if (begins_as_manifest(options.append)) {
    throw UsageError("--append: '" + printable(options.append) +
                     "' is in shards; make the shards again with the file beside the others");
  }
  grown.emplace(options.append, session.threads);
  grown->adopt(options.given, options.input);
  grown->check(session);
  const Index& index = grown->index();
  options.sample_rate =
      options.given.sample_rate != 0 ? options.given.sample_rate : index.meta().sample_rate;
  const EarlierRecords earlier = grown->records();
  Text text = read_input(options.input, session, &earlier);
  text.keeps_md5 = options.md5 || !index.md5s().empty();
  if (text.names_by_file && !index.names_by_file()) {
    log().warn(
        "--append: with the new files, several files have records of the same names, so each "
        "record is named FILE#NAME from now on, those of the index, too");
  }
  return text;
}

/// The folder in which the index would be written.
std::string folder_of(const IndexOptions& options) {
  const std::string& path = !options.output.empty()         ? options.output
                            : options.input.files[0] != "-" ? options.input.files[0]
                                                            : options.output;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// The device that builds. An index that is appended to is built anew, and may be long.
DeviceOptions device_for(const IndexOptions& options, int threads) {
  return options.device.for_work(
      cost_of_sorting(options.append.empty() ? symbols_in(options.input.files) : Amount()),
      options.input.memory_limit, threads);
}

/// Reads the input as a build would, and prints what the rest of the build would take.
void show_plan(IndexOptions& options, Session& session) {
  refuse_compression(options.output, "indexes");
  const std::unique_ptr<Backend> backend =
      make_backend_for(options.plan, device_for(options, session.threads));
  if (options.shards.asked()) {
    print_shard_plan({options.shards, options.input, options.sample_rate, folder_of(options),
                      options.output.empty() ? default_output(options.input.files) : options.output,
                      options.plan},
                     *backend, session);
    return session.used(*backend);
  }
  std::optional<GrownIndex> grown;
  const Text text = read_sequences(options, grown, session);
  BuildOptions build = build_options(options.input, session);
  build.sample_rate = options.sample_rate;
  const BuildPlan plan = backend->plan(text.view(), BuildTarget::index, build);
  session.used(*backend);
  print_plan(index_plan_table(text, plan, build, backend->name(), folder_of(options)),
             options.plan);
}

/// Opens the output. A name derived from the input's may be in a folder without write permission.
void open_output(std::optional<Output>& out, const Replacement& replaced) {
  try {
    out.emplace(replaced.path());
  } catch (const RuntimeError& error) {
    if (!replaced.derived()) throw;
    throw RuntimeError(std::string(error.what()) + "; name another place with -o");
  }
}

/// Locks an index that is read to be replaced, so that no records are lost that another run adds.
void lock_grown(std::optional<NameLock>& lock, const std::string& path) {
  lock.emplace(path, tells_of_waiting(path));
  if (lock->problem() == 0) return;
  log().warn("cannot lock '{}' ({}): let nothing else write it meanwhile", printable(path),
             std::strerror(lock->problem()));
}

/// Writes an index per shard and their manifest, or a part of these.
void run_shards(const IndexOptions& options, Replacement& replaced, Session& session) {
  if (options.shards.manifest_only) {
    return write_manifest(options.shards, options.input, replaced,
                          {options.sample_rate, options.md5}, session);
  }
  const std::unique_ptr<Backend> backend = device_for(options, session.threads).make();
  const auto write = [&](Text& text, Output& out) {
    text.keeps_md5 = options.md5;
    BuildOptions build = build_options(options.input, session);
    build.sample_rate = options.sample_rate;
    const FmIndex index = build_beside_checksums({*backend, build}, text, &out);
    session.used(*backend);
    session.report("writing the index", -1);
    return write_index(out, text, index, session.threads);
  };
  if (options.shards.shard) {
    return write_shard(options.shards, options.input, replaced.path(), options.force, session,
                       write);
  }
  write_shards(options.shards, options.input, replaced, session, write);
}

void run_index(IndexOptions& options, Session& session) {
  give_memory_back();
  take_list(options.input);
  options.shards.require_complete();
  if (options.plan.asked) return show_plan(options, session);
  require_files(options.input.files);
  if (!options.append.empty() && options.output.empty())
    throw UsageError("--append needs an output name: -o FILE.gsx, which may be that of the index");
  if (!options.append.empty()) options.append = index_at(options.append, "--append");
  const std::string path =
      options.output.empty() ? default_output(options.input.files) : options.output;
  refuse_terminal(path, "an index", "use -o FILE.gsx");
  refuse_compression(path, "indexes");
  output_format(path, {.command = "index", .written = "gsx"}, session.files);
  note_input(options.input, session);
  session.files.writes(path);
  using Kind = Replacement::Kind;
  Replacement replaced(path, options.output.empty(), options.force,
                       options.shards.asked() ? Kind::manifest : Kind::index);
  if (!options.shards.shard) replaced.check_kind();
  if (options.shards.asked()) return run_shards(options, replaced, session);
  StartingBackend starting(device_for(options, session.threads),
                           bytes_of_files(options.input.files) != 0);
  std::optional<Output> opened;
  open_output(opened, replaced);
  Output& out = *opened;
  std::error_code none;
  const bool in_place =
      !options.append.empty() && std::filesystem::equivalent(path, options.append, none);
  std::optional<NameLock> lock;
  if (in_place) lock_grown(lock, path);
  std::optional<GrownIndex> grown;
  Text text = starting.meanwhile([&] { return read_sequences(options, grown, session); });
  const std::unique_ptr<Backend> backend = starting.get();
  if (replaced.derived()) replaced.check_sequences(text, session.threads);
  BuildOptions build = build_options(options.input, session);
  build.sample_rate = options.sample_rate;
  const FmIndex index = build_beside_checksums({*backend, build}, text, &out);
  if (!replaced.derived() && !in_place) replaced.check_sequences(text, session.threads);
  session.used(*backend);
  const Stopwatch watch;
  session.report("writing the index", -1);
  write_index(out, text, index, session.threads);
  log().debug("written in {:.3f} s", watch.seconds());
  const std::uint64_t bytes = out.offset();
  out.finish();  // takes long; what is checked now is true until the name changes
  if (!lock) lock.emplace(path, tells_of_waiting(path));
  if (grown) grown->index().require_unchanged();
  if (grown) grown->require_in_place(path);
  if (!in_place) replaced.check_again(&text, session.threads);
  const std::vector<ShardEntry> shards_before = shards_there(path);
  out.commit();
  log().debug("written, flushed to the disk and renamed in {:.3f} s", watch.seconds());
  log().info("index: {} ({}, {:.2f} bytes per symbol)", printable(path), size_text(bytes),
             static_cast<double>(bytes) / static_cast<double>(text.length()));
  warn_of_left_shards(path, shards_before, {});
}

}  // namespace

void add_index_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<IndexOptions>();
  CLI::App* command = add_command(app, "index", "Build an index of FASTA or FASTQ sequences");
  command->footer(
      "The index holds all that the other commands need: the text, the names, the "
      "ambiguous symbols and a checksum of each record. Its bytes do not depend on the "
      "number of threads, on the device, or on whether the input is a file or a pipe.\n\n"
      "gsx index replaces an index of the same sequences (names, lengths, symbols), and "
      "one that it cannot read because it is damaged or has another format. It replaces "
      "an index of other sequences with a warning if -o names it, and otherwise only "
      "with --force. It looks again right before it gives the name to the new index, for another "
      "run may have written that file meanwhile.\n\n"
      "With --files, the index keeps the name of each file, without folders and suffixes, and the "
      "records that came from it; count --by-file and locate --by-file then tell them apart. If "
      "two files have a record of the same name, each record of the index is named FILE#NAME, in "
      "all that gsx writes; the whole is its name then. "
      "--append FILE.gsx puts the records of an index before those of the input, with its "
      "alphabet, "
      "soft-masking, --sa-rate, --md5 and --files; the result is the index of all input files at "
      "once with these options, byte for byte, and says so if that names records by their files. "
      "gsx builds the whole index anew, which takes "
      "the time of a new one; you need not keep the files of the old one. If another run writes "
      "that index, --append waits for it. It does not take an index in shards.\n\n"
      "--shards and --shard-size write many.000.gsx, many.001.gsx, ... beside -o many.gsx, which "
      "becomes their manifest. count and locate search the shards one after another; info, extract "
      "and commands that read the text take all of them as one index; those that need one FM-index "
      "(mem, ms, filter) build it in memory. Results are those of one index, "
      "except which hits --max-hits keeps.\n\n"
      "Jobs on several machines can build the shards: each runs the same command with --shard, "
      "from "
      "0 to N-1, and builds that one only; another one with --manifest-only checks all shards "
      "against the input and writes the manifest. The files have the same bytes. Each job reads "
      "the "
      "input twice; it can be run again at any time.\n\n"
      "Examples:\n"
      "  gsx index genome.fa.gz                  write genome.gsx\n"
      "  gsx index chr*.fa -o genome.gsx         put several files into one index\n"
      "  gsx index --files *.fa.gz -o all.gsx    and keep the names of the files\n"
      "  gsx index --input-list samples.tsv -o all.gsx   as a list names them\n"
      "  gsx index --append all.gsx d.fa -o all.gsx   add a file to an index\n"
      "  zcat g.fa.gz | gsx index - -o g.gsx     read a pipe\n"
      "  gsx index --shard-size 20G *.fa -o many.gsx   an index in files of 20 Gbp\n"
      "  gsx index --shards 8 --shard 0 *.fa -o many.gsx   the first of 8 shards\n"
      "  gsx index --shards 8 --manifest-only *.fa -o many.gsx   what joins them\n"
      "  gsx index --alphabet protein up.fa      index proteins\n"
      "  gsx index --memory-limit 8GB genome.fa  build in blocks if necessary\n"
      "  gsx index --plan genome.fa              show what the build needs");
  add_input_options(*command, options->input);
  add_whole_header_option(*command, options->input);
  add_list_option(*command, options->input);
  begin_group(*command, "Output");
  add_path(*command, "-o,--output", options->output,
           "Write the index to FILE (default: the name of the input with .gsx in place "
           "of .fa, .fq, .fa.gz, ...)");
  add_flag(*command, "--force", options->force,
           "Replace a file that is not an index; without -o, also replace an index of "
           "other sequences");
  add_number(*command, "--sa-rate", options->sample_rate, {1, 1u << 20},
             "Keep one suffix array entry in N: a smaller N makes locate, and count of long "
             "reads, faster and the index larger; 1 keeps all");
  add_flag(*command, "--md5", options->md5,
           "Store the MD5 of each record (M5 in SAM headers), so that info --md5 need not compute "
           "it. DNA is stored with T in place of U: the MD5 of a record that held U is not its M5");
  add_flag(*command, "--files", options->input.keep_files,
           "Keep the name of each input file, without folders and the suffixes of sequence files "
           "(.fa, .fasta, .fna, .fq, ..., and .gz and the like), and which records came from it; "
           "two files must not have the same name. --input-list can give them others")
      ->group("Input");
  add_path(*command, "--append", options->append,
           "Put the records of this index before those of the input, read with its alphabet and "
           "options; -o may name the same file")
      ->type_name("INDEX")
      ->group("Input");
  add_shard_options(*command, options->shards);
  add_plan_options(*command, options->plan, "the memory and disk space that the build needs");
  add_device_options(*command, options->device,
                     "; cuda:N,M,... and cuda:all share the work among several");
  add_session_options(*command, session);
  set_work(*command, run, [options, command](Session& started) {
    const auto is_given = [&](const char* name) { return command->count(name) != 0; };
    if (is_given("--alphabet")) options->given.alphabet = options->input.alphabet;
    if (is_given("--soft-mask")) options->given.soft_mask = options->input.soft_mask;
    if (is_given("--sa-rate")) options->given.sample_rate = options->sample_rate;
    run_index(*options, started);
  });
}

}  // namespace gsx::app

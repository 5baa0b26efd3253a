#include "inputs/input_options.hpp"

#include <malloc.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/memory_limit.hpp"
#include "base/messages.hpp"
#include "base/resources.hpp"
#include "inputs/input_list.hpp"
#include "options/cram_option.hpp"
#include "options/named_once.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "records/sequence_reader.hpp"

namespace gsx::app {
namespace {

/// Whether the headers of records with this name differ behind it.
bool headers_differ(const RecordsView& records, std::string_view name) {
  std::optional<std::string_view> first;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    if (records.name(r) != name) continue;
    if (!first) first = records.comment(r);
    if (*first != records.comment(r)) return true;
  }
  return false;
}

/// `by_file` says that records are named by their files, and still have names of one another.
void warn_of_shared_name(const std::string& name, bool by_file) {
  log().warn("several files have {}; results cannot tell them apart: {}", name,
             by_file ? "give the files other names with --input-list"
                     : "gsx index --files names each record FILE#NAME");
}

/// Warns of records of one name, if there are some. Returns whether there are.
bool warn_of_duplicate_names(const Text& text, const InputOptions& options) {
  const RecordsView records = text.records_view();
  const auto twins = find_name_twins(records, text.files.record_ends);
  if (!twins) return false;
  const std::string_view name = records.name(twins->first);
  if (twins->of_two_files) {
    warn_of_shared_name("a record '" + shown_name(name) + "'", text.names_by_file);
  } else {
    const bool is_cut =
        options.offers_whole_header && !options.whole_header && headers_differ(records, name);
    log().warn(
        "several records have the name '{}'{}; results cannot tell them apart", shown_name(name),
        is_cut ? ", the first word of their headers (--whole-header takes all of the line)" : "");
  }
  return true;
}

void log_naming() {
  log().info("several files have records of the same names: each record is named FILE#NAME");
}

void log_contents(const Text& text) {
  const SymbolCounts& counts = text.counts;
  const std::size_t records = text.records.size(), segments = text.segment_offsets.size();
  log().info("{} record{}, {} symbols in {} segment{} ({})", records, records == 1 ? "" : "s",
             text.length() - segments, segments, segments == 1 ? "" : "s",
             name_of(text.alphabet.policy()));
  if (counts.ambiguous() > 0) {
    log().info("not A C G T, kept out of the text: {} N, {} IUPAC codes, {} gaps, {} others",
               counts.n, counts.iupac, counts.gap, counts.other);
  }
  if (text.literals.size() > 0) {
    log().info("soft-masked, kept out of the text: {} bases", text.literals.size());
  }
}

}  // namespace

SymbolPolicy alphabet_named(const std::string& name) {
  if (name == "protein") return SymbolPolicy::protein;
  if (name == "bytes") return SymbolPolicy::bytes;
  return SymbolPolicy::dna;
}

std::vector<std::string> InputOptions::files_read() const {
  std::vector<std::string> read = files;
  const std::vector<std::string> references = cram_reference_files(cram_reference);
  read.insert(read.end(), references.begin(), references.end());
  if (!list.empty()) read.push_back(list);
  return read;
}

CLI::Option* add_alphabet_option(CLI::App& command, std::string& alphabet) {
  return add_choice(command, "--alphabet", alphabet, {"auto", "dna", "protein", "bytes"},
                    "Symbols of the text: dna (A C G T, and U as T), protein, or bytes "
                    "(printable, case matters); auto decides between dna and protein",
                    {{"rna", "dna"}, {"aa", "protein"}, {"text", "bytes"}})
      ->group("Input");
}

CLI::Option* add_no_eof_option(CLI::App& command, bool& allow, const char* files) {
  return add_flag(command, "--allow-no-eof", allow,
                  std::string("Read BGZF of ") + files +
                      " that lacks the empty block at its end, with a warning. By default that is "
                      "an error, because records may be missing")
      ->group("Input");
}

CLI::Option* add_whole_header_option(CLI::App& command, bool& whole_header, const char* which) {
  return add_flag(command, "--whole-header", whole_header,
                  std::string("Take the whole header line as the name of a record") + which +
                      ", not the first word; a tab in it is an error")
      ->group("Input");
}

void add_whole_header_option(CLI::App& command, InputOptions& options) {
  options.offers_whole_header = true;
  add_whole_header_option(command, options.whole_header, "");
}

void add_input_options(CLI::App& command, InputOptions& options) {
  add_texts(command, "FILE", "FILE", options.files,
            std::string(sequence_formats) + "; - reads standard input")
      ->required();
  add_alphabet_option(command, options.alphabet);
  add_choice(command, "--ambiguous", options.ambiguous, {"split", "error"},
             "DNA symbols other than A C G T: split keeps them for extract, and they "
             "match nothing; error refuses them")
      ->group("Input");
  add_choice(command, "--soft-mask", options.soft_mask, {"fold", "keep", "split"},
             "Lower-case letters: fold reads them as upper case; keep does so too, and extract "
             "restores them; split leaves lower-case DNA out of the text, where it matches nothing")
      ->group("Input");
  add_no_eof_option(command, options.allow_no_eof, "FILE");
  add_cram_option(command, options.cram_reference);
  add_number(command, "--batch", options.batch, {1, std::uint64_t{1} << 32},
             "Bytes of input that a thread reads at a time")
      ->group("Tuning");
  add_memory_limit(
      command, options.memory_limit,
      "Use at most SIZE of host memory, such as 8GiB; a suffix array that does not fit is built in "
      "blocks (default: the free memory, or what ulimit or the control group allows)");
  add_flag(command, "--wide", options.wide, "Use 64-bit positions even where 32 bits suffice")
      ->group("Tuning");
}

namespace {

/// The memory that reading may take. Ignores limits on the address space, which the system
/// enforces: how much of it a text will take is not known before it is read.
MemoryRoom reading_room(const InputOptions& options, int threads) {
  MachineFacts facts = machine_facts();
  facts.address_space_limit.reset();
  facts.data_limit.reset();
  MemoryRoom room = memory_room(facts, threads);
  const SizeLimit& given = options.memory_limit;
  if (given.bytes != unlimited && (given.bytes < room.bytes || !room.hard)) {
    room = {given.bytes, given.given_by, true};
  }
  return room;
}

}  // namespace

void add_list_option(CLI::App& command, InputOptions& options) {
  command.get_option("FILE")->required(false);
  add_path(
      command, "--input-list", options.list,
      "Also read the files that FILE lists, after those named as arguments: a line for each, "
      "with its path, from this folder, and, if you like, a tab and the name to keep of it; or a "
      "table with a column of paths. If "
      "a line has a name, names of files are kept as by --files; - reads standard input")
      ->type_name("FILE")
      ->group("Input");
}

void take_list(InputOptions& options) {
  append_input_list(options.list, options.files, options.file_names);
  const auto is_name = [](const std::string& name) { return !name.empty(); };
  if (std::ranges::any_of(options.file_names, is_name)) options.keep_files = true;
  if (options.files.empty())
    throw UsageError("FILE is required, or --input-list; - is standard input");
}

void require_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code error;
    const std::filesystem::file_status found = std::filesystem::status(file, error);
    if (file == "-" || (exists(found) && !is_directory(found))) continue;
    // The reader throws an error that says why.
    SequenceReader reader({file}, {});
    RecordBatch batch;
    reader.next(batch);
  }
}

void check_files(const std::vector<std::string>& files, const std::string& cram_reference,
                 const std::vector<std::string>& outputs, Session& session) {
  require_one_standard_input(files);
  require_files(files);
  session.files.reads(files);
  session.files.reads(cram_reference_files(cram_reference));
  check_outputs(outputs, session);
}

namespace {

ReadTextOptions read_options(const InputOptions& options, int threads) {
  ReadTextOptions read;
  if (options.alphabet != "auto") read.text.alphabet = alphabet_named(options.alphabet);
  read.text.ambiguous =
      options.ambiguous == "error" ? AmbiguousPolicy::error : AmbiguousPolicy::split;
  read.text.soft_mask = options.soft_mask == "split"  ? SoftMaskPolicy::split
                        : options.soft_mask == "keep" ? SoftMaskPolicy::keep
                                                      : SoftMaskPolicy::fold;
  read.text.only_dna = options.only_dna;
  read.text.guessed = options.guessed;
  read.keep_files = options.keep_files;
  read.file_names = options.file_names;
  read.whole_header = options.whole_header;
  read.allow_no_eof = options.allow_no_eof;
  read.cram = cram_references(options.cram_reference);
  read.threads = threads;
  read.block_bytes = options.batch;
  return read;
}

/// What the log says of a text that was just read.
void describe(const Text& text, MemoryLimit& memory) {
  log_contents(text);
  memory.require(text.records.size() * 2 * sizeof(std::uint64_t));
}

}  // namespace

void note_input(const InputOptions& options, Session& session) {
  session.files.reads(options.files_read());
  require_each_once(options.files, "its records would count twice");
}

Text read_input(const InputOptions& options, Session& session, const EarlierRecords* earlier) {
  note_input(options, session);
  const ReadTextOptions read = read_options(options, session.threads);
  MemoryLimit memory([&] { return reading_room(options, session.threads); });
  const Stopwatch watch;
  session.expect_reading(options.files);
  Text text = read_text_within(&memory, options.files, read, session.progress(), earlier);
  describe(text, memory);
  if (text.names_by_file) log_naming();
  warn_of_duplicate_names(text, options);
  log().debug("read in {:.3f} s", watch.seconds());
  return text;
}

namespace {

/// The most names of records that are compared between shards: with more, they are names of reads.
constexpr std::uint64_t most_compared = std::uint64_t{1} << 22;

}  // namespace

ShardInput::ShardInput(const InputOptions& options, Session& session, const IsShardFull& is_full,
                       bool names_by_file)
    : options_(options),
      memory_([&options, threads = session.threads] { return reading_room(options, threads); }),
      reader_(&memory_, options.files, read_options(options, session.threads), session.progress(),
              is_full, names_by_file),
      names_(&memory_, most_compared) {
  note_input(options, session);
  session.expect_reading(options.files);
}

std::optional<Text> ShardInput::next() {
  std::optional<Text> text = reader_.next();
  if (!text) return text;
  describe(*text, memory_);
  if (!has_warned_) has_warned_ = warn_of_duplicate_names(*text, options_);
  if (!has_warned_ && !options_.keep_files && options_.files.size() > 1)
    warn_of_names_before(*text);
  return text;
}

/// Warns if a file has a record of a name that another file has in an earlier shard.
void ShardInput::warn_of_names_before(const Text& text) {
  names_.add(text.records_view(), text.files.record_ends, reader_.first_file());
  has_warned_ = names_.found();
  if (has_warned_) warn_of_shared_name("records of one name, in different shards", false);
}

InputFigures figures_of(const InputOptions& options, Session& session) {
  session.report("reading the input once before", -1);
  MemoryLimit memory([&] { return reading_room(options, session.threads); });
  ReadTextOptions read = read_options(options, session.threads);
  read.memory_limit = options.memory_limit.bytes;
  const InputFigures figures = figures_of_input(&memory, options.files, read);
  if (figures.names_by_file) log_naming();
  return figures;
}

BuildOptions build_options(const InputOptions& options, Session& session) {
  BuildOptions build;
  build.threads = session.threads;
  build.width = options.width();
  build.progress = session.progress();
  malloc_trim(0);  // returns what reading has freed to the system
  const MachineFacts facts = machine_facts();
  const MemoryRoom room = memory_room(facts, session.threads);
  const std::uint64_t used = facts.resident, peak = peak_host_bytes();
  build.memory = {room.bytes, used, peak, room.limited_by, room.hard};
  const SizeLimit& given = options.memory_limit;
  if (given.bytes != unlimited && (given.bytes < room.bytes || !room.hard)) {
    build.memory = {given.bytes, used, peak, given.given_by, true};
  }
  return build;
}

}  // namespace gsx::app

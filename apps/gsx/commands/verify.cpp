// gsx verify: checks that an index is intact and correct.
#include "index/store/verify.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/resources.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "device/cost.hpp"
#include "index/store/verify_lookup.hpp"
#include "inputs/input_list.hpp"
#include "inputs/open_index.hpp"
#include "inputs/target_choice.hpp"
#include "options/cram_option.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "records/file_stem.hpp"
#include "text/read_text.hpp"
#include "text/record_checks.hpp"
#include "text/record_checksum.hpp"
#include "text/record_names.hpp"

namespace gsx::app {
namespace {

struct VerifyOptions {
  std::string argument;
  TargetOptions target;
  DeviceOptions device;
  bool full = false;
  std::vector<std::string> against;
  std::string against_list;             ///< names further ones
  std::vector<std::string> file_names;  ///< of `against`, as that list gives them
  std::string cram_reference;
};

/// Whether the files to compare with have names that the index may keep.
bool compares_files(const VerifyOptions& options, const Index& index) {
  if (index.records().files.empty()) return false;
  for (std::size_t i = 0; i < options.against.size(); ++i) {
    std::error_code error;
    const std::string& file = options.against[i];
    const bool is_named = !options.file_names.empty() && !options.file_names[i].empty();
    if (!is_named && (is_descriptor(file) || std::filesystem::is_fifo(file, error))) return false;
  }
  return true;
}

/// Throws CorruptIndexError if the index keeps other files than those it was compared with.
void verify_files(const Index& index, const SourceFilesView& files) {
  const SourceFilesView& kept = index.records().files;
  const bool same = kept.names == files.names &&
                    std::ranges::equal(kept.name_ends, files.name_ends) &&
                    std::ranges::equal(kept.record_ends, files.record_ends);
  if (same) return;
  throw CorruptIndexError(
      "the index '" + printable(index.path()) +
      "' holds these records, but keeps other names of files or other borders "
      "between them; make it again with gsx index --files, or with the list of names");
}

/// Names records FILE#NAME, by the files of the index.
void name_as(const Index& index, Text& reference) {
  const SourceFilesView& files = index.records().files;
  if (files.size() != reference.files.record_ends.size()) {
    throw UsageError("the index '" + printable(index.path()) + "' names records FILE#NAME, of " +
                     std::to_string(files.size()) + " files: name each of them for --against");
  }
  for (std::uint64_t f = 0; f < files.size(); ++f)
    reference.files.add_name(files.name(f));
  name_by_file(reference, nullptr);
}

/// The sequences that the index should hold, read with the options of the index.
Text read_reference(const VerifyOptions& options, const Index& index, Session& session) {
  ReadTextOptions read;
  read.text.alphabet = index.alphabet().policy();
  if (index.letter_case().kept) read.text.soft_mask = SoftMaskPolicy::keep;
  read.threads = session.threads;
  read.whole_header = index.whole_header();
  read.allow_no_eof = true;  // the comparison shows whether records are missing
  read.cram = cram_references(options.cram_reference);
  session.expect_reading(options.against);
  try {
    Text reference = read_text(options.against, read, session.progress());
    if (index.names_by_file()) name_as(index, reference);
    checksum_records(reference, session.threads);
    return reference;
  } catch (const AlphabetError& error) {  // no index of this alphabet can be made of them
    throw_other_sequences(index, error.fact);
  }
}

/// Calls check(index) with the index, or with each of its shards.
template <class Check>
void for_each_part(const Index& index, const Check& check) {
  if (index.parts().empty()) return check(index);
  for (const Index& part : index.parts())
    check(part);
}

void run_verify(VerifyOptions& options, Session& session) {
  append_input_list(options.against_list, options.against, options.file_names);
  session.files.reads(options.against);
  session.files.reads(options.against_list);
  choose_target(options.target, options.argument);
  std::unique_ptr<Verifier> verifier;
  // A device that is asked for must be there before the work.
  if (options.full && options.device.device != "auto") verifier = options.device.make_verifier();
  Stopwatch watch;
  const auto log_time = [&](const char* what) { log().debug("{} in {:.3f} s", what, watch.lap()); };
  session.report("checking checksums", -1);
  const Index index =
      open_index(options.target.index, IndexUse::parts, session);  // checks all checksums
  log_time("checksums");
  if (options.full && !verifier) {
    verifier = options.device.for_work(cost_of_verifying(index.meta().length), {}, session.threads)
                   .make_verifier();
  }
  const ProgressReport progress = session.progress();
  for_each_part(index, [&](const Index& part) {
    verify_page_sums(part, session.threads);
    verify_name_table(part, session.threads);
    verify_text(part, session.threads);
  });
  verify_records(index, session.threads, progress);
  log_time("records");
  if (!options.against.empty()) {
    SourceFiles files;  // as they were named
    if (compares_files(options, index)) {
      for (const std::string& stem : file_stems(options.against, options.file_names))
        files.add_name(stem);
    }
    const Text reference = read_reference(options, index, session);
    verify_against(index, reference);
    const auto is_name = [](const std::string& name) { return !name.empty(); };
    if (index.records().files.empty() && std::ranges::any_of(options.file_names, is_name))
      throw CorruptIndexError(
          "the index '" + printable(index.path()) +
          "' keeps no names of files, and the list has some; make it again with that list");
    files.record_ends = reference.files.record_ends;
    if (files.kept()) verify_files(index, files.view());
    log_time("input read and compared");
  }
  std::string longest;
  if (verifier) {
    std::uint64_t steps = 0;
    for_each_part(index, [&](const Index& part) {
      steps = std::max(steps, verifier->verify_bwt(part, session.threads, progress));
      session.used(*verifier);
      log_time("BWT");
      verify_kmers(part, session.threads, progress);
      log_time("k-mer table");
    });
    longest = "\tlongest_walk=" + std::to_string(steps);
  }
  Output out("-");
  out.check_before_writing([&] { index.require_unchanged(); });
  out.write(printable(index.path()) + "\tok\t" + (options.full ? "full" : "checksums,records") +
            (index.md5s().empty() ? "" : ",md5") + (options.against.empty() ? "" : ",input") +
            longest + '\n');
  out.commit();
}

}  // namespace

void add_verify_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = add_command(app, "verify", "Check that an index is intact and correct");
  command->footer(
      "gsx verify recomputes every checksum, extracts every record and compares its "
      "checksum, and its MD5 if the index stores that. --full also checks the counts of "
      "the BWT, walks through it from end to end (symbols, rank structure and suffix array "
      "samples) and recomputes the k-mer table. --against also reads sequence files and "
      "compares their records, names and symbols with those of the index.\n\n"
      "Output is one line: the path, ok, and what was checked; with --full also the "
      "most steps that locating one hit takes. -v logs the time of each check. An index "
      "that fails a check ends with exit code 4 or 5.\n\n"
      "Examples:\n"
      "  gsx verify genome.gsx\n"
      "  gsx verify --full --device cuda genome.gsx\n"
      "  gsx verify --against genome.fa.gz genome.gsx");
  add_path(*command, "INDEX", options->argument, "The index, in place of -x")->type_name("INDEX");
  begin_group(*command, "Input");
  add_target_options(*command, options->target);
  add_texts(
      *command, "--against", "FILE", options->against,
      "Compare the index with this file of sequences; repeat --against for more files, in the "
      "order in which they were indexed");
  add_path(
      *command, "--against-list", options->against_list,
      "Also compare with the files that FILE lists, after those of --against: the list given to "
      "gsx index --input-list")
      ->type_name("FILE");
  add_cram_option(*command, options->cram_reference);
  auto* full = add_flag(*command, "--full", options->full,
                        "Also check the BWT, its counts, the samples and the k-mer table")
                   ->group("Checks");
  add_device_options(*command, options->device)->needs(full);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_verify(*options, started); });
}

}  // namespace gsx::app

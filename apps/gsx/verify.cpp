// gsx verify: checks that an index is intact and correct.
#include "store/verify.hpp"

#include "base/log.hpp"
#include "base/messages.hpp"
#include "commands.hpp"
#include "index_choice.hpp"
#include "io/output.hpp"
#include "machine/resources.hpp"
#include "options.hpp"
#include "text/read_text.hpp"
#include "text/record_checks.hpp"
#include "text/record_checksum.hpp"

namespace gsx::app {
namespace {

struct VerifyOptions {
  std::string argument;
  std::string index;
  DeviceOptions device;
  bool full = false;
  std::vector<std::string> against;
};

/// The sequences that the index should hold, read with the options of the index.
Text read_reference(const VerifyOptions& options, const Index& index, Session& session) {
  ReadTextOptions read;
  read.text.alphabet = index.alphabet().policy();
  if (index.letter_case().kept) read.text.soft_mask = SoftMaskPolicy::keep;
  read.threads = session.threads;
  session.expect_reading(options.against);
  try {
    Text reference = read_text(options.against, read, session.progress());
    checksum_records(reference, session.threads);
    return reference;
  } catch (const AlphabetError& error) {  // no index of this alphabet can be made of them
    throw_other_sequences(index, error.fact);
  }
}

void run_verify(const VerifyOptions& options, Session& session) {
  const std::string path = choose_index(options.index, options.argument);
  const std::unique_ptr<Verifier> verifier =
      options.full ? options.device.make_verifier() : nullptr;
  Stopwatch watch;
  const auto log_time = [&](const char* what) { log().debug("{} in {:.3f} s", what, watch.lap()); };
  session.report("checking checksums", -1);
  const Index index = Index::open(path, Load::map, session.threads);  // checks all checksums
  log_time("checksums");
  const ProgressReport progress = session.progress();
  verify_records(index, session.threads, progress);
  log_time("records");
  if (!options.against.empty()) {
    verify_against(index, read_reference(options, index, session));
    log_time("input read and compared");
  }
  std::string longest;
  if (verifier) {
    const std::uint64_t steps = verifier->verify_bwt(index, session.threads, progress);
    longest = "\tlongest_walk=" + std::to_string(steps);
    session.used(*verifier);
    log_time("BWT");
    verify_kmers(index, session.threads, progress);
    log_time("k-mer table");
  }
  Output out("-");
  out.check_before_writing([&] { index.require_unchanged(); });
  out.write(printable(path) + "\tok\t" + (options.full ? "full" : "checksums,records") +
            (index.md5s().empty() ? "" : ",md5") + (options.against.empty() ? "" : ",input") +
            longest + '\n');
  out.commit();
}

}  // namespace

void add_verify_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "Check that an index is intact and correct");
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
  add_path(*command, "INDEX", options->argument,
           "Index (default: -x, $GSX_INDEX, or the only *.gsx in this folder)")
      ->type_name("INDEX");
  add_path(*command, "-x,--index", options->index, "Index")->type_name("INDEX")->group("Input");
  add_texts(*command, "--against", "FILE", options->against,
            "Compare the index with this FASTA or FASTQ file; repeat --against for more "
            "files, in the order in which they were indexed")
      ->group("Input");
  auto* full = command
                   ->add_flag("--full", options->full,
                              "Also check the BWT, its counts, the samples and the k-mer table")
                   ->group("Checks");
  add_device_options(*command, options->device)->needs(full);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_verify(*options, started); }; });
}

}  // namespace gsx::app

// gsx verify: is the index whole, and right?
#include "store/verify.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "commands.hpp"
#include "options.hpp"

namespace gsx::app {
namespace {

struct VerifyOptions {
  std::string argument;
  std::string index;
  DeviceOptions device;
  bool full = false;
};

void run_verify(const VerifyOptions& options, Session& session) {
  const std::string path = find_index(options.argument.empty() ? options.index : options.argument);
  const std::unique_ptr<Backend> backend = options.full ? options.device.make() : nullptr;
  const Index index = Index::open(path, session.threads);  // all checksums
  const ProgressReport progress = session.progress();
  verify_records(index, session.threads, progress);
  if (backend) {
    backend->verify_bwt(index, session.threads, progress);
    session.used(*backend);
    verify_kmers(index, session.threads, progress);
  }
  Output out("-");
  out.write(printable(path) + "\tok\t" + (options.full ? "full" : "checksums,records") + '\n');
  out.commit();
}

}  // namespace

void add_verify_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "Check that an index is whole and right");
  command->footer(
      "Checks every checksum, extracts every record and compares its MD5. With --full it also "
      "checks the counts of the BWT, walks it through the whole text (symbols, rank structure and "
      "suffix array samples), and computes the k-mer table again. Prints the path, ok, and what "
      "was "
      "checked; anything wrong is exit code 4 or 5.\n\n"
      "Examples:\n"
      "  gsx verify genome.gsx\n"
      "  gsx verify --full --device cuda genome.gsx");
  command->add_option("INDEX", options->argument,
                      "Index; else -x, $GSX_INDEX, or the only *.gsx here");
  command->add_option("-x,--index", options->index, "Index");
  auto* full = command->add_flag("--full", options->full,
                                 "The BWT, its counts, the samples and the k-mer table too");
  add_device_options(*command, options->device)->needs(full);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_verify(*options, started); }; });
}

}  // namespace gsx::app

#include "inputs/reference.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "inputs/input_options.hpp"
#include "options/option_kinds.hpp"
#include "queries/query_checks.hpp"

namespace gsx::app {

void add_reference_option(CLI::App& command, QueryOptions& options) {
  CLI::Option* const reference =
      add_texts(command, "-r,--reference", "FASTA", options.references,
                "Index FASTA in memory and search that, instead of an index file; nothing is "
                "written. Repeat -r for more files")
          ->group("Input");
  add_no_eof_option(command, options.reading.allow_no_eof, "-r")->needs(reference);
}

Index index_of_references(const QueryOptions& options, const std::vector<std::string>& queries,
                          Session& session) {
  const std::vector<std::string>& files = options.references;
  if (!options.index.empty()) {
    throw UsageError("-x and -r both say what to search; give one of them");
  }
  require_sequences(files);
  std::vector<std::string> all = files;
  all.insert(all.end(), queries.begin(), queries.end());
  require_one_standard_input(all);
  require_files(files);
  session.files.reads(all);
  check_outputs(options, session);
  try_outputs(options);
  ReferenceOptions reading = options.reading;
  reading.keep_files = options.by_file;
  Text text = read_references(files, reading, options.memory_limit, session);
  const Stopwatch watch;
  Index index = build_index(std::move(text), {.device = options.device.device,
                                              .threads = session.threads,
                                              .memory_limit = options.memory_limit.bytes,
                                              .gpu_memory = options.device.gpu_memory,
                                              .progress = session.progress()});
  log().debug("indexed in memory in {:.3f} s, {:.1f} MB", watch.seconds(),
              static_cast<double>(index.file_bytes()) / 1e6);
  return index;
}

}  // namespace gsx::app

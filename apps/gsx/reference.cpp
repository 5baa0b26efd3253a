#include "reference.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "index_choice.hpp"
#include "input_options.hpp"
#include "machine/resources.hpp"
#include "option_kinds.hpp"
#include "query_checks.hpp"
#include "seq/sequence_reader.hpp"
#include "text/record_checks.hpp"

namespace gsx::app {
namespace {

Text read_references(const InputOptions& input, Session& session) {
  try {
    return read_input(input, session);
  } catch (const AlphabetError& error) {  // its advice is about options of gsx index
    throw InputError(error.without_alphabet());
  }
}

}  // namespace

void add_reference_option(CLI::App& command, QueryOptions& options) {
  CLI::Option* const reference =
      add_texts(command, "-r,--reference", "FASTA", options.references,
                "Index FASTA in memory and search that, instead of an index file; nothing is "
                "written. Repeat -r for more files")
          ->group("Input");
  add_no_eof_option(command, options.allow_no_eof, "-r")->needs(reference);
}

Index index_of_references(const QueryOptions& options, const std::vector<std::string>& queries,
                          Session& session) {
  const std::vector<std::string>& files = options.references;
  if (!options.index.empty()) {
    throw UsageError("-x and -r both say what to search; give one of them");
  }
  for (const std::string& file : files) {
    if (is_index(file)) {
      throw UsageError("'" + printable(file) + "' is an index, not sequences: name it by -x");
    }
  }
  std::vector<std::string> all = files;
  all.insert(all.end(), queries.begin(), queries.end());
  require_one_standard_input(all);
  require_files(files);
  check_outputs(options, all);
  try_outputs(options);
  InputOptions input;
  input.files = files;
  input.memory_limit = options.memory_limit;
  input.cram_reference = options.cram_reference;
  input.keep_files = options.by_file;
  input.allow_no_eof = options.allow_no_eof;
  input.whole_header = options.whole_header;
  input.offers_whole_header = options.offers_whole_header;
  Text text = read_references(input, session);
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

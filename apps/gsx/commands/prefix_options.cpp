#include "commands/prefix_options.hpp"

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "inputs/input_options.hpp"
#include "inputs/target_choice.hpp"
#include "options/cram_option.hpp"
#include "options/format_suffix.hpp"
#include "options/named_once.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

void PrefixCommand::check(Session& session) const {
  if (entries.empty() && set_files.empty())
    throw UsageError("no set of sequences to look for: give --set FILE, or --entry SEQ");
  if (files.empty()) throw UsageError("no queries: name a file, or - for standard input");
  refuse_indexes(files, "not queries; gsx prefix searches sets of sequences");
  std::vector<std::string> read = set_files;
  read.insert(read.end(), files.begin(), files.end());
  require_each_once(set_files, "its sequences would be in the set twice");
  require_each_once(files, "its queries would count twice");
  check_files(read, cram_reference, {output, summary}, session);
  output_format(output, {"prefix", "tsv"}, session.files);
}

JsonMembers PrefixCommand::as_json() const {
  return {{"written", counts ? "counts" : "queries"}};
}

void add_prefix_options(CLI::App& command, PrefixCommand& options) {
  add_texts(command, "QUERY", "FILE", options.files,
            std::string(sequence_formats) +
                "; or a list of SEQUENCE or NAME<tab>SEQUENCE; - reads standard input");
  begin_group(command, "Input");
  add_texts(
      command, "--set", "FILE", options.set_files,
      "Look for the sequences of FILE: a list with SEQUENCE or NAME<tab>SEQUENCE per line, CSV, "
      "or FASTA, or another format that QUERY may have; - reads standard input; repeat --set "
      "for more files");
  add_texts(command, "--entry", "SEQ", options.entries,
            "Look for SEQ, too, which is also its own name; repeat --entry for more");
  for (const char* const name : {"-p,--pattern", "-f,--patterns"})
    add_retired(command, name,
                "the set is given by --set FILE and --entry SEQ; queries are files, which come as "
                "arguments");
  add_cram_option(command, options.cram_reference);
  begin_group(command, "Output");
  add_flag(command, "--counts", options.counts,
           "Write, instead of a line per query, one per sequence of the set with the number "
           "of queries that it was found for, and one for the queries that have none");
  add_output(command, options.output);
  add_flag(command, "--no-header", options.no_header, "Leave out the header line");
  add_path(command, "--summary", options.summary,
           "Write the numbers of queries, and of those that begin with a sequence of the set, to "
           "FILE, as JSON");
  add_memory_limit(command, options.memory_limit,
                   "Use at most SIZE of memory, such as 2GiB (default: what the set takes, and "
                   "some tens of MB per thread)");
  add_device_options(command, options.device);
}

}  // namespace gsx::app

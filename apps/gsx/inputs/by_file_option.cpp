#include "inputs/by_file_option.hpp"

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

CLI::Option* add_by_file_option(CLI::App& command, bool& by_file, const std::string& where) {
  return add_flag(command, "--by-file", by_file,
                  "Add the input file of each target, of sequences or of an index made with "
                  "--files: " +
                      where)
      ->group("Output");
}

void require_file_names(const PlaceLineOptions& lines) {
  if (!lines.by_file || names_files(lines.format)) return;
  throw UsageError("--by-file: the format " + name_of(lines.format) +
                   " has no names of files; TSV, JSON lines, PAF and GFF3 have, where they are "
                   "written");
}

void require_kept_files(const Index& index) {
  if (!index.records().files.empty()) return;
  throw UsageError("--by-file: the index '" + printable(index.path()) +
                   "' does not know the files of its records; build it again: gsx index --files "
                   "FILE... -o " +
                   printable(index.path()));
}

}  // namespace gsx::app

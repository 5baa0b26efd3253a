// Reads references: the sequences of -r, which are searched without an index file.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "options/numbers.hpp"
#include "process/session.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// How to read references.
struct ReferenceOptions {
  bool only_dna = false;  ///< whether they have to be DNA, and are read as that
  bool keep_files = false;
  bool keep_case = false;  ///< whether the text knows which letters were in lower case
  bool allow_no_eof = false;
  bool whole_header = false;
  bool offers_whole_header = false;  ///< whether the command has --whole-header
  std::string cram_reference;
};
/// Adds --allow-no-eof and --whole-header for -r alone. They need `reference`: that for references.
void add_reference_options(CLI::App& command, ReferenceOptions& options, CLI::Option* reference);

/// The text of the references. Throws what read_input() throws; the advice of an InputError names
/// no option that only gsx index has.
Text read_references(const std::vector<std::string>& references, const ReferenceOptions& options,
                     const SizeLimit& memory_limit, Session& session);

}  // namespace gsx::app

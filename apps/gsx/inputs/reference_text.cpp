#include "inputs/reference_text.hpp"

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "inputs/input_options.hpp"
#include "text/record_checks.hpp"

namespace gsx::app {

void add_reference_options(CLI::App& command, ReferenceOptions& options, CLI::Option* reference) {
  add_no_eof_option(command, options.allow_no_eof, "-r")->needs(reference);
  options.offers_whole_header = true;
  add_whole_header_option(command, options.whole_header, " of -r")->needs(reference);
}

Text read_references(const std::vector<std::string>& references, const ReferenceOptions& options,
                     const SizeLimit& memory_limit, Session& session) {
  InputOptions input;
  input.files = references;
  if (options.only_dna) input.alphabet = "dna";
  input.only_dna = options.only_dna;
  input.memory_limit = memory_limit;
  input.cram_reference = options.cram_reference;
  input.keep_files = options.keep_files;
  if (options.keep_case) input.soft_mask = "keep";
  input.allow_no_eof = options.allow_no_eof;
  input.whole_header = options.whole_header;
  input.offers_whole_header = options.offers_whole_header;
  try {
    return read_input(input, session);
  } catch (const AlphabetError& error) {  // its advice may be about options of gsx index
    if (options.only_dna) throw;
    throw InputError(error.without_alphabet());
  }
}

}  // namespace gsx::app

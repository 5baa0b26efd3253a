#include "options/cram_option.hpp"

#include <CLI/App.hpp>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "options/option_kinds.hpp"
#include "process/environment.hpp"

namespace gsx::app {

void add_cram_option(CLI::App& command, std::string& fasta) {
  add_path(command, "--cram-reference", fasta,
           "Decode CRAM by the reference sequences in FILE: FASTA, indexed by 'samtools faidx'. "
           "Without it, REF_CACHE, REF_PATH and the header of the CRAM file are looked at for "
           "files on this machine; nothing is fetched from a network")
      ->group("Input");
}

std::vector<std::string> cram_reference_files(const std::string& fasta) {
  if (fasta.empty()) return {};
  return {fasta, fasta + ".fai"};
}

CramReferences cram_references(const std::string& fasta) {
  std::error_code error;
  if (!fasta.empty() && !std::filesystem::is_regular_file(fasta, error)) {
    const std::string shown = "'" + printable(fasta) + "'";
    throw InputError("--cram-reference: " +
                     (std::filesystem::exists(fasta, error)
                          ? shown + " is no regular file; name a FASTA file with its index"
                          : "there is no file " + shown));
  }
  CramReferences references = local_cram_references();
  references.fasta = fasta;
  return references;
}

}  // namespace gsx::app

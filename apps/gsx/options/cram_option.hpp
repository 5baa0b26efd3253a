// --cram-reference: the reference of CRAM files.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "records/decoding.hpp"

namespace gsx::app {

/// What input files may be, for the descriptions of options that name them.
inline constexpr const char* sequence_formats =
    "FASTA or FASTQ, plain or compressed (gzip, BGZF, bzip2, xz, zstd), 2bit, SAM, BAM or CRAM";

/// Adds --cram-reference.
void add_cram_option(CLI::App& command, std::string& fasta);

/// The files that --cram-reference names: the FASTA and its index; none without it. No output may
/// replace them.
std::vector<std::string> cram_reference_files(const std::string& fasta);

/// The FASTA file, if one is named, and the places that the environment names. Throws InputError if
/// the file does not exist.
CramReferences cram_references(const std::string& fasta);

}  // namespace gsx::app

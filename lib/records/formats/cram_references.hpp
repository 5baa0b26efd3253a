// Where the reference sequences of a CRAM file may come from: local files, never the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "records/decoding.hpp"

struct htsFile;

namespace gsx {

/// Gives htslib the FASTA file of `references`, if there is one. Throws SourceError if it, or its
/// index, cannot be read; nothing is written.
void set_reference(htsFile& file, const CramReferences& references);

/// What may be decoded by.
struct LocalReferences {
  std::size_t missing = 0;    ///< sequences that are left without a place and a checksum
  std::uint64_t longest = 0;  ///< bases of the longest sequence that there may be
};

/// Removes from the header what htslib could look up elsewhere than in a local file: checksums of
/// sequences that neither REF_CACHE nor REF_PATH have here, and places that are no local file.
/// Pre: `file` is CRAM, of which only the header has been read.
LocalReferences keep_local_references(htsFile& file, const CramReferences& references);

/// The local file that a place of REF_CACHE or REF_PATH names for a checksum, such as
/// "/refs/%2s/%2s/%s" or "/refs".
std::string expand_reference_place(const std::string& place, const std::string& checksum);

}  // namespace gsx

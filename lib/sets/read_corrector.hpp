// Passes reads on, with the sequences in them corrected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sets/corrections.hpp"
#include "sets/set_reader.hpp"
#include "sets/set_report.hpp"

namespace gsx {

/// Reads FASTQ files again, of which read_sequence_set() made `set` with the same options, and
/// gives `write` all reads in input order, byte for byte but for the symbols of sequences that are
/// corrected. Only if the last line of a file has no end and more reads follow, a line end is
/// added. `targets` is the set itself, or the whitelist. Throws InputError, also if the files hold
/// another number of reads than `records`, and what `write` throws. Pre: the set is not empty.
void correct_reads(const std::vector<std::string>& paths, const SetReadOptions& options,
                   const SequenceSet& set, const SequenceSet& targets,
                   const std::vector<Correction>& corrections, std::uint64_t records,
                   const WriteText& write);

}  // namespace gsx

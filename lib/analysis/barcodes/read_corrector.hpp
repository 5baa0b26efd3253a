// Passes reads on, with the sequences in them corrected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/barcodes/read_decision.hpp"
#include "analysis/barcodes/set_reader.hpp"
#include "analysis/barcodes/set_report.hpp"

namespace gsx {

/// Reads FASTQ files again, of which read_sequence_set() made the set with the same options, and
/// gives `write` all reads in input order, byte for byte but for the symbols of sequences that are
/// corrected. Only if the last line of a file has no end and more reads follow, a line end is
/// added. A read whose sequence has several nearest entries gets the likeliest() one by its own
/// qualities. Throws InputError, also if the files hold another number of reads than `records`, and
/// what `write` throws. Pre: the set is not empty.
DecidedReads correct_reads(const std::vector<std::string>& paths, const SetReadOptions& options,
                           const SetCorrections& corrections, std::uint64_t records,
                           const WriteText& write);

}  // namespace gsx

// How large the files of a run are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gsx::app {

/// Bytes of all files together; 0 if one of them is not a regular file.
std::uint64_t bytes_of_files(const std::vector<std::string>& files);

/// About the inflated bytes of all files together: a gzip file of reads usually expands to at most
/// 6 times its size. None if the size of a file is not known, such as that of a pipe.
std::optional<std::uint64_t> inflated_bytes(const std::vector<std::string>& files);

/// The most symbols that these files can hold, about. None if there is no file, or if it is not
/// known how many symbols one holds: only FASTA and FASTQ tell, plain or in gzip.
std::optional<std::uint64_t> symbols_in(const std::vector<std::string>& files);

}  // namespace gsx::app

// Which device answers queries when the user leaves it to gsx.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gsx::app {

/// Whether `threads` threads of a CPU have answered these queries before a GPU is ready to begin:
/// starting it and placing an index on it takes as long as a thread takes for tens of megabytes of
/// FASTQ. False when a file's size is not known, as that of a pipe.
bool is_few_queries(const std::vector<std::string>& files, std::uint64_t index_bytes, int threads);

/// Bytes of all files together, or 0 when one is not a regular file.
std::uint64_t bytes_of_files(const std::vector<std::string>& files);

}  // namespace gsx::app

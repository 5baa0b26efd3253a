// Which device works if the user leaves that to gsx.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gsx::app {

/// Whether `threads` CPU threads answer these queries before a GPU is ready. To start a GPU and
/// load an index onto it takes as long as a thread takes for tens of megabytes of FASTQ. False if
/// the size of a file is not known, such as that of a pipe.
bool is_few_queries(const std::vector<std::string>& files, std::uint64_t index_bytes, int threads);

/// The same for a search with mismatches in `bases` bases, for `patterns` queries besides those of
/// the files.
bool is_few_with_mismatches(std::size_t patterns, const std::vector<std::string>& files,
                            std::uint64_t bases, std::uint64_t index_bytes, int threads);

/// Whether `threads` CPU threads find the pairs of matches of these sequences before a GPU is
/// ready. False if the size of a file is not known.
bool is_few_for_pairs(const std::vector<std::string>& files, int threads);

/// Whether `threads` CPU threads find which of a set of sequences, with tables of so many bytes,
/// these files begin with before a GPU is ready. False if the size of a file is not known.
bool is_few_for_prefixes(const std::vector<std::string>& files, std::uint64_t table_bytes,
                         int threads);

/// Whether one thread indexes the sequences of these files before a GPU is ready. False if there is
/// no file, or if it is not known how many symbols one holds: only FASTA and FASTQ tell, plain or
/// in gzip.
bool is_few_symbols(const std::vector<std::string>& files);

/// Whether so many bytes of host memory are too few for a run on a GPU, whose driver takes more
/// than 100 MB of them before the work begins.
bool is_too_little_for_driver(std::uint64_t host_bytes);

/// Whether a GPU may have to be started for this device (`--device`), which takes a while: it is
/// asked for, or gsx may choose one and a driver is loaded.
bool may_start_gpu(const std::string& device);

/// Bytes of all files together; 0 if one of them is not a regular file.
std::uint64_t bytes_of_files(const std::vector<std::string>& files);

}  // namespace gsx::app

// Names of sequence files without their suffixes.
#pragma once

#include <string>
#include <vector>

namespace gsx {

/// Whether a path leads to an open descriptor, as -, /dev/stdin, /dev/fd/3 and /proc/self/fd/3 do.
/// Whatever is open there, the path is not a name of it.
bool is_descriptor(const std::string& path);

/// The path without the suffixes of a compression and of a sequence format, in any case:
/// dir/genome.fa.gz gives dir/genome.
std::string without_suffixes(const std::string& path);

/// The same of the base names of the files. Throws UsageError for a file that is a descriptor or a
/// FIFO, and for two that have the same stem.
std::vector<std::string> file_stems(const std::vector<std::string>& paths);

}  // namespace gsx

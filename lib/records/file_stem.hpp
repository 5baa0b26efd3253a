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

/// The base names of files without such suffixes, or their names in `names`, if it has some and the
/// name is not "". Throws UsageError for a descriptor or a FIFO without such a name, for two files
/// that have the same, and if there are not as many names as files.
std::vector<std::string> file_stems(const std::vector<std::string>& paths,
                                    const std::vector<std::string>& names = {});

}  // namespace gsx

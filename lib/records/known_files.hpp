// Files that people give in place of FASTA and FASTQ, and what to do with them.
#pragma once

#include <string>
#include <string_view>

namespace gsx {

/// What a file of another format than FASTA and FASTQ is, with the command that helps; empty if
/// `text`, with which it begins, is no such format. `packing` has been taken off, unless it is
/// null: "gzip", "bzip2", "xz" or "zstd".
std::string known_format(std::string_view text, const char* packing);

/// Why such a file is refused; empty if it is none. It may begin with '>' or '@' all the same.
std::string refusal_of(std::string_view text, const char* packing);

/// Why a file is refused whose records begin with `text`, behind comments or not. Pre: text is not
/// empty.
std::string describe_start(std::string_view text, const char* packing, bool after_comments);

/// Puts the path, as a shell takes it, in place of the word FILE in what is to be run; not that of
/// standard input, nor one that cannot be shown.
std::string with_file_named(std::string advice, const std::string& path);

}  // namespace gsx

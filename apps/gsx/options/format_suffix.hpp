// The format of an output: as options name it, or else its suffix.
#pragma once

#include <string>
#include <string_view>

namespace gsx::app {

/// The format that the suffix of a file name stands for, in lower case; .gz or .bgz behind it does
/// not count. That of .bg and .bdg is bedgraph, that of .gff is gff3, that of .bw is bigwig; any
/// other suffix names itself.
std::string format_suffix(std::string output);

/// Whether a suffix names a format, such as BED, that is none of sequences and no plain table.
bool names_other_format(std::string_view suffix);

/// Refuses a suffix that would make other programs misread the output of `command`, which writes
/// `formats`. `option` names the output.
void refuse_other_format(const std::string& suffix, const char* command, const char* formats,
                         const char* option = "-o");

/// The same for suffixes of sequences, for a command whose inputs are often called so.
void refuse_sequence_format(const std::string& suffix, const char* command, const char* formats);

/// The format that is asked for by --format or by a flag of its name; "" if none is. Throws
/// UsageError if they differ.
std::string asked_format(const std::string& flag, const std::string& format);

}  // namespace gsx::app
